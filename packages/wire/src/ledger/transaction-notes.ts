/**
 * The note on a transaction or an operation: bytes on the ledger, `metadata` in hex on the wire. Callers write text
 * there as well, so what is even-length hex is bytes and anything else its UTF-8 form; `metadata_text` is a text
 * without a guess. Shown are the bytes, and beside them the text that they are.
 */
import { emptyBytes, encodeHex, encodeUtf8, equalBytes, parseHex } from '@symbolon/core/basics/bytes';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';
import {
  complainAt,
  type Fold,
  type JsonReading,
  type MemberReader,
  readJsonString,
  readString,
} from '../json/message-json.ts';

export const noteTextName = 'metadata_text';

/** Hex is bytes, any other text its UTF-8 form, a list of byte values itself. */
export const readNote: MemberReader = (json, reading): Uint8Array | undefined => {
  if (Array.isArray(json)) return bytesOf(json, reading);
  if (isJsonObject(json)) return bytesOf(indexedValues(json), reading);
  const text = readString(json, reading);
  if (text === undefined) return undefined;
  return text === '' ? emptyBytes : (parseHex(text) ?? encodeUtf8(text));
};

function bytesOf(values: readonly JsonValue[] | undefined, reading: JsonReading): Uint8Array | undefined {
  if (!values?.every(isByte)) return complainAt(reading, 'must be a text or a list of byte values');
  return Uint8Array.from(values);
}

const isByte = (value: JsonValue): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;

/** The values of `{"0": …, "1": …}`: what a byte array becomes when a client serialises it as an object. */
function indexedValues(object: JsonObject): JsonValue[] | undefined {
  const keys = Object.keys(object);
  return keys.every((key, index) => key === String(index)) ? Object.values(object) : undefined;
}

/** Puts a note that is said to be text into its place, in the form that is not guessed about. */
export const foldNote: Fold = (object, reading) => {
  if (!Object.hasOwn(object, noteTextName)) return object;
  const { [noteTextName]: said, ...rest } = object;
  if ((said ?? '') === '') return rest;
  const text = readJsonString(said, reading);
  if (text === undefined) return complainAt(reading, reading.problem?.reason ?? '', noteTextName);
  const bytes = encodeUtf8(text);
  const other = (rest.metadata ?? '') === '' ? bytes : readNote(rest.metadata, reading);
  if (!other) return complainAt(reading, reading.problem?.reason ?? '', 'metadata');
  return equalBytes(other as Uint8Array, bytes)
    ? { ...rest, metadata: encodeHex(bytes) }
    : complainAt(reading, 'metadata says something else', noteTextName);
};

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Control characters: bytes with one of them were not meant as text. */
const control = /(?![\t\n\r])\p{Cc}/u;

/** The text that a note is, where it is one. */
export function noteText(value: unknown): string | undefined {
  try {
    const text = decoder.decode(value as Uint8Array);
    return text === '' || control.test(text) ? undefined : text;
  } catch {
    // Not UTF-8.
    return undefined;
  }
}
