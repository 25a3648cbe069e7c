/**
 * Reads the encoded parts of requests to the credential service: signatures, public keys, BBS keys, dates, attribute
 * values. Clients of the family disagree about alphabets and letter case, so every reading that cannot be mistaken for
 * another is taken; whatever is not one of these is a `Fault`.
 */

import { parseBase58, parseBase64, parseHex } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs, parseDate, unixMsOf } from '@symbolon/core/basics/calendar';
import { unknownName } from '@symbolon/core/basics/known-names';
import type { AttributeValue } from '@symbolon/core/documents/model';
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import { credentialRequestLimits as limits } from '@symbolon/core/limits/requests';
import { bbsPublicKeyBytes, bbsSignatureBytes, secretKeyBytes } from '@symbolon/core/proofs/sizes';
import { jsonPointer, malformed, malformedAt } from '../http/service-route.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJsonOrNothing } from '../json/json.ts';
import { plainValue } from './schemas.ts';

const ed25519SignatureBytes = 64;
const ed25519KeyBytes = 32;

/** An Ed25519 key. The long form ends in a checksum, which only someone with a hash function can check. */
export interface PublicKeyGiven {
  readonly bytes: Uint8Array;
  /** The long form as given, in lower case. */
  readonly encoded?: string;
}

function fault(code: FaultName, pointer: string, detail: string): Fault {
  return new Fault(code, { detail: `${pointer}: ${detail}`, errors: [{ pointer, detail }] });
}

export function readSignature(text: string, pointer: string): Uint8Array {
  const bytes = parseHex(text.trim());
  if (bytes?.length === ed25519SignatureBytes) return bytes;
  throw fault('signatureMalformed', pointer, 'must be an Ed25519 signature, 128 hex digits');
}

/** 64 hex digits, or 76 with `b001` in front and a checksum behind. */
export function readPublicKey(text: string, pointer: string): PublicKeyGiven {
  const bytes = parseHex(text.trim());
  if (bytes?.length === ed25519KeyBytes) return { bytes };
  if (bytes?.length === ed25519KeyBytes + 6 && bytes[0] === 0xb0 && bytes[1] === 0x01) {
    return { bytes: bytes.slice(2, 2 + ed25519KeyBytes), encoded: text.trim().toLowerCase() };
  }
  throw fault('publicKeyMalformed', pointer, 'must be an Ed25519 public key, 64 or 76 hex digits');
}

/** Multicodec names of BLS12-381 keys (G2 public, G1G2 private), which some encoders put in front. */
const multicodecs = { public: [0xeb, 0x01], secret: [0x8a, 0x26] } as const;

/** A reader of BBS+ values. The text itself is never repeated: it may be a key with a typing error in it. */
const bbsReader =
  (code: FaultName, what: string, length: number, multicodec?: readonly number[]) =>
  (text: string, pointer: string): Uint8Array => {
    const bytes = readBytes(text, length, multicodec);
    if (bytes) return bytes;
    throw fault(code, pointer, `must be a BBS+ ${what}`);
  };

export const readBbsPublicKey = /* @__PURE__ */ bbsReader(
  'publicKeyMalformed',
  'public key of 96 bytes, z and base58',
  bbsPublicKeyBytes,
  multicodecs.public,
);
export const readBbsSecretKey = /* @__PURE__ */ bbsReader(
  'requestMalformed',
  'private key of 32 bytes, z and base58',
  secretKeyBytes,
  multicodecs.secret,
);
export const readBbsSignature = /* @__PURE__ */ bbsReader(
  'signatureMalformed',
  'signature of 80 bytes, u and base64url',
  bbsSignatureBytes,
);

/** Bytes of a known length in multibase (z, u, U, m, M, f, F), hex or base64: no two of these fit the same length. */
function readBytes(text: string, length: number, multicodec?: readonly number[]): Uint8Array | undefined {
  const trimmed = text.trim();
  const [letter, rest] = [trimmed[0], trimmed.slice(1)];
  const candidates = [
    parseHex(trimmed),
    letter === 'z' ? parseBase58(rest, 2 * (length + 2)) : undefined,
    'uUmM'.includes(letter) ? parseBase64(rest) : undefined,
    'fF'.includes(letter) ? parseHex(rest) : undefined,
    parseBase64(trimmed),
  ];
  for (const bytes of candidates) {
    if (bytes?.length === length) return bytes;
    const isPrefixed = multicodec?.every((byte, index) => bytes?.[index] === byte);
    if (multicodec && isPrefixed && bytes?.length === length + multicodec.length) {
      return bytes.slice(multicodec.length);
    }
  }
  return undefined;
}

/** Below this a number counts seconds from now on, below the next seconds since 1970, else milliseconds. */
const secondsSince1970Min = 1_000_000_000;
const msSince1970Min = 100_000_000_000;

/** An instant as documents carry it, from a date, an RFC 3339 text, or seconds or milliseconds since 1970. */
export function readInstant(given: string | number, pointer: string): string {
  const ms = instantMs(given);
  if (ms !== undefined) return instantTextOfUnixMs(ms);
  throw fault('validityInvalid', pointer, 'must be a date such as 2030-12-31 or 2030-12-31T23:59:59Z');
}

function instantMs(given: string | number): number | undefined {
  const text = String(given).trim();
  if (/^[0-9]{10,14}$/.test(text)) {
    const count = Number(text);
    return count < msSince1970Min ? count * 1_000 : count;
  }
  if (parseDate(text)) return unixMsOf(`${text}T00:00:00Z`);
  // Parts of a second are dropped: documents count whole ones.
  return unixMsOf(text.replace(/(:[0-9]{2})\.[0-9]{1,9}(?=[Zz+-])/, '$1'));
}

/** When the download of a credential ends: so many seconds from now, or at an instant. */
export type WindowGiven = { readonly seconds: number } | { readonly until: string };

export function readWindow(given: string | number | undefined, pointer: string): WindowGiven | undefined {
  if (given === undefined || /^0*$/.test(String(given).trim())) return undefined;
  const text = String(given).trim();
  if (/^[0-9]{1,10}$/.test(text) && Number(text) < secondsSince1970Min) return { seconds: Number(text) };
  return { until: readInstant(given, pointer) };
}

/** Values as they arrived, by attribute key. A map, because a key may be any text. */
export type GivenAttributes = ReadonlyMap<string, AttributeValue>;

export interface AttributeReading {
  /** Of what stands inside of a text only the text has a place. */
  readonly isText?: boolean;
  /** Null is a blank value, which whoever knows the other values decides about. */
  readonly isOrder?: boolean;
}

/**
 * From an array of `{key, value}`, beside which nothing may stand, or an object; a member that is null counts as not
 * given, unless it is an order.
 */
export function readAttributes(
  given: JsonValue,
  pointer: string,
  { isText = false, isOrder = false }: AttributeReading = {},
): GivenAttributes {
  const at = (part: string | number): string => (isText ? pointer : pointer + jsonPointer([part]));
  const attributes = new Map<string, AttributeValue>();
  const add = (key: JsonValue | undefined, value: JsonValue | undefined, place: string): void => {
    if (typeof key !== 'string' || key === '' || key.length > limits.nameCharsMax || key === '__proto__') {
      throw malformedAt(place, 'must have a key');
    }
    if (attributes.has(key)) throw malformedAt(place, 'has a key that came before');
    if (value === null && !isOrder) return;
    const checked = plainValue.safeParse(value === null ? '' : value);
    if (!checked.success) throw malformedAt(place, checked.error.issues[0].message);
    attributes.set(key, checked.data);
  };

  if (Array.isArray(given)) {
    refuseTooMany(given.length, pointer);
    for (const [index, entry] of given.entries()) {
      const place = at(index);
      if (!isJsonObject(entry)) throw malformedAt(place, 'must be {key, value}');
      refuseOthers(entry, entryNames, (name) => (isText ? pointer : place + jsonPointer([name])));
      add(entry.key, entry.value, place);
    }
  } else if (isJsonObject(given)) {
    const entries = Object.entries(given);
    refuseTooMany(entries.length, pointer);
    for (const [key, value] of entries) add(key, value, at(key.slice(0, limits.nameCharsMax)));
  } else {
    throw malformedAt(pointer, 'must be an array of {key, value}, or an object');
  }
  return attributes;
}

const entryNames = ['key', 'value'];

/** Refuses the members of an object that are not known there, by name. */
export function refuseOthers(
  given: JsonObject,
  known: readonly string[],
  placeOf: (name: string) => string,
): void {
  const others = Object.keys(given).filter((name) => !known.includes(name));
  if (others.length === 0) return;
  throw malformed(
    others.map((name) => ({
      pointer: placeOf(name.slice(0, limits.nameCharsMax)),
      detail: unknownName(name, known),
    })),
  );
}

/** Where attributes stand in the body as it was sent; those inside of a text all stand where the text does. */
export interface AttributePlaces {
  readonly whole: string;
  readonly each: ReadonlyMap<string, string>;
}

/** The places of what `readAttributes` reads. */
export function attributePlaces(given: JsonValue, whole: string): AttributePlaces {
  const entries = Array.isArray(given)
    ? given.map((entry, index) => [isJsonObject(entry) ? String(entry.key) : '', `/${index}/value`] as const)
    : Object.keys(isJsonObject(given) ? given : {}).map((key) => [key, jsonPointer([key])] as const);
  return { whole, each: new Map(entries.map(([key, place]) => [key, whole + place])) };
}

function refuseTooMany(count: number, pointer: string): void {
  if (count <= limits.attributesMax) return;
  throw malformedAt(pointer, `must have at most ${limits.attributesMax} elements`);
}

/** The object or array that a text holds, if it holds one: the caller takes everything else as plain text. */
export function parseDocumentText(text: string): JsonValue | undefined {
  const value = /^\s*[{[]/.test(text) ? parseJsonOrNothing(text) : undefined;
  return typeof value === 'object' ? value : undefined;
}
