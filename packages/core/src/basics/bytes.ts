/**
 * Bytes and their text forms. Encoders come from `@scure/base`, but for hex, which every transaction passes several
 * times; what is added here are parsers that answer `undefined` instead of throwing, because hex from the network is
 * data, not a programming error.
 */
import { base58, base64, base64nopad, base64urlnopad, utf8 } from '@scure/base';
import { decodeOrNothing } from './host-fault.ts';

export type Sha256 = (bytes: Uint8Array) => Uint8Array;

export const emptyBytes = new Uint8Array(0);

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower case, in a third of the library's time. */
export function encodeHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += hexOfByte[byte];
  return text;
}

const hexValues = new Int8Array(128).fill(-1);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  hexValues[digit.charCodeAt(0)] = value;
  hexValues[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Lower and upper case hex; anything else, odd lengths included, is undefined. Every submission passes here. */
export function parseHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0) return undefined;
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index++) {
    const high = hexValues[text.charCodeAt(2 * index)] ?? -1;
    const low = hexValues[text.charCodeAt(2 * index + 1)] ?? -1;
    if (high < 0 || low < 0) return undefined;
    bytes[index] = (high << 4) | low;
  }
  return bytes;
}

export const encodeBase64 = (bytes: Uint8Array): string => base64.encode(bytes);
export const encodeBase64Url = (bytes: Uint8Array): string => base64urlnopad.encode(bytes);
export const encodeBase58 = (bytes: Uint8Array): string => base58.encode(bytes);

/** Both alphabets, with or without padding; never the two mixed, white space or bits that no byte has. */
export function parseBase64(text: string): Uint8Array | undefined {
  const bare = text.length % 4 === 0 ? text.replace(/={1,2}$/, '') : text;
  const coder = /[-_]/.test(bare) ? base64urlnopad : base64nopad;
  return decodeOrNothing(() => coder.decode(bare));
}

/** The usual alphabet. Time grows with the square of the length, so the caller names the longest text it expects. */
export function parseBase58(text: string, charsMax: number): Uint8Array | undefined {
  return text.length > charsMax ? undefined : decodeOrNothing(() => base58.decode(text));
}

/** Nearly everything is ASCII, which needs no encoder. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) return utf8.decode(text);
    bytes[index] = unit;
  }
  return bytes;
}
export const decodeUtf8 = (bytes: Uint8Array): string => utf8.encode(bytes);

/** The length of a text in UTF-8 bytes, which is what every limit of the ledger counts. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && index + 1 < text.length) {
      bytes += 4;
      index++;
    } else bytes += 3;
  }
  return bytes;
}

export function concatBytes(...parts: Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Compares without leaving early, so that the time taken says nothing about where two values differ. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let index = 0; index < left.length; index++) difference |= left[index] ^ right[index];
  return difference === 0;
}

/** The same of texts. */
export const equalTexts = (left: string, right: string): boolean =>
  equalBytes(encodeUtf8(left), encodeUtf8(right));

/** Padded base64 in its one form: for texts that are signed or shown, where two spellings would be two values. */
export function parseExactBase64(text: string): Uint8Array | undefined {
  const bytes = parseBase64(text);
  return bytes && encodeBase64(bytes) === text ? bytes : undefined;
}

/** Base64url without padding, in its one form. */
export function parseExactBase64Url(text: string): Uint8Array | undefined {
  const bytes = parseBase64(text);
  return bytes && encodeBase64Url(bytes) === text ? bytes : undefined;
}
