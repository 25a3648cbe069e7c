/**
 * JSON without loss: integers beyond 2^53 are read as bigint and printed as bare digits, because the ledger's amounts
 * are plain JSON numbers. Reading is bounded: nesting and digits have limits, so a hostile text costs a clean
 * SyntaxError and never the stack. Shapes of messages are not its business.
 */
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { jsonLimits } from '@symbolon/core/limits/documents';

export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** The part of the language's JSON that the type library does not declare yet. */
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
interface LosslessJson {
  parse(text: string, reviver?: Reviver): JsonValue;
  rawJSON(text: string): object;
}
const losslessJson = JSON as unknown as LosslessJson;

const quote = 0x22;
const backslash = 0x5c;
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** An integer of fewer digits is exact as a number. */
const exactDigits = 15;

/** Perhaps JSON: with so many objects and arrays inside of each other it is not read. */
export class NestedTooDeep extends SyntaxError {
  override name = 'NestedTooDeep';

  constructor() {
    super('JSON nests too deep');
  }
}

/** Throws SyntaxError for everything that is not JSON, nests too deep or carries an absurdly long number. */
export function parseJson(text: string): JsonValue {
  return surveyDigits(text) > exactDigits ? losslessJson.parse(text, keepInteger) : losslessJson.parse(text);
}

/** As `parseJson`; undefined for what it refuses. */
export const parseJsonOrNothing = (text: string): JsonValue | undefined =>
  decodeOrNothing(() => parseJson(text));

/** Absent members (undefined) are left out, as JSON.stringify does. */
export function stringifyJson(value: JsonValue, indent?: number): string {
  return JSON.stringify(value, printInteger, indent);
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A 64-bit integer in the form parseJson would give it: a number where that is exact, else a bigint. */
export function jsonInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

const keepInteger: Reviver = (_key, value, { source }) => {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value;
  return /^-?[0-9]+$/.test(source) ? BigInt(source) : value;
};

const printInteger = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? losslessJson.rawJSON(value.toString()) : value;

/**
 * One pass over the text outside its strings: enforces the limits and answers the longest run of digits, so
 * that only a text with big numbers pays for the slow way of parsing. Strings are jumped over, because they
 * make up most of a request and their hex is full of digits.
 */
function surveyDigits(text: string): number {
  let depth = 0;
  let run = 0;
  let longest = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x30 && unit <= 0x39) {
      run++;
      if (run > longest) longest = run;
      continue;
    }
    run = 0;
    if (unit === quote) index = endOfString(text, index);
    else if (unit === openObject || unit === openArray) {
      depth++;
      if (depth > jsonLimits.depthMax) throw new NestedTooDeep();
    } else if (unit === closeObject || unit === closeArray) depth--;
  }
  if (longest > jsonLimits.digitsMax) throw new SyntaxError('JSON number has too many digits');
  return longest;
}

/** The place of the quote that ends the string begun at `start`, or the end of the text. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
