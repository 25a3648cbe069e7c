/**
 * Verification sessions from their beginning to their end. Every end is one transaction: the state, the audit entry and
 * the callback that tells of it stand or fall together; who waits for the session is woken afterwards.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { given } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import { sessionLimits as limits } from '@symbolon/core/limits/waiting';
import type { VerifierTrust } from '@symbolon/core/presentation/trust-rules';
import {
  isOpenVerification,
  nextVerificationState,
  type VerificationAct,
  verificationMove,
} from '@symbolon/core/presentation/verification-states';
import { sha256Hex } from '@symbolon/host/work/sha256';
import type { AuditAction } from '@symbolon/wire/credentials/audit-actions';
import type { Call, Caller } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import {
  type EndedSession,
  renderCallback,
  type SessionAborter,
  type SessionAsker,
  type SessionResult,
} from '@symbolon/wire/sessions/replies';
import { type VerificationOrder, withTrusted } from '@symbolon/wire/sessions/requests';
import { openidSessionIdOf, sessionIdOf } from '@symbolon/wire/sessions/session-ids';
import { findApiKey } from '../access/api-key-rows.ts';
import { findPartyProfile } from '../directory/profile-rows.ts';
import { resolveTrust } from '../trust/trust-handlers.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { checkCallbackUrl } from './callback-address.ts';
import type { CallbackContent } from './callback-post.ts';
import { addDelivery } from './outbox-rows.ts';
import type { SessionParts } from './session-parts.ts';
import {
  addSession,
  countOpenSessions,
  endSessionRow,
  findSession,
  listLapsedSessions,
  markFetched,
  type SessionEnd,
  type VerificationSession,
} from './session-rows.ts';

/** What a session keeps encrypted from its beginning. */
export interface SessionRequest {
  readonly requirements: JsonObject;
  readonly callbackUrl?: string;
  /** SHA-256 of the body that opened it, in hex; the result says it, so that whoever asked knows its own question. */
  readonly requestHash?: string;
  /** Whose session it is: the DID of the API key, or the key; sessions of earlier versions do not say it. */
  readonly verifier?: string;
  /** Who asks and why, as wallets are told; sessions of earlier versions do not say it. */
  readonly asker?: SessionAsker;
  readonly purpose?: string;
  /** Whom the verifier trusts besides what the requirements say, with its list as it was when it asked. */
  readonly trust?: VerifierTrust;
  /** Of a session that is answered by OpenID4VP: all that its request says beside. */
  readonly openid?: OpenidTerms;
}

/** What a request of OpenID4VP says beside the query, and what belongs to it in secret. */
export interface OpenidTerms {
  readonly clientId: string;
  /** By what the request object is signed; absent where it is not. */
  readonly signedBy?: 'certificate' | 'did';
  readonly responseMode: 'direct_post' | 'direct_post.jwt';
  readonly state: string;
  /** What the holder opens. */
  readonly link: string;
  /** The secret half of the key that answers are encrypted for, and its public one. */
  readonly encryption?: { readonly publicJwk: object; readonly secret: string };
  readonly agreements?: readonly { readonly queryId: string; readonly text: string }[];
  readonly foreignIssuers: readonly { readonly issuer: string; readonly keys?: readonly object[] }[];
  /** Where the holder's browser goes afterwards, and with what: the result is told with it alone. */
  readonly redirect?: { readonly uri: string; readonly code: string };
}

const nonceBytes = 16;
const idBytes = 16;

/** The API key whose sessions these are. */
export function keyIdOf({ keyId }: Caller): string {
  if (keyId === undefined) throw new Fault('notAuthenticated');
  return keyId;
}

/** A label that a key gave to a key it made is nobody's word but its own, and names nobody. */
async function askerOf(
  { database: { kysely } }: SessionParts,
  { did }: Caller,
  keyId: string,
): Promise<SessionAsker> {
  const profile = did === undefined ? undefined : await findPartyProfile(kysely, did);
  const key = profile?.word === 'operator' ? undefined : await findApiKey(kysely, keyId);
  const label = key?.madeBy === null && key.label !== '' ? key.label : undefined;
  if (label !== undefined) return { ...given({ did }), name: label, nameSource: 'operator' };
  return { ...given({ did }), ...(profile && { name: profile.name, nameSource: profile.word }) };
}

/** A session as it is to be opened; `openid` is told its id and nonce. */
export interface SessionOpening
  extends Pick<VerificationOrder, 'callbackUrl' | 'stateId' | 'minutes' | 'purpose' | 'trust'> {
  /** With whom the verifier trusts, as far as wallets are told. */
  readonly requirements: (trust: VerifierTrust) => JsonObject;
  readonly openid?: (session: { readonly id: string; readonly nonce: string }) => Promise<OpenidTerms>;
}

/** They name the trusted issuers that came with the request; those of its list are added here. */
export const familyOpening = ({ requirements, ...order }: VerificationOrder): SessionOpening => ({
  ...order,
  requirements: (trust) => withTrusted(requirements, trust),
});

export async function openSession(
  parts: SessionParts,
  order: SessionOpening,
  { caller, rawBody = '' }: Pick<Call, 'caller' | 'rawBody'>,
): Promise<VerificationSession> {
  const { database, vault, clock, audit, callbackReach } = parts;
  const { callbackUrl, stateId, minutes, purpose } = order;
  const keyId = keyIdOf(caller);
  if (callbackUrl !== undefined) checkCallbackUrl(callbackUrl, callbackReach);
  if ((await countOpenSessions(database.kysely, keyId)) >= limits.openSessionsPerKeyMax)
    throw new Fault('tooManyRequests', { detail: 'This API key has as many open sessions as one may have' });
  const now = clock.nowMs();
  const idOf = order.openid ? openidSessionIdOf : sessionIdOf;
  const id = idOf(now, randomBytes(idBytes).toString('hex'));
  // 32 hex digits: wallets also read them as base64url.
  const nonce = randomBytes(nonceBytes).toString('hex');
  const trust = await resolveTrust(parts, order.trust, caller);
  const verifier = caller.did ?? keyId;
  const request: SessionRequest = {
    verifier,
    // As it stands now: what is said of a party later does not change who asked.
    asker: await askerOf(parts, caller, keyId),
    ...given({ purpose }),
    requirements: order.requirements(trust),
    trust,
    requestHash: sha256Hex(rawBody),
    ...(callbackUrl !== undefined && { callbackUrl }),
    ...(order.openid && { openid: await order.openid({ id, nonce }) }),
  };
  const session = {
    ...{ id, keyId, nonce },
    stateId: stateId ?? randomUUID(),
    request: await vault.encryptDocument(request, contexts.sessionRequest(id)),
    createdAt: now,
    expiresAt: now + minutes * 60_000,
  };
  return database.transaction(async (queries) => {
    const added = await addSession(queries, session);
    const act = { action: 'verification.request', subject: id, details: { verifier } } as const;
    await audit.record({ actor: caller, ...act }, queries);
    return added;
  });
}

export const sessionRequestOf = (
  { vault }: Pick<SessionParts, 'vault'>,
  session: VerificationSession,
): Promise<SessionRequest> =>
  vault.decryptDocument<SessionRequest>(session.request, contexts.sessionRequest(session.id));

/** A session as it stands now: one whose time is over is ended by whoever looks at it first. */
export async function findOrExpireSession(
  parts: SessionParts,
  id: string,
): Promise<VerificationSession | undefined> {
  const { database, clock } = parts;
  const session = await findSession(database.kysely, id);
  if (!session || !isOpenVerification(session.state) || session.expiresAt > clock.nowMs()) return session;
  await endSession(parts, session, { act: 'expire' });
  return findSession(database.kysely, id);
}

/** Throws `sessionUnknown`, and `sessionClosed` or `sessionExpired` where the act is not possible any more. */
export async function requireSession(
  parts: SessionParts,
  id: string,
  act: VerificationAct,
): Promise<VerificationSession> {
  const session = await findOrExpireSession(parts, id);
  if (!session) throw new Fault('sessionUnknown');
  nextVerificationState(session.state, act);
  return session;
}

/** For an act that somebody else has forestalled: throws how the session ended, else that it is being decided. */
export async function refuseLate(
  parts: SessionParts,
  id: string,
  { act, detail }: { readonly act: VerificationAct; readonly detail: string },
): Promise<never> {
  await requireSession(parts, id, act);
  throw new Fault('sessionClosed', { detail });
}

/** → FETCHED, the first time that a wallet asks for it. */
export async function fetchSession(parts: SessionParts, id: string): Promise<VerificationSession> {
  const { database, clock, sessionEvents } = parts;
  const session = await requireSession(parts, id, 'fetch');
  const { to: fetched } = verificationMove('fetch');
  if (session.state === fetched) return session;
  const isFetched = await markFetched(database.kysely, id, clock.nowMs());
  if (isFetched) sessionEvents.changed(id);
  // Else its time is over: it has ended, or stays open while an answer is decided.
  const current = isFetched ? session : await requireSession(parts, id, 'fetch');
  return { ...current, state: fetched };
}

const auditActions: Readonly<Record<SessionEnd<unknown>['act'], AuditAction>> = {
  accept: 'verification.verified',
  refuse: 'verification.failed',
  abort: 'verification.aborted',
  expire: 'verification.expired',
};

/** False when somebody else has ended the session, or is deciding about it. */
export async function endSession(
  parts: SessionParts,
  session: VerificationSession,
  end: SessionEnd<SessionResult>,
  request: SessionRequest | Promise<SessionRequest> = sessionRequestOf(parts, session),
): Promise<boolean> {
  const { database, vault, clock, audit, sessionEvents } = parts;
  const { id, keyId, stateId } = session;
  const now = clock.nowMs();
  const { to: state } = verificationMove(end.act);
  const { callbackUrl, verifier = keyId } = await request;
  const deliveryId = randomUUID();
  const ended: EndedSession = { id, stateId, state, ...('result' in end && { result: end.result }) };
  const content: CallbackContent | undefined =
    callbackUrl === undefined ? undefined : { url: callbackUrl, body: renderCallback(ended, now) };
  const encrypted = content && (await vault.encryptDocument(content, contexts.delivery(deliveryId)));
  const encryptedEnd =
    'result' in end
      ? { ...end, result: await vault.encryptDocument(end.result, contexts.sessionResult(id)) }
      : end;
  const isFirst = await database.transaction(async (queries) => {
    if (!(await endSessionRow(queries, { id, now }, encryptedEnd))) return false;
    await audit.record({ action: auditActions[end.act], subject: id, details: { verifier } }, queries);
    if (encrypted)
      await addDelivery(queries, { id: deliveryId, sessionId: id, keyId, content: encrypted, now });
    return true;
  });
  if (isFirst) sessionEvents.changed(id);
  return isFirst;
}

/**
 * The state of a session, by which it is ended, is told to whoever reads the request. So who ends one that was read is a
 * wallet, unless the key that asked says otherwise; who ends one that nobody has read is not known without that key.
 */
export function aborterOf({ keyId, state }: VerificationSession, caller: Caller): SessionAborter | null {
  if (caller.keyId === keyId) return 'verifier';
  return state === verificationMove('fetch').to ? 'wallet' : null;
}

/** Ends what nobody answered in time. */
export async function expireSessions(parts: SessionParts): Promise<void> {
  const lapsed = await listLapsedSessions(parts.database.kysely, parts.clock.nowMs());
  for (const session of lapsed) await endSession(parts, session, { act: 'expire' });
}
