/**
 * Canonical JSON (RFC 8785): the one text of a JSON value, so that two sides hash and sign the same bytes. Only JSON
 * values have one; everything that JSON cannot carry exactly is refused, never guessed at. Reading JSON is not done
 * here.
 */

import { jsonLimits } from '../limits/documents.ts';
import { encodeUtf8 } from './bytes.ts';

/** The value has no canonical text. Where the value came from outside, the caller turns this into an answer. */
export class CanonicalJsonError extends Error {
  override readonly name = 'CanonicalJsonError';
}

export function canonicalJson(value: unknown): string {
  return textOf(value, jsonLimits.depthMax);
}

/** The bytes that are hashed or signed. */
export const canonicalJsonBytes = (value: unknown): Uint8Array => encodeUtf8(canonicalJson(value));

/** A text with a surrogate that has no partner stands for no characters, and encoders disagree about its bytes. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

function textOf(value: unknown, depthLeft: number): string {
  switch (typeof value) {
    case 'string':
      return textOfString(value);
    case 'number':
      // The language prints numbers as the RFC wants, and minus zero as 0.
      if (!Number.isFinite(value)) throw new CanonicalJsonError('a number is not finite');
      return String(value);
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      if (depthLeft <= 0) throw new CanonicalJsonError('the value nests too deep');
      return Array.isArray(value) ? textOfArray(value, depthLeft - 1) : textOfObject(value, depthLeft - 1);
    default:
      throw new CanonicalJsonError(`${typeof value} is no JSON value`);
  }
}

function textOfString(text: string): string {
  if (!isWellFormed(text)) throw new CanonicalJsonError('a text holds half a character');
  return JSON.stringify(text);
}

function textOfArray(items: readonly unknown[], depthLeft: number): string {
  // Holes are visited too, as undefined, and refused.
  return `[${Array.from(items, (item) => textOf(item, depthLeft)).join(',')}]`;
}

function textOfObject(value: object, depthLeft: number): string {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new CanonicalJsonError('an object is not plain');
  // Texts compare by UTF-16 code units, which is the order the RFC wants.
  const members = Object.entries(value).sort(byKey);
  return `{${members.map(([key, member]) => `${textOfString(key)}:${textOf(member, depthLeft)}`).join(',')}}`;
}

const byKey = ([left]: [string, unknown], [right]: [string, unknown]): number =>
  left < right ? -1 : left > right ? 1 : 0;
