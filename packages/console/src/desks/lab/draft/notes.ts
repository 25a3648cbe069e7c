/**
 * Notes on a transaction and on its operations. A draft may write them as text, hex or bytes; the form has one field, for
 * text. What is no text is told as bytes. Pure.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { isJsonObject, type JsonObject } from '@symbolon/wire/json/json';
import type { JsonReading } from '@symbolon/wire/json/message-json';
import { noteText, noteTextName, readNote } from '@symbolon/wire/ledger/transaction-notes';

/** The draft with every note that is text where the form shows it. */
export function withNoteTexts(draft: JsonObject): JsonObject {
  const { operations } = draft;
  const noted = withNoteText(draft);
  if (!Array.isArray(operations)) return noted;
  return { ...noted, operations: operations.map((one) => (isJsonObject(one) ? withNoteText(one) : one)) };
}

function withNoteText(object: JsonObject): JsonObject {
  const { metadata = null, [noteTextName]: said = '', ...rest } = object;
  const reading: JsonReading = { elementsLeft: 0, problem: undefined };
  const text = noteText(readNote(metadata, reading));
  // Said twice, differently, it is refused when it is read.
  if (reading.problem || text === undefined || (said !== '' && said !== text)) return object;
  return { ...rest, [noteTextName]: text };
}

export interface SignedNote {
  /** From 0; undefined for the note on the whole transaction. */
  readonly operation: number | undefined;
  /** Undefined for what is no text. */
  readonly text: string | undefined;
  readonly hex: string;
}

/** Every note that is signed, the transaction's first. */
export function signedNotes({ metadata, operations }: Transaction): readonly SignedNote[] {
  const noteOf = (bytes: Uint8Array, operation: number | undefined): SignedNote[] =>
    bytes.length === 0 ? [] : [{ operation, text: noteText(bytes), hex: encodeHex(bytes) }];
  return [...noteOf(metadata, undefined), ...operations.flatMap((one, at) => noteOf(one.metadata, at))];
}
