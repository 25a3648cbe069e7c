/** Sessions as the API key that opened them sees them: all of them, and one with how it ended and was told. */
import { Fault } from '@symbolon/core/faults/faults';
import {
  isOpenVerification,
  openVerificationStates,
  type VerificationState,
} from '@symbolon/core/presentation/verification-states';
import { renderListed, renderResult } from '@symbolon/wire/sessions/list-replies';
import { renderCreated } from '@symbolon/wire/sessions/replies';
import type { PageRequest } from '../database/paging.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { type Delivery, findDeliveryOf } from './outbox-rows.ts';
import type { SessionParts } from './session-parts.ts';
import { listSessionRows, type VerificationSession } from './session-rows.ts';
import { sessionResult } from './session-stream.ts';
import { findOrExpireSession, type SessionRequest, sessionRequestOf } from './sessions.ts';

interface SessionSearch extends PageRequest {
  readonly keyId: string;
  readonly state: VerificationState | undefined;
}

const timeText = (ms: number): string => new Date(ms).toISOString();

export async function listSessions(parts: SessionParts, { state, ...search }: SessionSearch) {
  const { database, vault, clock } = parts;
  const now = clock.nowMs();
  // What has lapsed and was not swept yet has expired all the same.
  const states = state && (state === 'EXPIRED' ? [state, ...openVerificationStates] : [state]);
  const { items, next } = await listSessionRows(database.kysely, { ...search, ...(states && { states }) });
  const current = items.map((session) => ({
    ...session,
    state:
      isOpenVerification(session.state) && session.expiresAt <= now ? ('EXPIRED' as const) : session.state,
  }));
  const shown = current.filter((session) => state === undefined || session.state === state);
  const sessions = shown.map(async (session) => {
    const context = contexts.sessionRequest(session.id);
    const { purpose } = await vault.decryptDocument<SessionRequest>(session.request, context);
    return renderListed({ ...session, ...(purpose !== undefined && { purpose }) });
  });
  return { sessions: await Promise.all(sessions), ...(next !== undefined && { nextCursor: next }) };
}

/** Throws `sessionUnknown` also for one of another key: whose session it is, is nobody else's business. */
export async function ownSession(
  parts: SessionParts,
  sessionId: string,
  keyId: string,
): Promise<VerificationSession> {
  const session = await findOrExpireSession(parts, sessionId);
  if (session?.keyId !== keyId) throw new Fault('sessionUnknown');
  return session;
}

/** `hasCode`: whoever asks has shown the session's response code. */
export async function sessionDetails(parts: SessionParts, session: VerificationSession, hasCode = false) {
  const { database, settings, audit, resultSigner } = parts;
  const { id, keyId, state, updatedAt } = session;
  const { purpose, requirements, openid } = await sessionRequestOf(parts, session);
  const listed = renderListed({ ...session, ...(purpose !== undefined && { purpose }) });
  if (isOpenVerification(state) && openid) return { ...listed, requirements, qrCodeData: openid.link };
  if (openid?.redirect && !hasCode) return { ...listed, requirements };
  if (isOpenVerification(state)) {
    const { requestUri, qrCodeData } = renderCreated(session, settings.publicUrl);
    return { ...listed, requirements, requestUri, qrCodeData };
  }
  const result = await sessionResult(parts, session);
  if (session.result) await audit.record({ actor: { keyId }, action: 'verification.read', subject: id });
  const delivery = await findDeliveryOf(database.kysely, id);
  return {
    ...listed,
    requirements,
    ...(delivery && { callback: deliveryOf(delivery) }),
    result: renderResult(result, await resultSigner.sign(result.signedText, keyId, updatedAt)),
  };
}

const deliveryOf = ({ state, attempts, nextAttemptAt, updatedAt, problem }: Delivery) => ({
  state,
  attempts,
  lastAttemptAt: attempts === 0 ? null : timeText(updatedAt),
  nextAttemptAt: state === 'waiting' ? timeText(nextAttemptAt) : null,
  problem,
});
