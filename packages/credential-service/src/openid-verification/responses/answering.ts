/**
 * A wallet's answer to a request of OpenID4VP: opened, held against state and query, and each presentation judged. What is
 * no answer to this request leaves the session open, a few times; what is one decides it, once, and the same answer again
 * is told the same.
 */
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { equalTexts } from '@symbolon/core/basics/bytes';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import { sessionLimits } from '@symbolon/core/limits/waiting';
import { parseSignedObject } from '@symbolon/formats/jose/strict-json';
import { type PresentationQuery, parsePresentationQuery } from '@symbolon/formats/oid4vp/presentation-query';
import { readPresentedElements } from '@symbolon/formats/oid4vp/query-matching';
import { openResponse, type ResponseKey } from '@symbolon/formats/oid4vp/response-encryption';
import { sha256Hex } from '@symbolon/host/work/sha256';
import type { Caller } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { WalletResponse } from '@symbolon/wire/openid/verification-requests';
import { type SessionResult, signedResultText } from '@symbolon/wire/sessions/replies';
import { isOpenidSession } from '@symbolon/wire/sessions/session-ids';
import { decideSession } from '../../sessions/deciding.ts';
import { countWrongAnswer, findSession, type VerificationSession } from '../../sessions/session-rows.ts';
import { sessionResult } from '../../sessions/session-stream.ts';
import {
  endSession,
  type OpenidTerms,
  refuseLate,
  requireSession,
  type SessionRequest,
  sessionRequestOf,
} from '../../sessions/sessions.ts';
import type { AskedElement, JudgedPresentation, Occasion } from '../judging/judged.ts';
import { judgeLdp } from '../judging/ldp-judging.ts';
import { judgeRanges } from '../judging/range-judging.ts';
import { judgeSdJwt } from '../judging/sd-jwt-judging.ts';
import type { OpenidVerifyingParts } from '../parts/verification-parts.ts';

/** What stays open is told in these words. */
const unbound = (detail: string): Fault => new Fault('responseUnbound', { detail });

interface Arrived {
  readonly sessionId: string;
  readonly response: WalletResponse;
}

/** Where the wallet sends the browser of its holder, if anywhere. */
export async function takeOpenidAnswer(
  parts: OpenidVerifyingParts,
  { sessionId, response }: Arrived,
  caller: Caller,
): Promise<{ redirect_uri?: string }> {
  const { kysely } = parts.database;
  const session = isOpenidSession(sessionId) ? await findSession(kysely, sessionId) : undefined;
  if (!session) throw new Fault('sessionUnknown');
  if (session.wrongAnswers >= sessionLimits.wrongAnswersMax)
    throw new Fault('sessionClosed', {
      detail: 'There were too many answers that were none to this request',
    });
  const request = await sessionRequestOf(parts, session);
  const { openid: terms } = request;
  if (!terms) throw new Fault('sessionUnknown');
  try {
    const opened = await openAnswer(terms, response);
    const result =
      'refusal' in opened
        ? await abort(parts, session)
        : await decide(parts, { session, request, terms, token: opened.token }, caller);
    if (result && !result.verified) throw new Fault('responseRefused', { detail: result.errors[0] });
    return browserTarget(terms);
  } catch (error) {
    if (error instanceof Fault && error.code === 'responseUnbound') await countWrongAnswer(kysely, sessionId);
    throw error;
  }
}

const browserTarget = ({ redirect }: OpenidTerms) =>
  redirect ? { redirect_uri: `${redirect.uri}#response_code=${redirect.code}` } : {};

type OpenedAnswer = { readonly token: Fields } | { readonly refusal: true };

/** Throws `responseUnbound` for everything that is no answer to this request. */
async function openAnswer(terms: OpenidTerms, response: WalletResponse): Promise<OpenedAnswer> {
  const parameters = await parametersOf(terms, response);
  const { state, vp_token: token, error } = parameters;
  if (typeof state !== 'string' || !equalTexts(state, terms.state))
    throw unbound('The state is not that of the request');
  if (error !== undefined) return { refusal: true };
  const members = asObject(token);
  if (!members) throw unbound('The vp_token is no object');
  return { token: members };
}

async function parametersOf(terms: OpenidTerms, response: WalletResponse): Promise<Fields> {
  if ('refusal' in response) return { error: response.refusal, state: response.state };
  if ('encrypted' in response) {
    if (!terms.encryption) throw unbound('No encrypted answer was asked for');
    const opened = await openResponse(response.encrypted, terms.encryption as ResponseKey);
    if (isComplaint(opened)) throw unbound(opened.complaint);
    return opened as Fields;
  }
  if (terms.encryption) throw unbound('The answer has to be encrypted');
  const token = parseSignedObject(response.token);
  if (!token) throw unbound('The vp_token is no plain JSON object');
  return { vp_token: token, state: response.state };
}

/** Its holder will not answer. */
async function abort(parts: OpenidVerifyingParts, session: VerificationSession): Promise<undefined> {
  if (session.state === 'ABORTED') return undefined;
  const open = await requireSession(parts, session.id, 'abort');
  if (!(await endSession(parts, open, { act: 'abort', by: 'wallet' })))
    await refuseLate(parts, session.id, { act: 'abort', detail: 'A submission is being decided' });
  return undefined;
}

interface Answer {
  readonly session: VerificationSession;
  readonly request: SessionRequest;
  readonly terms: OpenidTerms;
  readonly token: Fields;
}

async function decide(
  parts: OpenidVerifyingParts,
  { session, request, terms, token }: Answer,
  caller: Caller,
): Promise<SessionResult> {
  const answerHash = sha256Hex(canonicalJson(token));
  if (session.result) {
    const told = await sessionResult(parts, session);
    if (told.answerHash === answerHash) return told;
  }
  const open = await requireSession(parts, session.id, 'accept');
  const query = parsePresentationQuery(request.requirements, '');
  const elements = readPresentedElements(token, query);
  if (isComplaint(elements)) throw unbound(elements.complaint);
  const { result } = await decideSession(parts, open, async () => {
    const occasion = occasionOf(session, { request, terms, caller });
    const judged = await judgeAll(parts, elements as readonly AskedElement[], occasion);
    if (!judged.every(({ isBound }) => isBound))
      throw unbound(judged.find(({ isBound }) => !isBound)?.errors[0] ?? 'It is for another occasion');
    const decided = conclude(elements as readonly AskedElement[], judged);
    return { ...decided, signedText: textOf(session, request, decided), answerHash };
  });
  return result;
}

function occasionOf(
  { nonce }: VerificationSession,
  { request, terms, caller }: { request: SessionRequest; terms: OpenidTerms; caller: Caller },
): Occasion {
  const foreign = terms.foreignIssuers.map(({ issuer }) => issuer);
  return { nonce, terms, named: { ...request.trust, foreign }, caller };
}

const judges: Readonly<
  Record<
    PresentationQuery['credentials'][number]['format'],
    (parts: OpenidVerifyingParts, asked: AskedElement, occasion: Occasion) => Promise<JudgedPresentation>
  >
> = { 'dc+sd-jwt': judgeSdJwt, ldp_vc: judgeLdp, 'symbolon-bbs-2026': judgeRanges };

/** One after the other: what the first is refused for, nobody computes for the others. */
async function judgeAll(
  parts: OpenidVerifyingParts,
  elements: readonly AskedElement[],
  occasion: Occasion,
): Promise<readonly JudgedPresentation[]> {
  const judged: JudgedPresentation[] = [];
  for (const asked of elements) {
    const one = await judges[asked.wanted.format](parts, asked, occasion);
    judged.push(one);
    if (one.errors.length > 0) break;
  }
  return judged;
}

type Decided = Omit<SessionResult, 'signedText'>;

function conclude(elements: readonly AskedElement[], judged: readonly JudgedPresentation[]): Decided {
  const fieldChecks = judged.map(({ checks }, place) => {
    const { id: queryId, format } = elements[place].wanted;
    return {
      queryId,
      format,
      checks: checks.map(({ name, title, passed, words }) => ({ name, title, passed, words })),
    };
  });
  const errors = judged.flatMap(({ errors: found }) => found);
  const verified = errors.length === 0 && judged.length === elements.length && judged.length > 0;
  if (!verified) return { verified, claims: {}, credentials: [], fieldCredentials: [], fieldChecks, errors };
  const claims = judged.flatMap(({ claims: own }, place) =>
    Object.entries(own).map(([key, value]) => [judged.length === 1 ? key : `${place}.${key}`, value]),
  );
  return {
    ...{ verified, errors, fieldChecks },
    claims: Object.fromEntries(claims) as JsonObject,
    credentials: judged.flatMap(({ ours }) => ours ?? []),
    fieldCredentials: judged.flatMap(({ field }) => field ?? []),
  };
}

const textOf = (
  { id }: VerificationSession,
  { requestHash }: SessionRequest,
  { verified, claims, credentials, fieldCredentials }: Decided,
): string =>
  signedResultText({
    ...{ id, requestHash, claims, credentials, fieldCredentials },
    state: verified ? 'VERIFIED' : 'FAILED',
  });
