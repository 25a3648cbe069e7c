/**
 * Answers of paid issuance as clients read them: the raw demand for payment in the family's form and, in a header, in
 * the canonical one; receipts in headers; quotes and what became of a payment. The facilitator's are in
 * `facilitator-replies.ts`.
 */
import { encodeBase64, encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { paymentLimits } from '@symbolon/core/limits/payments';
import { paymentScheme } from '@symbolon/core/payments/payment-terms';
import * as z from 'zod';
import { priceReply } from '../credentials/replies.ts';
import { faultFacts } from '../http/family-words.ts';
import { dataEnvelope, type ServiceEnvelope } from '../http/service-envelopes.ts';
import type { TextReply } from '../http/service-route.ts';
import { type JsonObject, stringifyJson } from '../json/json.ts';

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
  const { offerSeconds: maxTimeoutSeconds } = paymentLimits;
  const terms = { scheme: paymentScheme, network, payTo, asset, maxTimeoutSeconds, extra };
  const page = { resource, description, mimeType, outputSchema: null };
  const family = { ...terms, maxAmountRequired: amount, amount, ...page };
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

/** The demand as a schema; the canonical form stands in a header. */
export const paymentDemand = z.object({
  x402Version: z.literal(1),
  error: z.string(),
  accepts: z.array(
    z.looseObject({
      scheme: z.string(),
      network: z.string(),
      payTo: z.string(),
      asset: z.string(),
      amount: z.string(),
      maxAmountRequired: z.string(),
      maxTimeoutSeconds: z.int(),
      resource: z.string(),
      description: z.string(),
      mimeType: z.string(),
      outputSchema: z.null(),
      extra: z.object({
        paymentId: z.string(),
        templateCode: z.string(),
        issuerAddress: z.string(),
        gasModel: z.string(),
      }),
    }),
  ),
});

const [demandHeader, receiptHeader, familyReceiptHeader] = [
  'payment-required',
  'payment-response',
  'x-payment-response',
] as const;

export const paymentReplyHeaders = {
  200: [
    { name: receiptHeader, description: 'Receipt in the canonical form of x402: base64 of JSON' },
    { name: familyReceiptHeader, description: 'The same receipt as older clients read it: base64 of JSON' },
  ],
  402: [{ name: demandHeader, description: 'The demand in the canonical form of x402: base64 of JSON' }],
} as const;

/** Demands and receipts in headers, which browsers may read. */
export const paymentHeaderNames = [demandHeader, receiptHeader, familyReceiptHeader] as const;

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

/** The family's own word for a holder's signature that does not fit, and the number of a refused payment. */
export const paymentEnvelope: ServiceEnvelope = {
  ...dataEnvelope,
  failure: (fault, requestId) => {
    const answer = dataEnvelope.failure(fault, requestId);
    const { body } = answer;
    if (fault.code === 'signerMismatch')
      return { ...answer, body: { ...body, message: `X402_SIGNATURE_INVALID: ${fault.message}` } };
    const facts = faultFacts(fault);
    return facts ? { ...answer, body: { ...body, data: { ...fault.facts, ...facts } } } : answer;
  },
};

export const quoteReply = z.object({
  paymentId: z.string(),
  price: priceReply,
  payTo: z.string(),
  network: z.string(),
  signPayload: z.string(),
  signBytesHex: z.string(),
  expiresAt: z.string(),
});
type QuoteReply = z.input<typeof quoteReply>;

/** With the text that the holder signs. */
export const renderQuote = (
  data: string,
  quote: Omit<QuoteReply, 'signPayload' | 'signBytesHex'>,
): QuoteReply => ({ ...quote, signPayload: data, signBytesHex: encodeHex(encodeUtf8(data)) });

/** While it is not known what became of the money, nothing is said to be settled. */
const stateWords = {
  required: 'REQUIRED',
  settling: 'REQUIRED',
  settled: 'SETTLED',
  issued: 'ISSUED',
  failed: 'FAILED',
} as const;

export const paymentStatusReply = z.object({
  paymentId: z.string(),
  status: z.enum(['REQUIRED', 'SETTLED', 'ISSUED', 'FAILED']),
  txHash: z.string().optional(),
  vcId: z.string().optional(),
  outcome: z.enum(['known', 'unknown']),
  reason: z.string().optional(),
  verifiableCredential: z.object({}).loose().optional(),
});

export interface PaymentFacts {
  readonly paymentId: string;
  readonly state: keyof typeof stateWords;
  readonly txHash: string | null;
  readonly vcId: string;
  /** As `refusalText` wrote it. */
  readonly failure: string | null;
}

export const renderPaymentStatus = (
  { paymentId, state, txHash, vcId, failure }: PaymentFacts,
  credential: JsonObject | undefined,
): z.input<typeof paymentStatusReply> => ({
  paymentId,
  status: stateWords[state],
  outcome: state === 'settling' ? 'unknown' : 'known',
  ...(txHash !== null && { txHash }),
  ...(state === 'issued' && { vcId }),
  ...(failure !== null && { reason: failure }),
  ...(credential && { verifiableCredential: credential }),
});
