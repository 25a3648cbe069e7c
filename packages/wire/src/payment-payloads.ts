/**
 * Payments as clients write them (`spec/credential-service.md`, "Further endpoints"): the family's object
 * `{scheme, network, payload}`, the canonical one with `accepted`, either of them in a header or in a facilitator's
 * body, and what a resource server says it asks for. All become one payment of the inside. Only shapes are read here;
 * what a payment is worth is for `core/payments`.
 */
import { decodeUtf8, parseBase64, parseHex } from '@symbolon/core/bytes';
import { Fault } from '@symbolon/core/faults';
import { paymentLimits as limits } from '@symbolon/core/payments/payment-limits';
import { type ArrivedPayment, type PaymentTerms, parseAmount } from '@symbolon/core/payments/payment-rules';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from './json.ts';
import { type Call, malformed } from './service-route.ts';

/** A payment with what else its wrapping said. */
export interface GivenPayment extends ArrivedPayment {
  /** Of a transaction that a sponsor has prepared. */
  readonly blobId?: string;
  /** The offer it answers, where the client repeats it. */
  readonly paymentId?: string;
}

export interface FacilitatorRequest {
  readonly payment: GivenPayment;
  /** The family's facilitator clients send none. */
  readonly terms?: PaymentTerms;
}

const nameCharsMax = 128;

/** The body of verify and settle, in either form. */
export function readFacilitatorRequest({ body }: { readonly body: JsonObject }): FacilitatorRequest {
  if (body.paymentPayload === undefined) return { payment: readPayment(body, '') };
  const payment = readPayment(body.paymentPayload, '/paymentPayload');
  if (body.paymentRequirements === undefined || body.paymentRequirements === null) return { payment };
  return { payment, terms: readTerms(body.paymentRequirements) };
}

/** The payment that comes with a request, in the canonical header or in the family's. */
export function readGivenPayment({ header }: Pick<Call, 'header'>): GivenPayment | undefined {
  const text = header('payment-signature') ?? header('x-payment');
  return text === undefined ? undefined : readPaymentHeader(text);
}

/** The value of `X-PAYMENT` or `PAYMENT-SIGNATURE`. Whatever is wrong with it, no payment was made. */
export function readPaymentHeader(text: string): GivenPayment {
  const bytes = text.length > limits.headerCharsMax ? undefined : parseBase64(text.trim());
  try {
    if (!bytes) throw new SyntaxError('no base64');
    return readPayment(parseJson(decodeUtf8(bytes)), '');
  } catch (cause) {
    const detail =
      cause instanceof Fault ? `malformed_payment_header: ${cause.message}` : 'malformed_payment_header';
    throw new Fault('paymentRefused', { detail, cause });
  }
}

export function readPayment(value: JsonValue, place: string): GivenPayment {
  if (!isJsonObject(value)) throw wrong(place, 'must be an object');
  const accepted = isJsonObject(value.accepted) ? value.accepted : value;
  const payload = value.payload;
  if (!isJsonObject(payload)) throw wrong(`${place}/payload`, 'must be an object');
  const extra = isJsonObject(accepted.extra) ? accepted.extra : {};
  return {
    scheme: readName(accepted.scheme, `${place}/scheme`),
    network: readName(accepted.network, `${place}/network`),
    ...readPayload(payload, `${place}/payload`),
    ...(typeof extra.paymentId === 'string' && { paymentId: extra.paymentId.slice(0, nameCharsMax) }),
  };
}

function readPayload(payload: JsonObject, place: string) {
  const validBefore = readSeconds(payload.validBefore, `${place}/validBefore`);
  if (payload.type === 'facilitator_prepared') {
    const signature = payload.clientSignature;
    if (!isJsonObject(signature)) throw wrong(`${place}/clientSignature`, 'must be an object');
    const given = { sign_data: signature.signBlob, public_key: signature.publicKey };
    return {
      validBefore,
      blobId: readName(payload.blobId, `${place}/blobId`),
      blob: readHex(payload.blob, `${place}/blob`),
      signatures: [readSignature(given as JsonObject, `${place}/clientSignature`)],
    };
  }
  if (payload.type !== undefined && payload.type !== 'signed_transaction')
    throw wrong(`${place}/type`, 'must be signed_transaction or facilitator_prepared');
  const signatures = payload.signatures;
  if (!Array.isArray(signatures) || signatures.length > signaturesMax)
    throw wrong(`${place}/signatures`, 'must be an array with one element');
  return {
    validBefore,
    blob: readHex(payload.transactionBlob, `${place}/transactionBlob`),
    signatures: signatures.map((given, index) => readSignature(given, `${place}/signatures/${index}`)),
  };
}

/** Read so that more than one can be refused by name. */
const signaturesMax = 8;

function readSignature(given: JsonValue, place: string) {
  if (!isJsonObject(given)) throw wrong(place, 'must be an object');
  return {
    publicKey: readName(given.public_key, `${place}/public_key`).toLowerCase(),
    signature: readHex(given.sign_data, `${place}/sign_data`),
  };
}

/** What a resource server asks for: `amount`, or the older `maxAmountRequired`. */
export function readTerms(value: JsonValue): PaymentTerms {
  const place = '/paymentRequirements';
  if (!isJsonObject(value)) throw wrong(place, 'must be an object');
  const amount = readAmount(value.amount ?? value.maxAmountRequired, `${place}/amount`);
  return {
    network: readName(value.network, `${place}/network`),
    payTo: readName(value.payTo, `${place}/payTo`),
    asset: readName(value.asset, `${place}/asset`),
    amount,
  };
}

/** A whole number in its one spelling; a JSON number serves as well. */
export function readAmount(value: JsonValue | undefined, place: string): bigint {
  const amount = parseAmount(typeof value === 'string' ? value : String(value));
  if (amount === undefined) throw wrong(place, 'must be a whole number in the smallest unit, as text');
  return amount;
}

function readName(value: JsonValue | undefined, place: string): string {
  if (typeof value !== 'string' || value === '' || value.length > nameCharsMax)
    throw wrong(place, `must be a text of 1 to ${nameCharsMax} characters`);
  return value;
}

function readHex(value: JsonValue | undefined, place: string): Uint8Array {
  const bytes =
    typeof value === 'string' && value.length <= 2 * limits.blobBytesMax ? parseHex(value) : undefined;
  if (!bytes || bytes.length === 0) throw wrong(place, 'must be hex, and not too long');
  return bytes;
}

function readSeconds(value: JsonValue | undefined, place: string): number {
  const seconds = typeof value === 'string' && /^[0-9]{1,12}$/.test(value) ? Number(value) : value;
  if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds) || seconds < 0)
    throw wrong(place, 'must be seconds since 1970');
  return seconds;
}

const wrong = (pointer: string, detail: string): Fault => malformed([{ pointer, detail }]);
