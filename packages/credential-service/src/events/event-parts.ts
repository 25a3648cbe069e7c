/** What events and webhooks work with, beside the parts of verification sessions. */
import type { Log } from '@symbolon/host/telemetry/log';
import type { SessionParts } from '../sessions/session-parts.ts';
import type { EventFeed } from './event-feed.ts';

export interface EventParts extends SessionParts {
  readonly eventFeed: EventFeed;
  readonly log: Pick<Log, 'warn'>;
}
