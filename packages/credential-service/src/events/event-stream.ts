/**
 * The events that an API key may see, as a stream: every one behind a place, in the order of the audit log, then what
 * comes. Silence is broken by heartbeats; the stream ends with its reader's right to it, or when it has lasted long
 * enough, and goes on from the last id when it is opened again.
 */
import { eventLimits as limits } from '@symbolon/core/limits/waiting';
import { renderOpening, renderServiceEvent } from '@symbolon/wire/events/service-events';
import { heartbeat } from '@symbolon/wire/sessions/replies';
import type { StreamReader } from '../access/stream-reader.ts';
import type { EventParts } from './event-parts.ts';
import { readEvents } from './event-rows.ts';
import type { EventView } from './event-view.ts';
import { toldEvent } from './told-event.ts';

export interface StreamOrder {
  readonly reader: StreamReader;
  readonly view: EventView;
  /** The event before the first that is told. */
  readonly after: number;
  /** Gives the stream's place back. */
  readonly leave: () => void;
}

export async function* eventStream(
  { database, eventFeed }: Pick<EventParts, 'database' | 'eventFeed'>,
  { reader, view, after, leave }: StreamOrder,
): AsyncGenerator<string, void, undefined> {
  const endsAt = performance.now() + limits.streamMsMax;
  let last = after;
  let spokenAt = performance.now();
  try {
    yield renderOpening(String(last));
    while ((await reader.isThere()) && performance.now() < endsAt) {
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
      await eventFeed.wait(view, { mark, ms, signal: reader.signal });
    }
  } finally {
    leave();
  }
}
