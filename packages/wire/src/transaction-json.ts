/**
 * Transactions as JSON (`spec/ledger-node.md`, "Transaction" and "Operation bodies"). Input takes the flat shapes
 * of the interface document as well as the nested ones of the public clients (reference D10 to D13, D25) and folds
 * the first into the second; output is always nested, as history shows it. Which transactions are valid is the
 * ledger's business, not this file's.
 */
import { emptyBytes, encodeUtf8, parseHex } from '@symbolon/core/bytes';
import {
  AccountPrivilegeSchema,
  ContractSchema,
  CreateAccountSchema,
  OperationSchema,
  PayAssetSchema,
  PayCoinSchema,
  type Transaction,
  TransactionSchema,
  TypeThresholdSchema,
} from '@symbolon/core/proto/ledger_pb';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import {
  createMessageReader,
  fail,
  messageToJson,
  type ReadError,
  type Reader,
  type Reading,
  readInt32,
  readInt64,
  readString,
} from './message-json.ts';

/** Wire names of the operation types, in the order of their numbers. */
export const operationTypeNames = [
  'UNKNOWN',
  'CREATE_ACCOUNT',
  'ISSUE_ASSET',
  'PAY_ASSET',
  'SET_METADATA',
  'SET_SIGNER_WEIGHT',
  'SET_THRESHOLD',
  'PAY_COIN',
  'LOG',
  'SET_PRIVILEGE',
  'UPGRADE_CONTRACT',
] as const;

export function transactionFromJson(json: JsonValue | undefined): Transaction | ReadError {
  return readTransaction(TransactionSchema, json);
}

export function transactionToJson(transaction: Transaction): JsonObject {
  return messageToJson(TransactionSchema, transaction);
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

const isGiven = (value: JsonValue | undefined): value is JsonValue =>
  value !== undefined && value !== null && value !== '';

/** The object with further members, each only where the object has none of that name and one is given. */
function withMissing(
  object: JsonValue | undefined,
  members: Readonly<Record<string, JsonValue | undefined>>,
) {
  const given = Object.entries(members).filter((entry): entry is [string, JsonValue] => isGiven(entry[1]));
  // What is there but is not an object is left alone: reading it gives the right error.
  if (given.length === 0 || (isGiven(object) && !isJsonObject(object))) return object ?? null;
  const merged: JsonObject = { ...(isJsonObject(object) ? object : {}) };
  for (const [name, value] of given) if (!isGiven(merged[name])) merged[name] = value;
  return merged;
}

function foldPayAsset(body: JsonObject): JsonObject {
  const { issuer, code, amount } = body;
  if (isGiven(body.asset) || ![issuer, code, amount].some(isGiven)) return body;
  return { ...body, asset: withMissing({ key: withMissing({}, { issuer, code }) }, { amount }) };
}

function foldCreateAccount(body: JsonObject): JsonObject {
  const { payload, master_weight, tx_threshold } = body;
  if (![payload, master_weight, tx_threshold].some(isGiven)) return body;
  return {
    ...body,
    contract: withMissing(body.contract, { payload }),
    priv: withMissing(body.priv, { master_weight, tx_threshold }),
  };
}

/** Control rights written the way set_privilege writes them: thresholds beside the weights. */
function foldPrivilege(priv: JsonObject): JsonObject {
  const { tx_threshold, type_thresholds } = priv;
  if (![tx_threshold, type_thresholds].some(isGiven)) return priv;
  return { ...priv, thresholds: withMissing(priv.thresholds, { tx_threshold, type_thresholds }) };
}

const readTransaction = createMessageReader({
  folds: {
    [PayAssetSchema.typeName]: foldPayAsset,
    [CreateAccountSchema.typeName]: foldCreateAccount,
    [AccountPrivilegeSchema.typeName]: foldPrivilege,
  },
  fields: {
    [`${TransactionSchema.typeName}.metadata`]: readNote,
    [`${OperationSchema.typeName}.metadata`]: readNote,
    [`${OperationSchema.typeName}.type`]: readOperationType,
    [`${TypeThresholdSchema.typeName}.type`]: namedNumber(operationTypeNames),
    [`${ContractSchema.typeName}.type`]: namedNumber(['JAVASCRIPT']),
    [`${PayCoinSchema.typeName}.amount`]: readCoinAmount,
  },
});
