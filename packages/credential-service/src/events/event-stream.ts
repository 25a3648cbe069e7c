/**
 * The events that an API key may see, as a stream: every one behind a place, in the order of the audit log, then what
 * comes. Silence is broken by heartbeats; the stream ends with its reader, with its key, or when it has lasted long
 * enough, and goes on from the last id when it is opened again.
 */
import { eventLimits as limits } from '@symbolon/core/limits/waiting';
import { renderOpening, renderServiceEvent } from '@symbolon/wire/events/service-events';
import { heartbeat } from '@symbolon/wire/sessions/replies';
import { findApiKey } from '../access/api-key-rows.ts';
import type { EventParts } from './event-parts.ts';
import { readEvents } from './event-rows.ts';
import type { EventView } from './event-view.ts';
import { toldEvent } from './told-event.ts';

export interface StreamOrder {
  readonly keyId: string;
  /** Of a browser, where one asks. */
  readonly session: string | undefined;
  readonly view: EventView;
  /** The event before the first that is told. */
  readonly after: number;
  readonly signal: AbortSignal | undefined;
  /** Gives the stream's place back. */
  readonly leave: () => void;
}

export async function* eventStream(
  parts: Pick<EventParts, 'database' | 'clock' | 'eventFeed' | 'browserSessions'>,
  { keyId, session, view, after, signal, leave }: StreamOrder,
): AsyncGenerator<string, void, undefined> {
  const { database, eventFeed } = parts;
  const endsAt = performance.now() + limits.streamMsMax;
  let last = after;
  let spokenAt = performance.now();
  let checkedAt = spokenAt;
  try {
    yield renderOpening(String(last));
    while (signal?.aborted !== true && performance.now() < endsAt) {
      if (performance.now() - checkedAt >= limits.heartbeatMs) {
        if (!(await isInForce(parts, keyId))) return;
        // Whoever has signed out hears nothing more, whatever the key may.
        if (session !== undefined && !(await parts.browserSessions.find(session))) return;
        checkedAt = performance.now();
      }
      const mark = eventFeed.mark();
      const entries = await readEvents(database.kysely, view, { after: last, limit: limits.batchMax });
      if (entries.length > 0) {
        yield entries.map((entry) => renderServiceEvent(toldEvent(entry))).join('');
        last = entries.at(-1)?.sequence ?? last;
        spokenAt = performance.now();
        continue;
      }
      if (performance.now() - spokenAt >= limits.heartbeatMs) {
        yield heartbeat;
        spokenAt = performance.now();
      }
      const ms = Math.max(limits.heartbeatMs - (performance.now() - spokenAt), 1);
      await eventFeed.wait(view, { mark, ms, signal });
    }
  } finally {
    leave();
  }
}

/** A key that is revoked or over sees nothing more, however long its stream would last. */
export async function isInForce(
  { database, clock }: Pick<EventParts, 'database' | 'clock'>,
  keyId: string,
): Promise<boolean> {
  const key = await findApiKey(database.kysely, keyId);
  return key !== undefined && key.revokedAt === null && (key.expiresAt ?? Infinity) > clock.nowMs();
}
