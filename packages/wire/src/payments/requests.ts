/**
 * Requests about money read into requests of the inside: paid applications and quotes, prices and policies of issuers,
 * and what a sponsor is asked to prepare. A paid application carries its content as one text, because that text is what
 * the holder signs; it is kept as it came.
 */
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { given } from '@symbolon/core/basics/plain-values';
import { paymentLimits as limits } from '@symbolon/core/limits/payments';
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import type { MovedTerms } from '@symbolon/core/payments/payment-terms';
import * as z from 'zod';
import { type GivenPresence, readPresence, signedText } from '../credentials/presence-requests.ts';
import {
  type GivenAttributes,
  type PublicKeyGiven,
  readAttributes,
  readBbsSecretKey,
  readInstant,
  readPublicKey,
  readSignature,
  refuseOthers,
} from '../credentials/request-encodings.ts';
import { readIdentifier } from '../credentials/requests.ts';
import { orderedElementNames } from '../credentials/schemas.ts';
import { didText, maybe, name, strict, type WithBody } from '../http/schema-parts.ts';
import { jsonPointer, malformedAt } from '../http/service-route.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJsonOrNothing,
  stringifyJson,
} from '../json/json.ts';
import { lenientHexBytes } from './old-signing.ts';
import { readAmount } from './payloads.ts';
import { paymentDocument } from './payment-schema.ts';

const amount = z.union([z.string(), z.int()], { error: 'must be a whole number, as text' });
const anyJson = z.custom<JsonValue>((value) => value !== undefined, { error: 'is missing' });

/** Read by `payloads.ts`, whose complaints have words of their own; the document shows both forms. */
export const givenPayment = z
  .custom<JsonObject>((value) => isJsonObject(value as JsonValue), { error: 'must be an object' })
  .meta(paymentDocument);

export const paidApplication = strict({
  data: z
    .string({ error: 'must be the text of a JSON array with one element' })
    .max(limits.dataCharsMax, `must have at most ${limits.dataCharsMax} characters`),
  signData: name,
  publicKey: name,
  expirationDate: maybe(name),
  paymentId: maybe(name),
  signedText,
});

export const quoteOrder = strict({
  templateId: name,
  metadata: anyJson,
  publicKey: name,
  expirationDate: maybe(name),
});

export const paymentPath = z.object({ paymentId: z.string().min(1).max(128) });

/** What is applied for: told the same way by an application and by a quote. */
export interface PaidContent {
  readonly templateId: string;
  readonly attributes: GivenAttributes;
  readonly publicKey: PublicKeyGiven;
  /** An instant; the issuer's policy decides where it is left out. */
  readonly validUntil?: string;
  /** The text that the holder signs, character by character. */
  readonly data: string;
}

export interface PaidApplicationRequest extends PaidContent {
  readonly signature: Uint8Array;
  readonly signedBytes: Uint8Array;
  /** What clients that sign by the old rule have signed instead. */
  readonly olderSignedBytes: Uint8Array;
  /** What was signed instead of the text of `data`. */
  readonly presence: GivenPresence | undefined;
  readonly paymentId?: string;
}

export const readPaidApplication = ({ body }: WithBody<typeof paidApplication>): PaidApplicationRequest => ({
  ...readContent(body.data, body),
  signature: readSignature(body.signData, '/signData'),
  signedBytes: encodeUtf8(body.data),
  olderSignedBytes: lenientHexBytes(body.data),
  presence: readPresence(body.signedText),
  ...given({ paymentId: body.paymentId }),
});

/** The canonical text is made here; whoever signs another one that says the same gets another offer. */
export const readQuote = ({ body }: WithBody<typeof quoteOrder>): PaidContent =>
  readContent(stringifyJson([{ templateId: body.templateId, metadata: body.metadata }]), body);

function readContent(
  data: string,
  { publicKey, expirationDate }: { readonly publicKey: string; readonly expirationDate: string | undefined },
): PaidContent {
  // What is no JSON is told as one complaint with everything else that is no array.
  const content = parseJsonOrNothing(data);
  const [element, ...others] = Array.isArray(content) ? content : [];
  if (!isJsonObject(element) || others.length > 0)
    throw malformedAt('/data', 'must be the text of a JSON array with one object in it');
  refuseOthers(element, orderedElementNames, (name) => `/data/0${jsonPointer([name])}`);
  const { templateId, metadata } = element;
  if (typeof templateId !== 'string' || templateId.length > credentialRequestLimits.nameCharsMax)
    throw malformedAt('/data/0/templateId', 'must be a text');
  if (metadata === undefined) throw malformedAt('/data/0/metadata');
  return {
    templateId: readIdentifier(templateId),
    attributes: readAttributes(metadata, '/data/0/metadata'),
    publicKey: readPublicKey(publicKey, '/publicKey'),
    ...(expirationDate !== undefined && { validUntil: readInstant(expirationDate, '/expirationDate') }),
    data,
  };
}

// What issuers set

export const priceOrder = strict({
  templateId: name,
  /** 0 gives it away. */
  amount,
  /** The native asset, if left out; else the address of a token contract. */
  asset: maybe(name),
  /** The issuer's own account, if left out. */
  payTo: maybe(name),
});

export const autoIssueOrder = strict({
  templateId: name,
  isEnabled: z.boolean().default(true),
  /** Ed25519, encoded, of the issuer's own DID; kept from before, if left out. */
  privateKey: maybe(name),
  bbsPrivateKeyMultibase: maybe(name),
  /** Who may apply: everybody, if left out. */
  holders: maybe(z.array(didText).max(limits.autoIssueHoldersMax)),
  perDayMax: z.int().min(1).max(limits.autoIssuePerDayMax),
  until: z.union([name, z.int()]),
  /** How long credentials are valid at most. */
  validSeconds: z.int().min(60).max(limits.autoIssueValidSecondsMax).default(limits.autoIssueValidSeconds),
  /** Whether a holder may have a second one while the first is good. */
  allowReissue: z.boolean().default(false),
});

export const readPrice = ({ body }: WithBody<typeof priceOrder>) => ({
  ...body,
  templateId: readIdentifier(body.templateId),
  amount: readAmount(body.amount, '/amount'),
});
export type PriceRequest = ReturnType<typeof readPrice>;

export const readAutoIssue = ({
  body: { bbsPrivateKeyMultibase: bbsKey, ...body },
}: WithBody<typeof autoIssueOrder>) => ({
  ...body,
  templateId: readIdentifier(body.templateId),
  bbsSecretKey: bbsKey === undefined ? undefined : readBbsSecretKey(bbsKey, '/bbsPrivateKeyMultibase'),
  holders: body.holders?.map(readIdentifier),
  until: readInstant(body.until, '/until'),
});
export type AutoIssueRequest = ReturnType<typeof readAutoIssue>;

// What a sponsor is asked for

export const preparation = strict({
  clientAddress: name,
  payTo: name,
  amount,
  asset: name,
  network: name,
});

export const readPreparation = ({
  body: { clientAddress: payer, ...terms },
}: WithBody<typeof preparation>): MovedTerms => ({
  ...terms,
  payer,
  amount: readAmount(terms.amount, '/amount'),
});

const settlementId = {
  error: 'must be the hash of the transaction, or the blobId of a prepared one: 1 to 128 characters',
};
export const settlementQuery = z.object({
  blobId: z.string(settlementId).min(1, settlementId).max(128, settlementId),
});
