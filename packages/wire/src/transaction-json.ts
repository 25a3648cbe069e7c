/**
 * Transactions as JSON (`spec/ledger-node.md`, "Transaction" and "Operation bodies"). Input takes the flat shapes
 * of the interface document as well as the nested ones of the public clients (reference D10 to D13, D25; folded in
 * `transaction-folds.ts`); output is always nested, as history shows it. Which transactions are valid is the ledger's
 * business, not this file's.
 */
import { emptyBytes, encodeUtf8, parseHex } from '@symbolon/core/bytes';
import {
  ContractSchema,
  OperationSchema,
  PayCoinSchema,
  SetMetadataSchema,
  SignerSchema,
  type Transaction,
  TransactionSchema,
  TypeThresholdSchema,
} from '@symbolon/core/proto/ledger_pb';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import {
  createMessageReader,
  createMessageWriter,
  fail,
  type ReadError,
  type Reader,
  type Reading,
  readInt32,
  readInt64,
  readString,
} from './message-json.ts';
import { operationTypeNames, orderRules, shownRules } from './transaction-folds.ts';

/** A transaction that somebody wants made: nothing that it must have is missing, and nothing in it is unknown. */
export function transactionFromJson(json: JsonValue | undefined): Transaction | ReadError {
  return readOrder(TransactionSchema, json);
}

/** A transaction as a node shows it: members that are left out have their defaults. */
export function transactionFromRecord(json: JsonValue | undefined): Transaction | ReadError {
  return readShown(TransactionSchema, json);
}

export function transactionToJson(transaction: Transaction): JsonObject {
  return writeTransaction(TransactionSchema, transaction);
}

/** A number passes as it is, so that a rule of the ledger can refuse it; a name must be a known one. */
function namedNumber(names: readonly string[]): Reader {
  return (json, reading) => {
    const number = typeof json === 'string' ? names.indexOf(json.toUpperCase()) : -1;
    return number >= 0 ? number : readInt32(json, reading);
  };
}

const readOperationType: Reader = (json, reading) => {
  const type = namedNumber(operationTypeNames)(json, reading);
  if (reading.problem || (type as number) in operationTypeNames) return type;
  return fail(reading, 'is not an operation type');
};

/** Hex is bytes, any other text its UTF-8 form, a list of byte values itself (reference D25). */
function readNote(json: JsonValue, reading: Reading): Uint8Array | undefined {
  if (Array.isArray(json)) return bytesOf(json, reading);
  if (isJsonObject(json)) return bytesOf(indexedValues(json), reading);
  const text = readString(json, reading);
  if (text === undefined) return undefined;
  return text === '' ? emptyBytes : (parseHex(text) ?? encodeUtf8(text));
}

function bytesOf(values: readonly JsonValue[] | undefined, reading: Reading): Uint8Array | undefined {
  if (!values?.every(isByte)) return fail(reading, 'must be a text or a list of byte values');
  return Uint8Array.from(values);
}

const isByte = (value: JsonValue): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;

/** The values of `{"0": …, "1": …}`: what a byte array becomes when a client serialises it as an object. */
function indexedValues(object: JsonObject): JsonValue[] | undefined {
  const keys = Object.keys(object);
  return keys.every((key, index) => key === String(index)) ? Object.values(object) : undefined;
}

/** The interface document lists the amount as an array without saying of what: one element is the amount. */
const readCoinAmount: Reader = (json, reading) =>
  readInt64(Array.isArray(json) && json.length === 1 ? json[0] : json, reading);

const fields = {
  [`${TransactionSchema.typeName}.metadata`]: readNote,
  [`${OperationSchema.typeName}.metadata`]: readNote,
  [`${OperationSchema.typeName}.type`]: readOperationType,
  [`${TypeThresholdSchema.typeName}.type`]: namedNumber(operationTypeNames),
  [`${ContractSchema.typeName}.type`]: namedNumber(['JAVASCRIPT']),
  [`${PayCoinSchema.typeName}.amount`]: readCoinAmount,
};

const readOrder = createMessageReader({ ...orderRules, fields });
const readShown = createMessageReader({ ...shownRules, fields });

/** What an order must have is shown, too, so that what is shown can be ordered again. */
const writeTransaction = createMessageWriter({
  always: [
    `${SignerSchema.typeName}.weight`,
    `${TypeThresholdSchema.typeName}.threshold`,
    `${SetMetadataSchema.typeName}.value`,
  ],
});
