/**
 * The events of a verification session, for the relying service that asked: its state at once, every change, and at the
 * end the result with its signatures; behind it, for whoever asks, what becomes of its callback. Silence is broken by
 * heartbeats; the stream ends with the session, with its reader's right to it, or when it has lasted long enough, and can
 * be opened again.
 */

import { sessionLimits as limits } from '@symbolon/core/limits/waiting';
import { isOpenVerification } from '@symbolon/core/presentation/verification-states';
import {
  heartbeat,
  renderCallbackAttempt,
  renderEvent,
  type SessionResult,
  signedResultText,
} from '@symbolon/wire/sessions/replies';
import { isOpenidSession } from '@symbolon/wire/sessions/session-ids';
import type { StreamReader } from '../access/stream-reader.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { findDeliveryOf } from './outbox-rows.ts';
import type { SessionParts } from './session-parts.ts';
import type { VerificationSession } from './session-rows.ts';
import { findOrExpireSession, sessionRequestOf } from './sessions.ts';

interface StreamOptions {
  readonly reader: StreamReader;
  readonly leave: () => void;
  /** Whether it goes on until the callback is delivered or given up. */
  readonly withCallback: boolean;
}

/** `leave` gives the stream's place back. */
export async function* sessionStream(
  parts: SessionParts,
  sessionId: string,
  { reader, leave, withCallback }: StreamOptions,
): AsyncGenerator<string, void, undefined> {
  const endsAt = performance.now() + limits.streamMsMax;
  let shown: string | undefined;
  let spokenAt = performance.now();
  try {
    while ((await reader.isThere()) && performance.now() < endsAt) {
      const session = await findOrExpireSession(parts, sessionId);
      if (!session) return;
      if (session.state !== shown) {
        shown = session.state;
        spokenAt = performance.now();
        yield await eventOf(parts, session);
        if (!isOpenVerification(session.state)) {
          if (withCallback) yield* deliveryEvents(parts, session, { reader, endsAt });
          return;
        }
      } else if (performance.now() - spokenAt >= limits.heartbeatMs) {
        spokenAt = performance.now();
        yield heartbeat;
      }
      await parts.sessionEvents.wait(sessionId, limits.streamPollMs, reader.signal);
    }
  } finally {
    leave();
  }
}

/** An event for each attempt, until there is no further one; none where no callback was asked for. */
async function* deliveryEvents(
  parts: SessionParts,
  { id, stateId }: VerificationSession,
  { reader, endsAt }: Pick<StreamOptions, 'reader'> & { readonly endsAt: number },
): AsyncGenerator<string, void, undefined> {
  let told: string | undefined;
  let spokenAt = performance.now();
  while ((await reader.isThere()) && performance.now() < endsAt) {
    const delivery = await findDeliveryOf(parts.database.kysely, id);
    if (!delivery) return;
    const { state, attempts, nextAttemptAt } = delivery;
    // One that is under way moves its next attempt, and so does its failure.
    const stand = JSON.stringify([state, attempts, nextAttemptAt]);
    if (stand !== told) {
      told = stand;
      spokenAt = performance.now();
      yield renderCallbackAttempt(stateId, delivery);
      if (state !== 'waiting') return;
    } else if (performance.now() - spokenAt >= limits.heartbeatMs) {
      spokenAt = performance.now();
      yield heartbeat;
    }
    await parts.sessionEvents.wait(id, limits.streamPollMs, reader.signal);
  }
}

async function eventOf(parts: SessionParts, session: VerificationSession): Promise<string> {
  const { id, stateId, state, keyId, updatedAt } = session;
  // Without its response code a result is told to nobody: the end alone is.
  if (isOpenVerification(state) || (await needsResponseCode(parts, session)))
    return renderEvent({ id, stateId, state }, undefined);
  const result = await sessionResult(parts, session);
  if (session.result)
    await parts.audit.record({ actor: { keyId }, action: 'verification.read', subject: id });
  const signatures = await parts.resultSigner.sign(result.signedText, keyId, updatedAt);
  return renderEvent({ id, stateId, state, result }, signatures);
}

/** Whether a result is told to whoever has the code that came with the browser of the holder, and to nobody else. */
export const needsResponseCode = async (
  parts: SessionParts,
  session: VerificationSession,
): Promise<boolean> =>
  isOpenidSession(session.id) && (await sessionRequestOf(parts, session)).openid?.redirect !== undefined;

/** What a session ended with; one that nobody answered has a result, too, which says so. */
export async function sessionResult(
  parts: SessionParts,
  session: VerificationSession,
): Promise<SessionResult> {
  const { id, state, result } = session;
  if (result) return parts.vault.decryptDocument<SessionResult>(result, contexts.sessionResult(id));
  const { requestHash } = await sessionRequestOf(parts, session);
  return {
    verified: false,
    claims: {},
    credentials: [],
    errors: [],
    signedText: signedResultText({ id, state, requestHash }),
  };
}
