/**
 * A wallet of the field: gets credentials by OpenID4VCI and shows them by OpenID4VP. It keeps nothing itself. What it answers is plain data, which its
 * owner keeps sealed, for tokens and keys are among it; and nothing is handed out that does not verify.
 */

import type { Fields } from '@symbolon/core/basics/plain-values';
import type { ProofEngine } from '@symbolon/core/proofs/proof-engine';
import { makeSecretKey, type SecretSigningJwk } from '@symbolon/formats/jose/web-signatures';
import { assertMembers, type MembersOf } from '../arguments/exact-arguments.ts';
import { SdkError } from '../errors/errors.ts';
import { createProofEngine } from '../proofs/engine-choice.ts';
import type { HttpTransportOptions } from '../transport/http-exchange.ts';
import { type FieldOffer, readFieldOffer, type WantedTxCode } from './credential-offers.ts';
import {
  fetchIssuerDocuments,
  type IssuerDocuments,
  type IssuerEndpoints,
  type OfferedCredential,
} from './issuer-documents.ts';
import { type KeptFieldStatus, statusOfKept } from './kept-status.ts';
import {
  type OpenedPresentationRequest,
  type RequestReading,
  readPresentationRequest,
} from './presentation-requests.ts';
import {
  declineAsked,
  type MatchedRequest,
  matchKept,
  type PresentableCredential,
  type PresentationChoice,
  type PresentationOutcome,
  showChosen,
} from './presenting.ts';
import { fieldComplaints, type HeldFieldCredential } from './receiving.ts';
import {
  type IssuanceCall,
  type IssuanceEvent,
  type IssuanceGrant,
  type Issued,
  notifyIssuer,
  redeemOfferCode,
  requestCredentials,
  requestDeferred,
} from './redeeming.ts';
import type { CheckVerifierChain } from './verifier-identity.ts';
import { createWalletFacts } from './wallet-facts.ts';
import { createWalletWeb } from './wallet-web.ts';

/** How a wallet reaches issuers, and what it works with. */
export interface OpenidWalletOptions extends Omit<HttpTransportOptions, 'responseBytesMax'> {
  /** The platform's usual one unless told. */
  readonly engine?: () => Promise<ProofEngine>;
  /** Milliseconds since 1970; the clock of the machine unless told. */
  readonly now?: () => number;
  /** Whose certificates count for verifiers; without it no request that is signed by one is opened. */
  readonly checkCertificates?: CheckVerifierChain;
  /** Types of transactions that are understood here; `any` for whoever shows all of each to the holder. None unless told. */
  readonly transactionTypes?: readonly string[] | 'any';
}

/** An offer that was read, and nothing of it taken. */
export interface OpenedOffer extends Omit<IssuerDocuments, 'places'> {
  /** The issuer's address: the one name of it that was verified. */
  readonly issuer: string;
  readonly txCode?: WantedTxCode;
  readonly offer: FieldOffer;
  readonly places: IssuerEndpoints;
}

/** How an offer is taken. */
export interface TakingOrder {
  /** Which of what is offered; the first, if left out. */
  readonly configurationId?: string;
  /** The code that the issuer told on another way. */
  readonly txCode?: string;
  /** Credentials of the same content, each with a key of its own: one shown twice is known again. One, if left out. */
  readonly copies?: number;
}

/** What an issuer has still to decide; whoever has this gets the credentials. */
export interface LaterCredentials {
  readonly places: IssuerEndpoints;
  readonly grant: IssuanceGrant;
  readonly chosen: OfferedCredential;
  readonly keys: readonly SecretSigningJwk[];
  readonly transactionId: string;
}

/** What came of an offer: credentials that verify, or what to ask with later. */
export type TakenOffer =
  | {
      readonly state: 'issued';
      readonly credentials: readonly HeldFieldCredential[];
      /** To be told once they are kept. */
      readonly tell: (event: IssuanceEvent) => Promise<boolean>;
    }
  | { readonly state: 'later'; readonly later: LaterCredentials };

/** Meets issuers and verifiers of the field for a holder. */
export interface OpenidWallet {
  /** Reads an offer. Throws `invalidArgument`, `unexpectedReply`, `openidRefused`, or how the connection failed. */
  readonly openOffer: (link: string) => Promise<OpenedOffer>;
  /** Takes it. Throws `notAsOrdered` where the issuer hands over what is not what was offered. */
  readonly takeOffer: (opened: OpenedOffer, order?: TakingOrder) => Promise<TakenOffer>;
  /** Asks whether the issuer has decided. */
  readonly collectLater: (later: LaterCredentials) => Promise<TakenOffer>;
  /** What the list of its issuer says of a kept credential now. */
  readonly statusOf: (credential: HeldFieldCredential) => Promise<KeptFieldStatus>;
  /**
   * Reads and verifies a request. Throws `invalidArgument`, `unexpectedReply`, `openidRefused`, or how the connection
   * failed; nothing of the holder is known to anybody then.
   */
  readonly openPresentationRequest: (link: string) => Promise<OpenedPresentationRequest>;
  /** Which of these credentials answer a request, and exactly what each would show. */
  readonly matchCredentials: (
    request: OpenedPresentationRequest,
    kept: readonly PresentableCredential[],
  ) => Promise<MatchedRequest>;
  /** Shows what was chosen, and nothing else. Redirects are told and not followed. */
  readonly answerRequest: (
    request: OpenedPresentationRequest,
    choice: PresentationChoice,
  ) => Promise<PresentationOutcome>;
  /** Tells the verifier that nothing is shown. */
  readonly declineRequest: (request: OpenedPresentationRequest) => Promise<void>;
}

const optionMembers: MembersOf<OpenidWalletOptions> = {
  ...{ timeoutMs: true, fetch: true, allowPlainHttp: true, engine: true, now: true },
  ...{ checkCertificates: true, transactionTypes: true },
};

/** Makes a wallet of the field. */
export function createOpenidWallet(options: OpenidWalletOptions = {}): OpenidWallet {
  assertMembers(options, optionMembers, 'the options');
  const { engine = lazily(createProofEngine), now = Date.now, ...others } = options;
  const { checkCertificates, transactionTypes = [], ...http } = others;
  const web = createWalletWeb(http);
  const facts = createWalletFacts({ web, now, engine });
  const reading: RequestReading = {
    ...{ web, facts, checkCertificates, transactionTypes },
    allowPlainHttp: http.allowPlainHttp === true,
  };

  const conclude = async (
    issued: Issued,
    asked: Omit<LaterCredentials, 'transactionId'>,
  ): Promise<TakenOffer> => {
    if ('transactionId' in issued)
      return { state: 'later', later: { ...asked, transactionId: issued.transactionId } };
    const call: IssuanceCall = { web, places: asked.places, now };
    const { notificationId: id } = issued;
    const tell = async (event: IssuanceEvent): Promise<boolean> =>
      id !== undefined && notifyIssuer(call, asked.grant, { id, event });
    const complaints = await complaintsOf(issued.credentials, asked, facts);
    if (complaints.length > 0) {
      await tell('credential_failure');
      throw notAsOffered(complaints);
    }
    const { keys, chosen } = asked;
    const credentials = issued.credentials.map((document, place) => ({
      format: chosen.format,
      document: document as string | Fields,
      key: keys[place] as SecretSigningJwk,
    }));
    return { state: 'issued', credentials, tell };
  };

  return {
    async openOffer(link) {
      const offer = await readFieldOffer(link, web);
      const documents = await fetchIssuerDocuments(offer, web);
      return { ...documents, issuer: offer.issuer, offer, ...(offer.txCode && { txCode: offer.txCode }) };
    },
    async takeOffer(opened, order = {}) {
      assertMembers(order, { configurationId: true, txCode: true, copies: true }, 'the order');
      const { places, offer } = opened;
      const chosen = chosenOf(opened, order);
      const { copies = 1, txCode } = order;
      const keys = await Promise.all(Array.from({ length: copies }, makeSecretKey));
      const call: IssuanceCall = { web, places, now };
      const bound = places.hasDpop ? await makeSecretKey() : undefined;
      const code = { code: offer.code, ...(txCode !== undefined && { txCode }) };
      const grant = await redeemOfferCode(call, code, bound);
      const { configurationId, keyNaming: naming } = chosen;
      const issued = await requestCredentials(call, grant, { keys, naming, configurationId });
      return conclude(issued, { places, grant, chosen, keys });
    },
    async collectLater(later) {
      const { places, grant, transactionId } = later;
      return conclude(await requestDeferred({ web, places, now }, grant, transactionId), later);
    },
    statusOf: (credential) => statusOfKept(credential, facts),
    openPresentationRequest: (link) => readPresentationRequest(link, reading),
    matchCredentials: (request, kept) => matchKept(request, kept, { facts }),
    answerRequest: (request, choice) => showChosen(request, choice, { web, facts }),
    declineRequest: (request) => declineAsked(request, { web }),
  };
}

function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Before anything is sent. */
function chosenOf({ offered, places, txCode: wanted }: OpenedOffer, order: TakingOrder): OfferedCredential {
  const { configurationId, copies = 1, txCode } = order;
  const hint = 'Nothing was sent. Look at what openOffer has read.';
  const refuse = (message: string) => new SdkError('invalidArgument', message, { hint });
  const chosen =
    configurationId === undefined
      ? offered[0]
      : offered.find((one) => one.configurationId === configurationId);
  if (!chosen) throw refuse('this is not offered');
  if (!Number.isSafeInteger(copies) || copies < 1 || copies > places.batchMax)
    throw refuse(`the issuer gives 1 to ${places.batchMax} copies`);
  if ((txCode === undefined) !== (wanted === undefined))
    throw refuse(
      wanted ? 'the offer needs a code that the issuer tells on another way' : 'the offer needs no code',
    );
  return chosen;
}

async function complaintsOf(
  credentials: readonly unknown[],
  { places, chosen, keys }: Omit<LaterCredentials, 'transactionId'>,
  facts: ReturnType<typeof createWalletFacts>,
): Promise<readonly string[]> {
  if (credentials.length > keys.length) return ['there are more credentials than keys'];
  const found = await Promise.all(
    credentials.map((credential, place) =>
      fieldComplaints(
        credential,
        { issuer: places.issuer, offered: chosen, key: keys[place] as SecretSigningJwk },
        facts,
      ),
    ),
  );
  return found.flat();
}

const notAsOffered = (complaints: readonly string[]): SdkError =>
  new SdkError(
    'notAsOrdered',
    `the issuer handed over what may not be kept: ${[...new Set(complaints)].join('; ')}`,
    {
      hint: 'Nothing is kept, and the issuer was told. Ask it for another one.',
    },
  );
