/**
 * The events of a verification session, for the relying service that asked: its state at once, every change, and at the
 * end the result with its signatures. Silence is broken by heartbeats; the stream ends with the session, with its
 * reader, or when it has lasted long enough, and can be opened again.
 */

import { sessionLimits as limits } from '@symbolon/core/limits/waiting';
import { isOpenVerification } from '@symbolon/core/presentation/verification-states';
import {
  heartbeat,
  renderEvent,
  type SessionResult,
  signedResultText,
} from '@symbolon/wire/sessions/replies';
import { contexts } from '../vault/encryption-contexts.ts';
import type { SessionParts } from './session-parts.ts';
import type { VerificationSession } from './session-rows.ts';
import { findOrExpireSession, sessionRequestOf } from './sessions.ts';

/** `leave` gives the stream's place back. */
export async function* sessionStream(
  parts: SessionParts,
  sessionId: string,
  { signal, leave }: { readonly signal: AbortSignal | undefined; readonly leave: () => void },
): AsyncGenerator<string, void, undefined> {
  const endsAt = performance.now() + limits.streamMsMax;
  let shown: string | undefined;
  let spokenAt = performance.now();
  try {
    while (signal?.aborted !== true && performance.now() < endsAt) {
      const session = await findOrExpireSession(parts, sessionId);
      if (!session) return;
      if (session.state !== shown) {
        shown = session.state;
        spokenAt = performance.now();
        yield await eventOf(parts, session);
        if (!isOpenVerification(session.state)) return;
      } else if (performance.now() - spokenAt >= limits.heartbeatMs) {
        spokenAt = performance.now();
        yield heartbeat;
      }
      await parts.sessionEvents.wait(sessionId, limits.streamPollMs, signal);
    }
  } finally {
    leave();
  }
}

async function eventOf(parts: SessionParts, session: VerificationSession): Promise<string> {
  const { id, stateId, state, keyId } = session;
  if (isOpenVerification(state)) return renderEvent({ id, stateId, state }, undefined);
  const result = await sessionResult(parts, session);
  if (session.result)
    await parts.audit.record({ actor: { keyId }, action: 'verification.read', subject: id });
  const signatures = await parts.resultSigner.sign(result.signedText, keyId);
  return renderEvent({ id, stateId, state, result }, signatures);
}

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
