/**
 * What was answered to the calls of an API key, for whoever owns it: when, which route, how it ended and how long it took;
 * nothing of what was asked or answered. Noting a call costs a push to a list; every second the lists are written to the
 * database together. What a process could not write before it died is lost: this is a help, the audit log is the record.
 */
import { randomUUID } from 'node:crypto';
import { requestLogLimits as limits } from '@symbolon/core/limits/directory';
import type { AnsweredCall } from '@symbolon/host/service/service-server';
import type { Clock } from '@symbolon/host/work/clock';
import type { Page, PageRequest } from '../database/paging.ts';
import type { Queries } from '../database/schema.ts';
import { addRequests, type LoggedRequest, pageRequests, trimRequests } from './request-log-rows.ts';

export interface RequestLog {
  note(call: AnsweredCall): void;
  /** Writes down what was noted; who asks meanwhile waits for the next turn. */
  write(): Promise<void>;
  /** Newest first, the calls of this process included that are not written yet. */
  list(keyId: string, request: PageRequest): Promise<Page<LoggedRequest>>;
}

const countDigits = 12;

export function createRequestLog(queries: Queries, clock: Clock): RequestLog {
  const process = randomUUID();
  let waiting = new Map<string, LoggedRequest[]>();
  let waitingCount = 0;
  let noted = 0;
  /** New rows of a key since its oldest were removed. */
  const untrimmed = new Map<string, number>();
  let writing: Promise<void> = Promise.resolve();

  function take(): LoggedRequest[] {
    const taken = [...waiting.values()].flat();
    waiting = new Map();
    waitingCount = 0;
    return taken;
  }

  async function writeAll(): Promise<void> {
    const rows = take();
    if (rows.length === 0) return;
    await addRequests(queries, rows);
    for (const { keyId } of rows) untrimmed.set(keyId, (untrimmed.get(keyId) ?? 0) + 1);
    for (const [keyId, count] of untrimmed) {
      if (count < limits.trimAfter) continue;
      await trimRequests(queries, keyId);
      untrimmed.delete(keyId);
    }
  }

  const write = (): Promise<void> => {
    writing = writing.catch(() => undefined).then(writeAll);
    return writing;
  };

  return {
    note({ keyId, method, route, status, code, seconds, requestId }) {
      const calls = waiting.get(keyId) ?? [];
      if (calls.length === 0) waiting.set(keyId, calls);
      // Of one key no more than is kept, and of all no more than fits while the database is away.
      if (calls.length >= limits.perKeyMax) calls.shift();
      else if (waitingCount >= limits.waitingMax) return;
      else waitingCount += 1;
      noted += 1;
      calls.push({
        id: `${String(noted).padStart(countDigits, '0')}-${process}`,
        keyId,
        at: clock.nowMs(),
        method,
        operation: route,
        status,
        code,
        ms: Math.round(seconds * 1_000),
        requestId,
      });
    },
    write,
    async list(keyId, request) {
      await write();
      return pageRequests(queries, keyId, request);
    },
  };
}
