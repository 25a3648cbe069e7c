/**
 * A wallet's answer to a verification session: who sends it, whether it is for this session and nobody else's, the six
 * checks of every presentation, and whether it answers the query without showing more. One answer decides, and is told
 * the same when it comes again, because what was told first may have been lost; whatever kept it from being decided (a
 * ledger that does not answer) leaves the session as it was.
 */
import { encodeHex, encodeUtf8, equalBytes } from '@symbolon/core/basics/bytes';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import type { Presentation } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { tellChecks } from '@symbolon/core/presentation/check-words';
import type { DcqlQuery } from '@symbolon/core/presentation/dcql';
import { judgeAnswer, type QueryVerdict } from '@symbolon/core/presentation/dcql-matching';
import type { CheckFailure } from '@symbolon/core/presentation/presentation-facts';
import type { ParsedPresentation } from '@symbolon/core/presentation/presentation-parsing';
import type { Verdict } from '@symbolon/core/presentation/presentation-verdict';
import type { VerifierTrust } from '@symbolon/core/presentation/trust-rules';
import { sha256Hex } from '@symbolon/host/work/sha256';
import type { GivenSignature } from '@symbolon/wire/credentials/signed-headers';
import type { Caller } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import { parseDcql } from '@symbolon/wire/sessions/dcql-query';
import { type ResultCredential, type SessionResult, signedResultText } from '@symbolon/wire/sessions/replies';
import type { SessionAnswer } from '@symbolon/wire/sessions/requests';
import { isOpenidSession } from '@symbolon/wire/sessions/session-ids';
import {
  carriesNonce,
  type GivenToken,
  type PresentedToken,
  readVpToken,
} from '@symbolon/wire/sessions/vp-token';
import { requireWallet, signedMessage } from '../access/presence.ts';
import { givenKey, keyOfLedgerDid, verifyEd25519 } from '../access/signatures.ts';
import { judgePresentation } from '../presentations/presentation-judging.ts';
import { findSavedPresentation } from '../presentations/saved-presentation-rows.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { type DecidedSession, decideSession } from './deciding.ts';
import type { SessionParts } from './session-parts.ts';
import { findSession, type VerificationSession } from './session-rows.ts';
import { sessionResult } from './session-stream.ts';
import { requireSession, type SessionRequest } from './sessions.ts';

/** The caller pays for the proofs: who knows the id of a session must not spend the budget of who opened it. */
export async function answerSession(
  parts: SessionParts,
  { sessionId, given, holderBinding }: SessionAnswer,
  { wallet, caller }: { readonly wallet: GivenSignature; readonly caller: Caller },
): Promise<DecidedSession> {
  const { profile } = parts;
  if (isOpenidSession(sessionId)) throw new Fault('sessionUnknown');
  const walletKey = requireWallet(parts, wallet, { purpose: 'session-answer', subject: sessionId });
  const told = await toldBefore(parts, { sessionId, given }, walletKey);
  if (told) return told;
  const session = await requireSession(parts, sessionId, 'accept');
  const { signedBytes, derivedNonces, ...token } = await presentedToken(parts, given);
  const parsed = parts.format.parsePresentation(token.presentation, profile, signedBytes);
  if (!equalBytes(keyOfLedgerDid(parsed.presentation.holder, parts.keys), walletKey))
    throw new Fault('walletNotAuthenticated', {
      reason: 'walletNotHolder',
      detail: 'The wallet is not the holder of the presentation',
    });
  return decideSession(parts, session, async (request) => {
    const query = parseDcql(request.requirements, '/requirements');
    const answer = { session, request, query, parsed, derivedNonces, holderBinding };
    const decided = await verifyAnswer(parts, answer, caller);
    return { ...decided, answerHash: hashOfAnswer(walletKey, token.presentation) };
  });
}

/** What came of this answer, if it is the one that has decided. */
async function toldBefore(
  parts: SessionParts,
  { sessionId, given }: Pick<SessionAnswer, 'sessionId' | 'given'>,
  walletKey: Uint8Array,
): Promise<DecidedSession | undefined> {
  const session = await findSession(parts.database.kysely, sessionId);
  if (!session?.result) return undefined;
  const { presentation } = await presentedToken(parts, given);
  const result = await sessionResult(parts, session);
  return result.answerHash === hashOfAnswer(walletKey, presentation) ? { session, result } : undefined;
}

/** The same presentation, from the same wallet, is the same answer. */
const hashOfAnswer = (walletKey: Uint8Array, presentation: JsonObject): string =>
  sha256Hex(canonicalJson({ wallet: encodeHex(walletKey), presentation }));

async function presentedToken(
  { database, vault, clock }: Pick<SessionParts, 'database' | 'vault' | 'clock'>,
  given: GivenToken,
): Promise<PresentedToken> {
  if ('token' in given) return given.token;
  const { savedId } = given;
  const encrypted = await findSavedPresentation(database.kysely, savedId, clock.nowMs());
  if (!encrypted) throw new Fault('presentationUnknown');
  const saved = readVpToken(
    await vault.decryptDocument<JsonObject>(encrypted, contexts.savedPresentation(savedId)),
  );
  if (!('token' in saved)) throw new Fault('presentationUnknown');
  return saved.token;
}

interface Answer {
  readonly session: VerificationSession;
  readonly request: SessionRequest;
  /** What the request requires. */
  readonly query: DcqlQuery;
  readonly parsed: ParsedPresentation;
  readonly derivedNonces: PresentedToken['derivedNonces'];
  readonly holderBinding: GivenSignature | undefined;
}

async function verifyAnswer(parts: SessionParts, answer: Answer, caller: Caller): Promise<SessionResult> {
  const { session, query, parsed } = answer;
  const { requestHash } = answer.request;
  const { presentation } = parsed;
  const binding = bindingOf(parts, answer);
  const matched = judgeAnswer(query, presentation.verifiableCredential);
  const expected = {
    challenge: binding.challenge,
    domain: domainOf(parts, presentation),
    asked: undefined,
    trust: trustOf(answer, matched),
  };
  const verdict = await judgePresentation(parts, parsed, expected, caller);
  const failures = [...binding.failures, ...matched.failures];
  // That a question is not answered is told by the check of what was asked for.
  const told = failures.map(({ check, detail }) => ({
    check: check === 'request' ? ('disclosure' as const) : check,
    detail,
  }));
  // The query and the rules of trust may have found the same.
  const errors = [
    ...new Set([...verdict.errors, ...failures.map(({ check, detail }) => `${check}: ${detail}`)]),
  ];
  const checks = tellChecks(verdict, { asked: 'contents', hasChallenge: true, failures: told });
  const verified = verdict.verified && errors.length === 0;
  if (!verified) {
    const signedText = signedResultText({ id: session.id, state: 'FAILED', requestHash });
    return { verified, claims: {}, credentials: [], errors, signedText, checks };
  }
  const claims = { ...(isHolderAsked(query) && { id: presentation.holder }), ...verdict.vcDetails };
  const credentials = credentialsOf(verdict, matched, presentation);
  const outcome = { id: session.id, state: 'VERIFIED', requestHash, claims, credentials } as const;
  const signedText = signedResultText(outcome);
  return { verified, claims, credentials, errors: [], signedText, checks };
}

/** Of each credential: the issuers that its part of the query names, else those of the whole session. */
function trustOf({ query, request, parsed }: Answer, { answers }: QueryVerdict): readonly VerifierTrust[] {
  const { issuers: known = [], templates } = request.trust ?? {};
  return parsed.presentation.verifiableCredential.map((_credential, position) => {
    const answer = answers.find(({ credential }) => credential === position);
    const part = query.credentials.find(({ id }) => id === answer?.queryId);
    const { issuers: everywhere } = query;
    const dids = part?.issuers?.filter((did) => everywhere?.includes(did) ?? true) ?? everywhere;
    const issuers = dids?.flatMap((did) => {
      const entries = known.filter((one) => one.did === did);
      return entries.length > 0 ? entries : [{ did }];
    });
    return { ...(issuers && { issuers }), ...(templates && { templates }) };
  });
}

const isHolderAsked = ({ credentials }: DcqlQuery): boolean =>
  credentials.some(({ claims }) => claims.some(({ key }) => key === 'id'));

/** What is told of each credential of a good presentation. */
export function credentialsOf(
  verdict: Verdict,
  { answers }: Pick<QueryVerdict, 'answers'>,
  presentation: Presentation,
): readonly ResultCredential[] {
  return answers.flatMap(({ queryId, credential }) => {
    const shown = verdict.credentials?.[credential];
    if (!shown) return [];
    const { id, issuer, holder, validUntil, template, revealed } = shown;
    const [, type] = presentation.verifiableCredential[credential].type;
    const frame = { id, type, templateId: template.id, issuer: issuer.id, holder, validUntil };
    return [{ queryId, ...frame, subject: revealed, presented: shown }];
  });
}

/**
 * Whether the presentation was made for this session: by the challenge in its proof, by the nonce in its derived proofs,
 * or by the holder's signature over the nonce. A challenge that is there must be the right one in any case.
 */
function bindingOf(
  parts: Pick<SessionParts, 'keys' | 'settings' | 'clock'>,
  { session: { id, nonce }, parsed: { presentation }, derivedNonces, holderBinding }: Answer,
): { readonly challenge: string | undefined; readonly failures: readonly CheckFailure[] } {
  const { keys } = parts;
  const holderKey = keyOfLedgerDid(presentation.holder, keys);
  const wanted = { purpose: 'holder-binding', subject: id, challenge: nonce } as const;
  const message = signedMessage(parts, holderBinding?.presence, { ...wanted, older: encodeUtf8(nonce) });
  const isBound =
    holderBinding !== undefined &&
    equalBytes(givenKey(holderBinding.publicKey, keys), holderKey) &&
    verifyEd25519(holderKey, message, holderBinding.signature);
  const isForNonce = carriesNonce({ derivedNonces }, nonce);
  const details = [
    ...(holderBinding && !isBound ? ["the holder binding is not the holder's signature over the nonce"] : []),
    ...(derivedNonces.some((one) => one !== undefined) && !isForNonce
      ? ['a derived proof is for another nonce']
      : []),
  ];
  const needsChallenge = presentation.proof.challenge !== undefined || !(isBound || isForNonce);
  return {
    challenge: needsChallenge ? nonce : undefined,
    failures: details.map((detail) => ({ check: 'challenge', detail })),
  };
}

/** A presentation need not name this service, but must not name another. */
function domainOf(
  { settings: { publicUrl } }: Pick<SessionParts, 'settings'>,
  { proof }: Presentation,
): string | undefined {
  if (proof.domain === undefined) return undefined;
  return proof.domain === new URL(publicUrl).host ? proof.domain : publicUrl;
}
