/** What verification sessions work with, beside the parts of every room. */
import type { BrowserSessions } from '../access/browser-sessions.ts';
import type { OutboundReach } from '../outbound/outbound-address.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import type { ResultSigner } from './result-signing.ts';
import type { SessionEvents } from './session-events.ts';

export interface SessionParts extends ServiceParts {
  readonly resultSigner: ResultSigner;
  readonly sessionEvents: SessionEvents;
  /** Where callbacks may go. */
  readonly callbackReach: OutboundReach;
  readonly browserSessions: BrowserSessions;
}
