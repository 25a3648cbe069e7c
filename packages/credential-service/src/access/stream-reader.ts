/**
 * Who reads a stream, and whether they still may: it ends with its reader, with the API key that it was asked for with, and
 * with the session of a browser, at once where that ends here, else within a heartbeat.
 */
import { eventLimits as limits } from '@symbolon/core/limits/waiting';
import type { Clock } from '@symbolon/host/work/clock';
import type { Call } from '@symbolon/wire/http/service-route';
import type { ServiceDatabase } from '../database/schema.ts';
import { findApiKey } from './api-key-rows.ts';
import { isKeyInForce } from './api-keys.ts';
import type { BrowserSessions } from './browser-sessions.ts';

export interface StreamReader {
  /** Says that the reader is gone, or has signed out. */
  readonly signal: AbortSignal | undefined;
  /** To be asked before every word. */
  isThere(): Promise<boolean>;
}

interface ReaderParts extends KeyParts {
  readonly browserSessions: Pick<BrowserSessions, 'find' | 'endOf'>;
}

interface KeyParts {
  readonly database: ServiceDatabase;
  readonly clock: Clock;
}

export function createStreamReader(
  parts: ReaderParts,
  { keyId, session, signal: gone }: { keyId: string; session: string | undefined; signal: Call['signal'] },
): StreamReader {
  const { browserSessions } = parts;
  const signal =
    gone && session !== undefined ? AbortSignal.any([gone, browserSessions.endOf(session, gone)]) : gone;
  let lookedAt = performance.now();

  return {
    signal,
    async isThere() {
      if (signal?.aborted) return false;
      if (performance.now() - lookedAt < limits.heartbeatMs) return true;
      lookedAt = performance.now();
      if (!(await isKeyStillInForce(parts, keyId))) return false;
      // Whoever has signed out hears nothing more, whatever the key may.
      return session === undefined || (await browserSessions.find(session)) !== undefined;
    },
  };
}

/** A key that is revoked or over sees nothing more, however long something would go on for it. */
export async function isKeyStillInForce({ database, clock }: KeyParts, keyId: string): Promise<boolean> {
  const key = await findApiKey(database.kysely, keyId);
  return key !== undefined && isKeyInForce(key, clock.nowMs());
}
