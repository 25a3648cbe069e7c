/**
 * Answers of the facilitator, which say the same thing in both tongues at once: `object` for clients of the family, the
 * members beside it for canonical ones; and the renderers that turn what the inside knows into them.
 */
import { given } from '@symbolon/core/basics/plain-values';
import type { Fault, FaultName } from '@symbolon/core/faults/faults';
import {
  type PaymentRefusal,
  type PaymentRefusalWord,
  refusePayment,
} from '@symbolon/core/faults/payment-refusals';
import { type PaidTerms, paymentScheme } from '@symbolon/core/payments/payment-terms';
import * as z from 'zod';
import {
  familyCodeOf,
  faultFacts,
  type RefusalFacts,
  refusalFacts,
  refusalInWords,
} from '../http/family-words.ts';
import type { ServiceEnvelope } from '../http/service-envelopes.ts';
import type { TextReply } from '../http/service-route.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../json/json.ts';

export const verifyReply = z.object({
  isValid: z.boolean(),
  errorCode: z.int().optional(),
  errorMsg: z.string().optional(),
  payer: z.string().optional(),
});
export type VerifyReply = z.input<typeof verifyReply>;

export const settleReply = z.object({
  /** What each one says: `docs/payments.md`. The family knows SUBMITTED; nothing is told before the ledger has it. */
  status: z.enum(['PREPARED', 'QUEUED', 'PENDING', 'SUBMITTED', 'CONFIRMED', 'FAILED', 'REFUSED']),
  txHash: z.string().optional(),
  blobId: z.string().optional(),
  errorCode: z.int().optional(),
  errorMsg: z.string().optional(),
  network: z.string().optional(),
  payer: z.string().optional(),
  amount: z.string().optional(),
});
export type SettleReply = z.input<typeof settleReply>;

const supportedExtra = z.looseObject({
  gasModel: z.string().optional(),
  paymasterAddress: z.string().optional(),
});

export const supportedReply = z.object({
  kinds: z.array(
    z.object({ x402Version: z.int(), scheme: z.string(), network: z.string(), extra: supportedExtra }),
  ),
  extensions: z.array(z.string()),
  signers: z.record(z.string(), z.array(z.string())),
});

export const preparedReply = z.object({
  blob: z.string(),
  hash: z.string(),
  blobId: z.string(),
  /** The account that pays the fee of this one. */
  paymasterAddress: z.string(),
  validBefore: z.int(),
});
export type PreparedReply = z.input<typeof preparedReply>;

/** An object with members that stand beside it in the answer. */
const withMembers = (
  object: JsonValue | undefined,
  beside: Readonly<Record<string, JsonValue | undefined>>,
) => (isJsonObject(object) ? { ...object, ...(given(beside) as JsonObject) } : undefined);

/** `word: what exactly`; programs read the word. */
const reasonOf = (message: string): string => /^([a-z_]{3,40})(: |$)/.exec(message)?.[1] ?? 'invalid_payload';

const framed = (object: JsonObject, isGood: boolean, status = 200): JsonObject => ({
  object,
  messages: isGood
    ? []
    : [{ type: 'ERROR', errorCode: object.errorCode ?? status, message: object.errorMsg ?? 'refused' }],
  success: isGood,
  httpStatus: status,
});

function verifyBody({ payer, ...object }: VerifyReply): JsonObject {
  const { isValid, errorMsg } = object;
  return {
    ...framed(given(object), isValid),
    isValid,
    ...given({
      payer,
      ...(errorMsg !== undefined && { invalidReason: reasonOf(errorMsg), invalidMessage: errorMsg }),
    }),
  };
}

/** Canonical clients take `success` for settled; the family's look at `status` and the status line. */
function settleBody({ payer, network, amount, ...object }: SettleReply, status = 200): JsonObject {
  const isSettled = object.status === 'SUBMITTED' || object.status === 'CONFIRMED';
  const { errorMsg, txHash = '' } = object;
  const pending: JsonObject = isSettled ? {} : { errorReason: 'settlement_pending' };
  const error: JsonObject =
    errorMsg === undefined ? pending : { errorReason: reasonOf(errorMsg), errorMessage: errorMsg };
  return {
    ...framed(given(object), errorMsg === undefined, status),
    success: isSettled && errorMsg === undefined,
    transaction: txHash,
    network: network ?? '',
    ...given({ payer, amount, ...error }),
  };
}

/** Faults that say what is wrong with a payment and have one word for it. */
const paymentFaults: Readonly<Partial<Record<FaultName, PaymentRefusalWord>>> = {
  requestMalformed: 'payloadDecodeFailed',
  sponsorRefused: 'sponsorRefused',
};

/** What a fault says against the payment; undefined where the payment was not judged. */
function refusalOf(fault: Fault): RefusalFacts | undefined {
  const word = paymentFaults[fault.code];
  return word ? refusalFacts(refusePayment(word, fault.message)) : faultFacts(fault);
}

const errorsOf = (fault: Fault): RefusalFacts =>
  refusalOf(fault) ?? { errorCode: familyCodeOf(fault), errorMsg: fault.message };

const [text, truth] = [{ type: 'string' }, { type: 'boolean' }];
const message = { type: 'object', properties: { type: text, errorCode: { type: 'integer' }, message: text } };

/** What all answers of the facilitator have in common; canonical clients read members `beside` these. */
function describeFramed(reply: JsonObject, { refused = {}, beside = {} }: Record<string, JsonObject> = {}) {
  const frame = {
    object: reply,
    messages: { type: 'array', items: message },
    success: truth,
    httpStatus: { type: 'integer' },
  };
  const required = Object.keys(frame);
  const object = {
    type: 'object',
    properties: { errorCode: { type: 'integer' }, errorMsg: { type: 'string' }, ...refused },
    required: ['errorCode', 'errorMsg'],
  };
  const failure = {
    type: 'object',
    properties: { ...frame, ...beside, object, success: { const: false }, code: text },
    required: [...required, 'code'],
  };
  return { success: { type: 'object', properties: { ...frame, ...beside }, required }, failure };
}

/** What was not judged is no verdict: clients throw at its status. */
const unjudged = (fault: Fault): JsonObject => ({
  ...framed({ ...errorsOf(fault) }, false, fault.status),
  code: fault.code,
});

/** What is wrong with a payment is an answer, not a failure; what is wrong with caller or service has its status. */
export const verifyEnvelope: ServiceEnvelope = {
  success: (reply) => verifyBody(reply as unknown as VerifyReply),
  failure: (fault) => {
    const refusal = fault.status < 500 ? refusalOf(fault) : undefined;
    return refusal
      ? { status: 200, body: { ...verifyBody({ isValid: false, ...refusal }), code: fault.code } }
      : { status: fault.status, body: unjudged(fault) };
  },
  holder: 'object',
  refusalName: 'VerifyRefusal',
  open: ({ object, payer }) => withMembers(object, { payer }),
  describe: (reply) =>
    describeFramed(reply, {
      beside: { isValid: truth, payer: text, invalidReason: text, invalidMessage: text },
    }),
};

/** `ledgerUnreachable` as canonical clients spell reasons. */
const canonicalReason = (code: FaultName): string =>
  code.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Clients take 200 for an outcome, 202 for one to come and 409 for a payment that is settled already; they throw at
 * anything else, as they should where there is no outcome.
 */
export const settleEnvelope: ServiceEnvelope = {
  success: (reply) => settleBody(reply as unknown as SettleReply),
  failure: (fault) => {
    const { status, code, message } = fault;
    const refusal = refusalOf(fault);
    if (refusal) {
      const facts = (fault.facts ?? {}) as Partial<SettleReply>;
      return { status, body: { ...settleBody({ status: 'REFUSED', ...facts, ...refusal }, status), code } };
    }
    const canonical = { errorReason: canonicalReason(code), errorMessage: message };
    return { status, body: { ...unjudged(fault), transaction: '', network: '', ...canonical } };
  },
  holder: 'object',
  refusalName: 'SettlementRefusal',
  open: ({ object, payer, amount, network }) =>
    withMembers(object, { payer, amount, network: network === '' ? undefined : network }),
  // A payment that was judged has a state also where it is refused, and a transaction where one was handed in.
  describe: (reply) =>
    describeFramed(reply, {
      refused: { status: { type: 'string', enum: ['REFUSED', 'CONFIRMED'] }, txHash: text },
      beside: {
        transaction: text,
        network: text,
        payer: text,
        amount: text,
        errorReason: text,
        errorMessage: text,
      },
    }),
};

/** The state of a settlement is no verdict: `success` says that there is one. */
export const settlementEnvelope: ServiceEnvelope = {
  success: (reply) => framed(reply, true),
  failure: (fault) => ({ status: fault.status, body: unjudged(fault) }),
  holder: 'object',
  refusalName: 'PaymentRefusal',
  open: ({ object }) => object,
  describe: (reply) => describeFramed(reply),
};

/** The same members in `object` and beside it. */
export const openEnvelope: ServiceEnvelope = {
  ...settlementEnvelope,
  success: (reply) => ({ ...framed(reply, true), ...reply }),
  describe: (reply) => ({
    ...describeFramed(reply, { beside: reply.properties as JsonObject }),
    failure: describeFramed(reply).failure,
  }),
};

// What the inside knows, in these words

export type PaymentVerdict =
  | { readonly paid: Pick<PaidTerms, 'payer'> }
  | { readonly refusal: PaymentRefusal };

export const renderVerified = (verdict: PaymentVerdict): VerifyReply =>
  'refusal' in verdict
    ? { isValid: false, ...refusalFacts(verdict.refusal) }
    : { isValid: true, payer: verdict.paid.payer };

/** What has become of a settlement; `unknown` may be on the ledger or not, `failure` is as `refusalText` wrote it. */
export type SettlementOutcome =
  | { readonly kind: 'executed' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly failure: string };

/** With what is known of the payment. Unknown is status 202 and the id to ask with. */
export function renderSettled(
  { hash, network, payer, amount }: Pick<PaidTerms, 'hash' | 'network'> & Partial<PaidTerms>,
  outcome: SettlementOutcome,
): SettleReply | TextReply {
  const facts = {
    txHash: hash,
    network,
    ...given({ payer, amount: amount?.toString() }),
  };
  // It is on the ledger: nothing is left to be confirmed.
  if (outcome.kind === 'executed') return { ...facts, status: 'CONFIRMED' };
  if (outcome.kind === 'failed') return { ...facts, status: 'FAILED', ...refusalInWords(outcome.failure) };
  const text = stringifyJson(settleBody({ ...facts, status: 'QUEUED', blobId: hash }, 202));
  return { status: 202, contentType: 'application/json; charset=utf-8', text };
}

const settlementWords = {
  prepared: 'PREPARED',
  unknown: 'PENDING',
  executed: 'CONFIRMED',
  failed: 'FAILED',
} as const;

/** Of what was handed in, or prepared to be. */
export type SettlementStage = SettlementOutcome | { readonly kind: 'prepared' };

export const renderSettlement = (txHash: string, stage: SettlementStage): SettleReply => ({
  status: settlementWords[stage.kind],
  txHash,
  ...(stage.kind === 'failed' && refusalInWords(stage.failure)),
});

/**
 * Payments whose fee the payer pays and, where there is a sponsor that can, those whose fee it pays: the account that is
 * funded, and those that send payments.
 */
export function renderSupported(
  network: string,
  sponsor?: { readonly address: string; readonly accounts: readonly string[]; readonly canPay: boolean },
): z.input<typeof supportedReply> {
  const kind = (extra: Record<string, string>) => ({ x402Version: 2, scheme: paymentScheme, network, extra });
  const own = kind({ gasModel: 'client' });
  if (sponsor === undefined) return { kinds: [own], extensions: [], signers: {} };
  const sponsored = kind({ gasModel: 'facilitator', paymasterAddress: sponsor.address });
  // Its accounts are named also without money: whoever is to fund them looks here.
  const signers = { [network]: [sponsor.address, ...sponsor.accounts] };
  return { kinds: sponsor.canPay ? [own, sponsored] : [own], extensions: [], signers };
}

/** With the account that pays the fee of this one. */
export const renderPrepared = (
  prepared: Omit<PreparedReply, 'paymasterAddress'>,
  paymasterAddress: string,
): PreparedReply => ({ ...prepared, paymasterAddress });
