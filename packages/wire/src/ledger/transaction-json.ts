/**
 * Transactions as JSON. Input takes the flat shapes of the interface document as well as the nested ones of the public
 * clients (folded in `transaction-folds.ts`); output is always nested, as history shows it. Which transactions are
 * valid is the ledger's business, not this file's.
 */
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
import type { JsonObject, JsonValue } from '../json/json.ts';
import {
  complainAt,
  createMessageReader,
  createMessageWriter,
  type MemberReader,
  type ReadError,
  type ReadRules,
  readInt32,
  readInt64,
} from '../json/message-json.ts';
import { operationTypeNames, orderRules, shownRules, trialRules } from './transaction-folds.ts';
import { noteText, noteTextName, readNote } from './transaction-notes.ts';

export function transactionToJson(transaction: Transaction): JsonObject {
  return writeTransaction(TransactionSchema, transaction);
}

/** A number passes as it is, so that a rule of the ledger can refuse it; a name must be a known one. */
function namedNumber(names: readonly string[]): MemberReader {
  return (json, reading) => {
    const number = typeof json === 'string' ? names.indexOf(json.toUpperCase()) : -1;
    return number >= 0 ? number : readInt32(json, reading);
  };
}

const readOperationType: MemberReader = (json, reading) => {
  const type = namedNumber(operationTypeNames)(json, reading);
  if (reading.problem || (type as number) in operationTypeNames) return type;
  return complainAt(reading, 'is not an operation type');
};

/** The interface document lists the amount as an array without saying of what: one element is the amount. */
const readCoinAmount: MemberReader = (json, reading) =>
  readInt64(Array.isArray(json) && json.length === 1 ? json[0] : json, reading);

const fields = {
  [`${TransactionSchema.typeName}.metadata`]: readNote,
  [`${OperationSchema.typeName}.metadata`]: readNote,
  [`${OperationSchema.typeName}.type`]: readOperationType,
  [`${TypeThresholdSchema.typeName}.type`]: namedNumber(operationTypeNames),
  [`${ContractSchema.typeName}.type`]: namedNumber(['JAVASCRIPT']),
  [`${PayCoinSchema.typeName}.amount`]: readCoinAmount,
};

function transactionReader(rules: ReadRules) {
  const read = createMessageReader({ ...rules, fields });
  return (json: JsonValue | undefined): Transaction | ReadError => read(TransactionSchema, json);
}

/** A transaction that somebody wants made: nothing that it must have is missing, and nothing in it is unknown. */
export const transactionFromJson = transactionReader(orderRules);

/** One that is to be tried out, and never signed. */
export const transactionFromTrial = transactionReader(trialRules);

/** A transaction as a node shows it: members that are left out have their defaults. */
export const transactionFromRecord = transactionReader(shownRules);

/** What an order must have is shown, too, so that what is shown can be ordered again. */
const writeTransaction = createMessageWriter({
  always: [
    `${SignerSchema.typeName}.weight`,
    `${TypeThresholdSchema.typeName}.threshold`,
    `${SetMetadataSchema.typeName}.value`,
  ],
  beside: {
    [`${TransactionSchema.typeName}.metadata`]: { name: noteTextName, write: noteText },
    [`${OperationSchema.typeName}.metadata`]: { name: noteTextName, write: noteText },
  },
});
