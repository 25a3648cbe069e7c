/**
 * Payments as clients write them (`docs/payments.md`): the family's object `{scheme, network, payload}`, the canonical
 * one with `accepted`, either of them in a header or in a facilitator's body, and what a resource server says it asks
 * for. All become one payment of the inside. Only shapes are read here; what a payment is worth is for `core/payments`.
 */
import { decodeUtf8, equalBytes, parseBase64, parseHex } from '@symbolon/core/basics/bytes';
import { parseAmount } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import { paymentLimits as limits } from '@symbolon/core/limits/payments';
import type { ArrivedPayment, PaymentTerms } from '@symbolon/core/payments/payment-terms';
import { refuseOthers } from '../credentials/request-encodings.ts';
import { type Call, jsonPointer, malformedAt } from '../http/service-route.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../json/json.ts';
import { paymentMembers } from './payment-schema.ts';

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

/** The body of verify and settle, in either form: the members of the other one are not known beside it. */
export function readFacilitatorRequest({ body }: { readonly body: JsonObject }): FacilitatorRequest {
  const { paymentPayload, paymentRequirements, ...bare } = body;
  const isBare = paymentPayload === undefined;
  requireKnown(body, isBare ? 'familyBody' : 'canonicalBody', '');
  readVersion(body.x402Version, '/x402Version');
  const payment = isBare ? readPayment(bare, '') : readPayment(paymentPayload, '/paymentPayload');
  return paymentRequirements === undefined ? { payment } : { payment, terms: readTerms(paymentRequirements) };
}

/** The payment that comes with a request, in the canonical header or in the family's; in both it is the same one. */
export function readGivenPayment({ header }: Pick<Call, 'header'>): GivenPayment | undefined {
  const [first, second] = [header('payment-signature'), header('x-payment')]
    .filter((text) => text !== undefined)
    .map(readPaymentHeader);
  if (second && !equalBytes(first.blob, second.blob))
    throw new Fault('paymentRefused', { detail: 'malformed_payment_header: two payments in one request' });
  return first;
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

function readPayment(given: JsonValue, place: string): GivenPayment {
  const value = readObject(given, 'payment', place);
  readVersion(value.x402Version, `${place}/x402Version`);
  const { payload } = value;
  if (!isJsonObject(payload)) throw notAnObject(`${place}/payload`);
  return { ...readAccepted(value, place), ...readPayload(payload, `${place}/payload`) };
}

/** Scheme and network, of `accepted` or bare; what else the payer has agreed to is what the payment must be. */
function readAccepted(value: JsonObject, place: string) {
  if (value.accepted === undefined)
    return {
      scheme: readName(value.scheme, `${place}/scheme`),
      network: readName(value.network, `${place}/network`),
    };
  const where = `${place}/accepted`;
  const accepted = readObject(value.accepted, 'accepted', where);
  const scheme = readName(accepted.scheme, `${where}/scheme`);
  const network = readName(accepted.network, `${where}/network`);
  for (const [name, agreed] of Object.entries({ scheme, network }))
    if (value[name] !== undefined && value[name] !== agreed)
      throw malformedAt(`${place}/${name}`, `is not the ${name} of accepted`);
  const { paymentId } = isJsonObject(accepted.extra) ? accepted.extra : {};
  return {
    scheme,
    network,
    accepted: readGivenTerms(accepted, where),
    ...(typeof paymentId === 'string' && { paymentId: paymentId.slice(0, nameCharsMax) }),
  };
}

function readPayload(payload: JsonObject, place: string) {
  const validBefore = readSeconds(payload.validBefore, `${place}/validBefore`);
  if (payload.type === 'facilitator_prepared') {
    requireKnown(payload, 'prepared', place);
    const where = `${place}/clientSignature`;
    const signature = readObject(payload.clientSignature, 'clientSignature', where);
    return {
      validBefore,
      blobId: readName(payload.blobId, `${place}/blobId`),
      blob: readHex(payload.blob, `${place}/blob`),
      signatures: [
        {
          publicKey: readName(signature.publicKey, `${where}/publicKey`).toLowerCase(),
          signature: readHex(signature.signBlob, `${where}/signBlob`),
        },
      ],
    };
  }
  if (payload.type !== undefined && payload.type !== 'signed_transaction')
    throw malformedAt(`${place}/type`, 'must be signed_transaction or facilitator_prepared');
  requireKnown(payload, 'signed', place);
  const { signatures } = payload;
  if (!Array.isArray(signatures) || signatures.length > signaturesMax)
    throw malformedAt(`${place}/signatures`, 'must be an array with one element');
  return {
    validBefore,
    blob: readHex(payload.transactionBlob, `${place}/transactionBlob`),
    signatures: signatures.map((given, index) => {
      const where = `${place}/signatures/${index}`;
      const { public_key, sign_data } = readObject(given, 'signature', where);
      return {
        publicKey: readName(public_key, `${where}/public_key`).toLowerCase(),
        signature: readHex(sign_data, `${where}/sign_data`),
      };
    }),
  };
}

/** Read so that more than one can be refused by name. */
const signaturesMax = 8;

/** What a resource server asks for: all of it must be said. */
function readTerms(value: JsonValue): PaymentTerms {
  const place = '/paymentRequirements';
  const terms = readGivenTerms(readObject(value, 'requirements', place), place);
  const { network, payTo, asset, amount } = terms;
  return {
    ...terms,
    network: network ?? readName(network, `${place}/network`),
    payTo: payTo ?? readName(payTo, `${place}/payTo`),
    asset: asset ?? readName(asset, `${place}/asset`),
    amount: amount ?? readAmount(amount, `${place}/amount`),
  };
}

/** What is said of the terms of a payment; the amount may have its older name. */
function readGivenTerms(value: JsonObject, place: string): Partial<PaymentTerms> {
  const names = (['scheme', 'network', 'payTo', 'asset'] as const).filter(
    (name) => value[name] !== undefined,
  );
  const amounts = (['amount', 'maxAmountRequired'] as const)
    .filter((name) => value[name] !== undefined)
    .map((name) => ({ place: `${place}/${name}`, amount: readAmount(value[name], `${place}/${name}`) }));
  const [first, second] = amounts;
  if (second && second.amount !== first.amount) throw malformedAt(second.place, 'is not the amount');
  const { maxTimeoutSeconds } = value;
  if (maxTimeoutSeconds !== undefined && maxTimeoutSeconds !== null)
    readSeconds(maxTimeoutSeconds, `${place}/maxTimeoutSeconds`, 'a number of seconds');
  return {
    ...Object.fromEntries(names.map((name) => [name, readName(value[name], `${place}/${name}`)])),
    ...(first && { amount: first.amount }),
  };
}

/** A whole number in its one spelling; a JSON number serves as well. */
export function readAmount(value: JsonValue | undefined, place: string): bigint {
  const amount = parseAmount(typeof value === 'string' ? value : String(value));
  if (amount === undefined) throw malformedAt(place, 'must be a whole number in the smallest unit, as text');
  return amount;
}

function readName(value: JsonValue | undefined, place: string): string {
  if (typeof value !== 'string' || value === '' || value.length > nameCharsMax)
    throw malformedAt(place, `must be a text of 1 to ${nameCharsMax} characters`);
  return value;
}

function readHex(value: JsonValue | undefined, place: string): Uint8Array {
  const bytes =
    typeof value === 'string' && value.length <= 2 * limits.blobBytesMax ? parseHex(value) : undefined;
  if (!bytes || bytes.length === 0) throw malformedAt(place, 'must be hex, and not too long');
  return bytes;
}

function readVersion(value: JsonValue | undefined, place: string): void {
  if (value !== undefined && value !== 1 && value !== 2) throw malformedAt(place, 'must be 1 or 2');
}

function readSeconds(value: JsonValue | undefined, place: string, what = 'seconds since 1970'): number {
  const seconds = typeof value === 'string' && /^[0-9]{1,12}$/.test(value) ? Number(value) : value;
  if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds) || seconds < 0)
    throw malformedAt(place, `must be ${what}`);
  return seconds;
}

/** Whoever writes a member wants something by it: what is not known in its place is refused by name. */
const requireKnown = (given: JsonObject, kind: keyof typeof paymentMembers, place: string): void =>
  refuseOthers(given, paymentMembers[kind], (name) => place + jsonPointer([name]));

function readObject(
  given: JsonValue | undefined,
  kind: keyof typeof paymentMembers,
  place: string,
): JsonObject {
  if (!isJsonObject(given)) throw notAnObject(place);
  requireKnown(given, kind, place);
  return given;
}

const notAnObject = (pointer: string): Fault => malformedAt(pointer, 'must be an object');
