/**
 * Bytes and their text forms. Encoders come from `@scure/base`; what is added here are parsers that answer
 * `undefined` instead of throwing, because hex from the network is data, not a programming error.
 */
import { hex, utf8 } from '@scure/base';

export type Sha256 = (bytes: Uint8Array) => Uint8Array;

export const emptyBytes = new Uint8Array(0);

export const encodeHex = (bytes: Uint8Array): string => hex.encode(bytes);

/** Lower and upper case hex; anything else, odd lengths included, is undefined. */
export function parseHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return undefined;
  return hex.decode(text);
}

export const encodeUtf8 = (text: string): Uint8Array => utf8.decode(text);
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
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
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
