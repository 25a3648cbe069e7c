/**
 * Verification sessions from their beginning to their end. Every end is one transaction: the state, the audit entry and
 * the callback that tells of it stand or fall together; who waits for the session is woken afterwards.
 */

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Fault } from '@symbolon/core/faults/faults';
import { exchangeLimits as limits } from '@symbolon/core/limits/waiting';
import type { VerifierTrust } from '@symbolon/core/presentation/trust-rules';
import {
  isOpenVerification,
  nextVerificationState,
  type VerificationAct,
  type VerificationState,
} from '@symbolon/core/presentation/verification-states';
import type { Call, Caller } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import {
  type EndedSession,
  renderCallback,
  type SessionResult,
  sessionIdOf,
} from '@symbolon/wire/sessions/replies';
import { type VerificationOrder, withTrusted } from '@symbolon/wire/sessions/requests';
import type { Actor, AuditAction } from '../audit/audit-entry.ts';
import type { Queries } from '../database/schema.ts';
import { resolveTrust } from '../trust/trust-handlers.ts';
import { places } from '../vault/places.ts';
import { checkCallbackUrl } from './callback-address.ts';
import type { CallbackContent } from './callback-delivery.ts';
import { addDelivery } from './outbox-rows.ts';
import type { SessionParts } from './session-parts.ts';
import {
  addSession,
  countOpenSessions,
  expireSession,
  findSession,
  listLapsedSessions,
  type VerificationSession,
} from './session-rows.ts';

/** What a session keeps sealed from its beginning. */
export interface SessionRequest {
  readonly requirements: JsonObject;
  readonly callbackUrl?: string;
  /** SHA-256 of the body that opened it, in hex; the result says it, so that whoever asked knows its own question. */
  readonly requestHash?: string;
  /** Whom the verifier trusts besides what the requirements say, with its list as it was when it asked. */
  readonly trust?: VerifierTrust;
}

const nonceBytes = 16;
const idBytes = 16;

/** The API key whose sessions these are. */
export function keyIdOf({ keyId }: Caller): string {
  if (keyId === undefined) throw new Fault('notAuthenticated');
  return keyId;
}

export async function openSession(
  parts: SessionParts,
  { callbackUrl, stateId, minutes, ...order }: VerificationOrder,
  { caller, rawBody = '' }: Pick<Call, 'caller' | 'rawBody'>,
): Promise<VerificationSession> {
  const { database, vault, clock, audit, callbackReach } = parts;
  const keyId = keyIdOf(caller);
  if (callbackUrl !== undefined) checkCallbackUrl(callbackUrl, callbackReach);
  if ((await countOpenSessions(database.kysely, keyId)) >= limits.openSessionsPerKeyMax)
    throw new Fault('tooManyRequests', { detail: 'This API key has as many open sessions as one may have' });
  const now = clock.nowMs();
  const id = sessionIdOf(now, randomBytes(idBytes).toString('hex'));
  const trust = await resolveTrust(parts, order.trust, caller);
  const requirements = withTrusted(order.requirements, trust);
  const request: SessionRequest = {
    requirements,
    trust,
    requestHash: createHash('sha256').update(rawBody, 'utf8').digest('hex'),
    ...(callbackUrl !== undefined && { callbackUrl }),
  };
  const session = {
    id,
    keyId,
    stateId: stateId ?? randomUUID(),
    // 32 hex digits: wallets also read them as base64url.
    nonce: randomBytes(nonceBytes).toString('hex'),
    request: await vault.sealDocument(request, places.sessionRequest(id)),
    createdAt: now,
    expiresAt: now + minutes * 60_000,
  };
  return database.transaction(async (queries) => {
    const added = await addSession(queries, session);
    await audit.record({ actor: caller, action: 'verification.request', subject: id }, queries);
    return added;
  });
}

export const sessionRequestOf = (
  { vault }: SessionParts,
  session: VerificationSession,
): Promise<SessionRequest> =>
  vault.openDocument<SessionRequest>(session.request, places.sessionRequest(session.id));

/** A session as it stands now: one whose time is over has expired, whoever notices first. */
export async function currentSession(
  parts: SessionParts,
  id: string,
): Promise<VerificationSession | undefined> {
  const { database, clock } = parts;
  const session = await findSession(database.kysely, id);
  if (!session || !isOpenVerification(session.state) || session.expiresAt > clock.nowMs()) return session;
  await expire(parts, session);
  return findSession(database.kysely, id);
}

/** Throws `sessionUnknown`, and `sessionClosed` or `sessionExpired` where the act is not possible any more. */
export async function requireSession(
  parts: SessionParts,
  id: string,
  act: VerificationAct,
): Promise<VerificationSession> {
  const session = await currentSession(parts, id);
  if (!session) throw new Fault('sessionUnknown');
  nextVerificationState(session.state, act);
  return session;
}

export interface SessionEnd {
  readonly session: VerificationSession;
  readonly state: VerificationState;
  readonly result?: SessionResult;
  readonly actor?: Actor;
  /** The conditional update; false when somebody else was faster. */
  readonly move: (queries: Queries) => Promise<boolean>;
}

const auditActionOf: Readonly<Partial<Record<VerificationState, AuditAction>>> = {
  VERIFIED: 'verification.verified',
  FAILED: 'verification.failed',
  ABORTED: 'verification.aborted',
  EXPIRED: 'verification.expired',
};

/** False when the session was ended by somebody else. */
export async function endSession(parts: SessionParts, end: SessionEnd): Promise<boolean> {
  const { database, vault, clock, audit, sessionEvents } = parts;
  const { session, state, result, actor = {}, move } = end;
  const { id, keyId, stateId } = session;
  const { callbackUrl } = await sessionRequestOf(parts, session);
  const now = clock.nowMs();
  const deliveryId = randomUUID();
  const ended: EndedSession = { id, stateId, state, ...(result && { result }) };
  const content: CallbackContent | undefined =
    callbackUrl === undefined ? undefined : { url: callbackUrl, body: renderCallback(ended, now) };
  const sealed = content && (await vault.sealDocument(content, places.delivery(deliveryId)));
  const action = auditActionOf[state] as AuditAction;
  const isFirst = await database.transaction(async (queries) => {
    if (!(await move(queries))) return false;
    await audit.record({ actor, action, subject: id }, queries);
    if (sealed) await addDelivery(queries, { id: deliveryId, sessionId: id, keyId, content: sealed, now });
    return true;
  });
  if (isFirst) sessionEvents.changed(id);
  return isFirst;
}

const expire = (parts: SessionParts, session: VerificationSession): Promise<boolean> =>
  endSession(parts, {
    session,
    state: 'EXPIRED',
    move: (queries) => expireSession(queries, session.id, parts.clock.nowMs()),
  });

/** Ends what nobody answered in time. */
export async function expireSessions(parts: SessionParts): Promise<void> {
  const lapsed = await listLapsedSessions(parts.database.kysely, parts.clock.nowMs());
  for (const session of lapsed) await expire(parts, session);
}
