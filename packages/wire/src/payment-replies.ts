/**
 * Answers about money as clients read them: the raw demand for payment in the family's form and, in a header, in the
 * canonical one; receipts in headers; and facilitator answers that say the same thing in both tongues at once
 * (`object` for the family, the members beside it for canonical clients).
 */
import { encodeBase64, encodeUtf8 } from '@symbolon/core/bytes';
import type { Fault } from '@symbolon/core/faults';
import { paymentLimits } from '@symbolon/core/payments/payment-limits';
import { paymentScheme } from '@symbolon/core/payments/payment-rules';
import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from './json.ts';
import { dataEnvelope, type ServiceEnvelope } from './service-envelopes.ts';
import type { TextReply } from './service-route.ts';

const jsonType = 'application/json; charset=utf-8';
const base64Json = (value: JsonObject): string => encodeBase64(encodeUtf8(stringifyJson(value)));

/** What is to be paid, and for what. */
export interface PaymentOffer {
  readonly paymentId: string;
  readonly templateId: string;
  readonly templateName: string;
  readonly issuerAddress: string;
  readonly network: string;
  readonly payTo: string;
  readonly asset: string;
  readonly amount: bigint;
  /** The address of the route. */
  readonly resource: string;
}

const problemText = 'Payment is required';

/** Status 402. Old clients look at the first element of `accepts` alone, so there is one. */
export function paymentRequiredReply(offer: PaymentOffer): TextReply {
  const { network, payTo, asset, resource } = offer;
  const amount = offer.amount.toString();
  const extra = {
    paymentId: offer.paymentId,
    templateCode: offer.templateId,
    issuerAddress: offer.issuerAddress,
    gasModel: 'client',
  };
  const description = `Credential: ${offer.templateName}`;
  const mimeType = 'application/json';
  const terms = {
    scheme: paymentScheme,
    network,
    payTo,
    asset,
    maxTimeoutSeconds: paymentLimits.offerSeconds,
    extra,
  };
  const family = {
    ...terms,
    maxAmountRequired: amount,
    amount,
    resource,
    description,
    mimeType,
    outputSchema: null,
  };
  const canonical = {
    x402Version: 2,
    error: problemText,
    resource: { url: resource, description, mimeType },
    accepts: [{ ...terms, amount }],
  };
  return {
    status: 402,
    contentType: jsonType,
    text: stringifyJson({ x402Version: 1, error: problemText, accepts: [family] }),
    headers: { 'payment-required': base64Json(canonical), 'cache-control': 'no-store' },
  };
}

export interface IssuedReply {
  readonly vcId: string;
  readonly paymentId: string;
  /** Nothing where nothing was to be paid. */
  readonly txHash: string | null;
  readonly credential: JsonObject;
  readonly network: string;
  readonly payer: string;
}

export function issuedReply({ credential, network, payer, ...ids }: IssuedReply): TextReply {
  const { txHash } = ids;
  const text = stringifyJson(dataEnvelope.success({ ...ids, verifiableCredential: credential }));
  const base = { contentType: jsonType, text };
  if (txHash === null) return base;
  const receipt = { success: true, transaction: txHash, network, payer };
  const headers = {
    'x-payment-response': base64Json({ ...receipt, txHash, networkId: network }),
    'payment-response': base64Json(receipt),
  };
  return { ...base, headers };
}

/** The family's own word for a holder's signature that does not fit. */
export const paymentEnvelope: ServiceEnvelope = {
  success: dataEnvelope.success,
  failure: (fault, requestId) => {
    const answer = dataEnvelope.failure(fault, requestId);
    if (fault.code !== 'signerMismatch') return answer;
    return { ...answer, body: { ...answer.body, message: `X402_SIGNATURE_INVALID: ${fault.message}` } };
  },
  open: dataEnvelope.open,
  describe: dataEnvelope.describe,
};

// The facilitator

export const verifyReply = z.object({
  isValid: z.boolean(),
  errorCode: z.int().optional(),
  errorMsg: z.string().optional(),
  payer: z.string().optional(),
});
export type VerifyReply = z.input<typeof verifyReply>;

export const settlementStates = ['QUEUED', 'PENDING', 'SUBMITTED', 'CONFIRMED', 'FAILED'] as const;
export type SettlementState = (typeof settlementStates)[number];

export const settleReply = z.object({
  status: z.enum(settlementStates),
  txHash: z.string().optional(),
  blobId: z.string().optional(),
  errorCode: z.int().optional(),
  errorMsg: z.string().optional(),
  network: z.string().optional(),
  payer: z.string().optional(),
  amount: z.string().optional(),
});
export type SettleReply = z.input<typeof settleReply>;

export const supportedReply = z.object({
  kinds: z.array(
    z.object({ x402Version: z.int(), scheme: z.string(), network: z.string(), extra: z.object({}).loose() }),
  ),
  extensions: z.array(z.string()),
  signers: z.record(z.string(), z.array(z.string())),
});

export const preparedReply = z.object({
  blob: z.string(),
  hash: z.string(),
  blobId: z.string(),
  paymasterAddress: z.string(),
  validBefore: z.int(),
});

/** Members that are not there are left out. */
const given = (members: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;

/** An object with members that stand beside it in the answer. */
const withMembers = (
  object: JsonValue | undefined,
  beside: Readonly<Record<string, JsonValue | undefined>>,
): JsonValue | undefined => (isJsonObject(object) ? { ...object, ...given(beside) } : undefined);

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
  const error = isSettled
    ? {}
    : {
        errorReason: errorMsg === undefined ? 'settlement_pending' : reasonOf(errorMsg),
        errorMessage: errorMsg,
      };
  return {
    ...framed(given(object), isSettled || object.status !== 'FAILED', status),
    success: isSettled,
    transaction: txHash,
    network: network ?? '',
    ...given({ payer, amount, ...error }),
  };
}

/** Handed in, and not yet known to be executed: status 202, and the id to ask with. */
export const queuedReply = (reply: SettleReply): TextReply => ({
  status: 202,
  contentType: jsonType,
  text: stringifyJson(settleBody(reply, 202)),
});

const errorsOf = (fault: Fault) => ({
  ...(fault.familyCode !== undefined && { errorCode: fault.familyCode }),
  errorMsg: fault.code === 'requestMalformed' ? `payload_decode_failed: ${fault.message}` : fault.message,
});

/** What all answers of the facilitator have in common; canonical clients read members beside these. */
function describeFramed(reply: JsonObject) {
  const frame = {
    object: reply,
    messages: { type: 'array' },
    success: { type: 'boolean' },
    httpStatus: { type: 'integer' },
  };
  const required = Object.keys(frame);
  const failure = { type: 'object', properties: { ...frame, code: { type: 'string' } }, required };
  return { success: { type: 'object', properties: frame, required }, failure };
}

/** What is wrong with a payment is an answer, not a failure; only what is wrong with the service has its status. */
export const verifyEnvelope: ServiceEnvelope = {
  success: (reply) => verifyBody(reply as unknown as VerifyReply),
  failure: (fault) => {
    const status = fault.status >= 500 || fault.status === 429 ? fault.status : 200;
    const body = verifyBody({ isValid: false, ...errorsOf(fault) });
    return { status, body: { ...body, httpStatus: status, code: fault.code } };
  },
  open: ({ object, payer }) => withMembers(object, { payer }),
  describe: describeFramed,
};

/** Clients know 200, 202 and 409, and throw at anything else. */
export const settleEnvelope: ServiceEnvelope = {
  success: (reply) => settleBody(reply as unknown as SettleReply),
  failure: (fault) => {
    const status = fault.status === 409 ? 409 : 200;
    const facts = (fault.facts ?? {}) as Partial<SettleReply>;
    const body = settleBody({ status: 'FAILED', ...facts, ...errorsOf(fault) }, status);
    return { status, body: { ...body, success: false, code: fault.code } };
  },
  open: ({ object, payer, amount, network }) =>
    withMembers(object, { payer, amount, network: network === '' ? undefined : network }),
  describe: describeFramed,
};

/** The state of a settlement is no verdict: `success` says that there is one. */
export const settlementEnvelope: ServiceEnvelope = {
  success: ({ payer: _payer, network: _network, amount: _amount, ...reply }) => ({
    object: reply,
    messages: [],
    success: true,
    httpStatus: 200,
  }),
  failure: (fault) => ({
    status: fault.status,
    body: { ...framed({ ...errorsOf(fault) }, false, fault.status), code: fault.code },
  }),
  open: ({ object }) => object,
  describe: describeFramed,
};

/** The same members in `object` and beside it. */
export const openEnvelope: ServiceEnvelope = {
  success: (reply) => ({ object: reply, messages: [], success: true, httpStatus: 200, ...reply }),
  failure: settlementEnvelope.failure,
  open: settlementEnvelope.open,
  describe: describeFramed,
};
