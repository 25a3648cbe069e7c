/**
 * Answers to requests by OpenID4VP: which kept credentials would do and what each would show, presentations made and sent,
 * or a request declined. What is sent was chosen; nothing is sent before whoever keeps the credentials has noted which.
 */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { parseObject } from '@symbolon/core/basics/plain-values';
import { oid4vpLimits } from '@symbolon/formats/limits/oid4vp-limits';
import { encryptMessage } from '@symbolon/formats/oid4vci/message-encryption';
import type { PresentationQuery, WantedCredential } from '@symbolon/formats/oid4vp/presentation-query';
import { partsToAnswer } from '@symbolon/formats/oid4vp/query-answering';
import { unansweredComplaint } from '@symbolon/formats/oid4vp/query-matching';
import type { AskedAgreement } from '@symbolon/formats/oid4vp/transaction-data';
import { assertMembers } from '../arguments/exact-arguments.ts';
import { SdkError } from '../errors/errors.ts';
import { fieldDisclosure, type HeldDisclosure } from './held-disclosures.ts';
import { textOrNothing, unreadable } from './openid-json.ts';
import { type HeldOwnCredential, ownDisclosure } from './own-disclosures.ts';
import type { OpenedPresentationRequest } from './presentation-requests.ts';
import type { HeldFieldCredential } from './receiving.ts';
import type { WalletFacts } from './wallet-facts.ts';
import type { WalletWeb, WebAnswer } from './wallet-web.ts';

/** A credential that can be shown: of the field, or one of our own. */
export type PresentableCredential = HeldFieldCredential | HeldOwnCredential;

/** What one credential would show for one part of a request. */
export interface CredentialOption extends Omit<HeldDisclosure, 'make'> {
  /** The part of the request. */
  readonly queryId: string;
  /** Its place among the credentials that were given. */
  readonly credential: number;
}

/** One part of a request, and what would answer it. */
export interface MatchedPart {
  readonly wanted: WantedCredential;
  readonly options: readonly CredentialOption[];
  /** Why nothing does, for the credentials that come nearest. */
  readonly problem?: string;
}

/** What of the kept credentials answers a request. */
export interface MatchedRequest {
  readonly parts: readonly MatchedPart[];
  /** Ids of the parts that together answer it, with no more than need be; undefined where that cannot be done. */
  readonly suggested?: readonly string[];
}

export interface ShowingParts {
  readonly web: WalletWeb;
  readonly facts: WalletFacts;
}

const disclosureOf = (
  credential: PresentableCredential,
  wanted: WantedCredential,
  { request, facts }: { readonly request: OpenedPresentationRequest; readonly facts: WalletFacts },
): HeldDisclosure | Complaint | Promise<HeldDisclosure | Complaint> =>
  credential.format === 'symbolon-bbs-2026'
    ? ownDisclosure(credential, wanted, facts.now())
    : fieldDisclosure(credential, { wanted, formats: request.formats }, facts);

const otherKindWords = 'it is of another type';

/** One after the other: each is canonicalised, and a wallet has few. */
export async function matchKept(
  request: OpenedPresentationRequest,
  kept: readonly PresentableCredential[],
  { facts }: Pick<ShowingParts, 'facts'>,
): Promise<MatchedRequest> {
  const parts: MatchedPart[] = [];
  for (const wanted of request.query.credentials) {
    const options: CredentialOption[] = [];
    const problems: string[] = [];
    for (const [credential, held] of kept.entries()) {
      const found = await disclosureOf(held, wanted, { request, facts });
      if (isComplaint(found)) {
        problems.push(found.complaint);
        continue;
      }
      const { make: _, ...told } = found;
      options.push({ queryId: wanted.id, credential, ...told });
    }
    const near = problems.find((words) => words !== otherKindWords) ?? 'there is none of this type';
    parts.push({ wanted, options, ...(options.length === 0 && { problem: near }) });
  }
  const answerable = parts.filter(({ options }) => options.length > 0).map(({ wanted }) => wanted.id);
  const suggested = partsToAnswer(request.query, new Set(answerable));
  return { parts, ...(suggested && { suggested }) };
}

/** A credential that is shown for a part of a request. */
export interface ChosenCredential {
  readonly queryId: string;
  readonly credential: PresentableCredential;
}

/** What a request is answered with. */
export interface PresentationChoice {
  readonly shown: readonly ChosenCredential[];
  /**
   * Called when all is made and nothing is sent: whoever keeps the credentials notes that these copies are used. If it
   * throws, nothing is sent.
   */
  readonly record?: () => void | Promise<void>;
}

/** What the verifier says of an answer. */
export type PresentationOutcome =
  | {
      readonly accepted: true;
      /** Where the verifier wants the browser of the holder; nobody has gone there. */
      readonly redirectUri?: string;
    }
  | { readonly accepted: false; readonly reason: string };

const wrongChoice = (why: string): SdkError =>
  new SdkError('invalidArgument', `the answer does not fit the request: ${why}`, {
    hint: 'Nothing was sent. Choose from what matchCredentials has found.',
  });

export async function showChosen(
  request: OpenedPresentationRequest,
  choice: PresentationChoice,
  { web, facts }: ShowingParts,
): Promise<PresentationOutcome> {
  assertMembers(choice, { shown: true, record: true }, 'the choice');
  const { expiresAt, query, agreements, terms, verifier } = request;
  if (expiresAt !== undefined && expiresAt <= facts.now())
    throw new SdkError('openidRefused', 'the time of the request is over', {
      hint: 'Nothing was sent. Ask the verifier for a new one.',
    });
  checkChoice(query, choice.shown);
  const agreed = agreedWith(agreements, choice.shown);
  const token: Record<string, unknown[]> = {};
  for (const { queryId, credential } of choice.shown) {
    const wanted = query.credentials.find(({ id }) => id === queryId) as WantedCredential;
    const found = await disclosureOf(credential, wanted, { request, facts });
    if (isComplaint(found)) throw wrongChoice(`of a credential for ${queryId}, ${found.complaint}`);
    const { nonce, clientId: audience } = terms;
    const transactionData = agreed.get(queryId) ?? [];
    token[queryId] = [...(token[queryId] ?? []), await found.make({ nonce, audience, transactionData })];
  }
  const body = await answerBody(request, token);
  await choice.record?.();
  return outcomeOf(await post(request, body, web), verifier.host);
}

function checkChoice(query: PresentationQuery, shown: readonly ChosenCredential[]): void {
  for (const wanted of query.credentials)
    if (!wanted.isMultiple && shown.filter(({ queryId }) => queryId === wanted.id).length > 1)
      throw wrongChoice(`${wanted.id} wants one credential`);
  if (shown.length > oid4vpLimits.presentationsMax) throw wrongChoice('it shows too many credentials');
  const ids = new Set(shown.map(({ queryId }) => queryId));
  if (![...ids].every((id) => query.credentials.some((one) => one.id === id)))
    throw wrongChoice('it names a part that is not asked for');
  const unanswered = unansweredComplaint(query, ids);
  if (unanswered) throw wrongChoice(unanswered.complaint);
}

/** Each by the first of the credentials that it names and that is shown. */
function agreedWith(
  agreements: readonly AskedAgreement[],
  shown: readonly ChosenCredential[],
): ReadonlyMap<string, readonly string[]> {
  const agreed = new Map<string, string[]>();
  for (const { queryIds, text } of agreements) {
    const by = queryIds.find((id) => shown.some(({ queryId }) => queryId === id));
    if (by === undefined) throw wrongChoice('the credential that agrees to the transaction is not shown');
    agreed.set(by, [...(agreed.get(by) ?? []), text]);
  }
  return agreed;
}

async function answerBody(
  { terms: { state, encryption } }: OpenedPresentationRequest,
  token: object,
): Promise<URLSearchParams> {
  const stated: Readonly<Record<string, string>> = state === undefined ? {} : { state };
  if (!encryption) return new URLSearchParams({ vp_token: JSON.stringify(token), ...stated });
  const sealed = await encryptMessage(JSON.stringify({ vp_token: token, ...stated }), encryption);
  if (sealed === undefined) throw unreadable('the request', 'has a key for answers that is none');
  return new URLSearchParams({ response: sealed });
}

function post(
  { terms }: OpenedPresentationRequest,
  body: URLSearchParams,
  web: WalletWeb,
): Promise<WebAnswer> {
  return web.call({
    ...{ method: 'POST', url: terms.responseUri, place: 'the answer', body: body.toString() },
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
  });
}

function outcomeOf({ status, text }: WebAnswer, host: string): PresentationOutcome {
  const reply = parseObject(text) ?? {};
  if (status >= 200 && status < 300) {
    const redirectUri = textOrNothing(reply.redirect_uri);
    const isAddress = redirectUri !== undefined && redirectUri.length <= oid4vpLimits.parameterCharsMax;
    return { accepted: true, ...(isAddress && URL.canParse(redirectUri) && { redirectUri }) };
  }
  if (status >= 500 || status === 429)
    throw new SdkError('httpStatus', `the verifier at ${host} did not take the answer (status ${status})`, {
      hint: 'It may have seen what was shown. Ask it for a new request.',
    });
  const { error, error_description: description } = reply;
  const word = typeof error === 'string' && /^[\w.-]{1,64}$/.test(error) ? error : `status ${status}`;
  return {
    accepted: false,
    reason: typeof description === 'string' ? description.slice(0, 300) : word,
  };
}

/** Tells the verifier that its holder shows nothing. Nothing about the holder is in it. */
export async function declineAsked(
  request: OpenedPresentationRequest,
  { web }: Pick<ShowingParts, 'web'>,
): Promise<void> {
  const { state } = request.terms;
  const body = new URLSearchParams({ error: 'access_denied', ...(state !== undefined && { state }) });
  const { status } = await post(request, body, web);
  if (status < 200 || status >= 300)
    throw new SdkError('openidRefused', `the verifier did not take the refusal (status ${status})`, {
      hint: 'Nothing was shown. The request may be over already.',
    });
}
