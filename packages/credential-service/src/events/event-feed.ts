/**
 * Wakes the streams of this process: one watcher for all of them looks whether the audit log has grown, here or by another
 * replica, soon after somebody has said so and every few moments in any case, and wakes those whom something new
 * concerns. It looks only while somebody waits, and holds no events: each stream reads its own, as fast as its reader
 * takes them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventLimits as limits } from '@symbolon/core/limits/waiting';
import type { DatabaseSignals } from '@symbolon/host/database/common/database';
import { type AuditLog, auditWord } from '../audit/audit-log.ts';
import type { Queries } from '../database/schema.ts';
import { createStreamPlaces, type StreamPlaces } from '../sessions/stream-places.ts';
import { readOwners } from './event-rows.ts';
import { type EventView, isSeen } from './event-view.ts';

export interface EventFeed extends StreamPlaces {
  /** How far the watcher has looked; to be asked before reading, and given to `wait` after it. */
  mark(): number;
  /** Until there may be something for this view that was not there at the mark, the time is over or the signal says so. */
  wait(view: EventView, waiting: FeedWait): Promise<void>;
}

export interface FeedWait {
  readonly mark: number;
  readonly ms: number;
  readonly signal: AbortSignal | undefined;
}

interface Waiter {
  readonly view: EventView;
  readonly wake: () => void;
}

export function createEventFeed({
  audit,
  queries,
  signals,
  onFailure,
}: {
  readonly audit: Pick<AuditLog, 'head'>;
  readonly queries: Queries;
  readonly signals?: DatabaseSignals | undefined;
  readonly onFailure: (error: unknown) => void;
}): EventFeed {
  const waiting = new Set<Waiter>();
  let seen = 0;
  let isWatching = false;
  let nudge = new AbortController();
  signals?.listen((said) => {
    if (said === auditWord) nudge.abort();
  });

  async function look(): Promise<void> {
    const { sequence } = await audit.head();
    if (sequence === seen) return;
    const { ownersToldMax } = limits;
    const owners = await readOwners(queries, { after: seen, upTo: sequence, limit: ownersToldMax });
    seen = sequence;
    for (const { view, wake } of waiting) if (owners.size >= ownersToldMax || isSeen(view, owners)) wake();
  }

  async function watch(): Promise<void> {
    if (isWatching) return;
    isWatching = true;
    // The streams go on with their signs of life while the database is away.
    while (waiting.size > 0) {
      nudge = new AbortController();
      await look().catch(onFailure);
      // What is said first may be kept a moment later, and much that is said is one look.
      await sleep(limits.watchPauseMs, undefined, { ref: false });
      const { signal } = nudge;
      const rest = sleep(limits.watchMs - limits.watchPauseMs, undefined, { ref: false, signal });
      await rest.catch(() => undefined);
    }
    isWatching = false;
  }

  return {
    ...createStreamPlaces(limits),
    mark: () => seen,
    wait: (view, { mark, ms, signal }) =>
      new Promise((resolve) => {
        // The watcher has come further meanwhile, and may have passed something of this one's.
        if (mark !== seen || signal?.aborted) return resolve();
        const wake = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', wake);
          waiting.delete(waiter);
          resolve();
        };
        const waiter: Waiter = { view, wake };
        const timer = setTimeout(wake, ms).unref();
        signal?.addEventListener('abort', wake, { once: true });
        waiting.add(waiter);
        void watch();
      }),
  };
}
