/**
 * A draft is a transaction as the interface of the ledger writes it, in JSON: form and JSON are two views of it. Numbers
 * are kept as text, so that none loses digits. What is in a draft may be anybody's: it is read strictly, and shown, before
 * anybody signs. Pure.
 */
import {
  type OperationName,
  operationNames,
  operationTypes,
} from '@symbolon/core/ledger/terms/operation-types';
import { transactionLimits } from '@symbolon/core/limits/consensus';
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { isJsonObject, type JsonObject, type JsonValue, parseJsonOrNothing } from '@symbolon/wire/json/json';
import { isReadError } from '@symbolon/wire/json/message-json';
import { transactionFromJson } from '@symbolon/wire/ledger/transaction-json';
import { withNoteTexts } from './notes.ts';

export type Draft = JsonObject;
export type MemberPath = readonly string[];

/** What is missing or wrong, and where: `operations[0].pay_coin.amount`. */
export interface DraftProblem {
  readonly path: string;
  readonly reason: string;
  /** What it would cost, where that is what is wrong. */
  readonly cost?: bigint;
}

export const operationsMax = transactionLimits.operationsMax;

const bodyNames: Readonly<Record<OperationName, string>> = {
  createAccount: 'create_account',
  issueAsset: 'issue_asset',
  payAsset: 'pay_asset',
  setMetadata: 'set_metadata',
  payCoin: 'pay_coin',
  log: 'log',
  setPrivilege: 'set_privilege',
  upgradeContract: 'upgrade_contract',
};

export const bodyName = (name: OperationName): string => bodyNames[name];

/** A new account that its own key rules: anything else locks it. */
const firstBodies: { readonly [Name in OperationName]?: JsonObject } = {
  createAccount: { priv: { master_weight: '1', thresholds: { tx_threshold: '1' } } },
};

export const newOperation = (name: OperationName): JsonObject => ({
  type: operationTypes[name],
  [bodyName(name)]: firstBodies[name] ?? {},
});

export const newDraft = (source: string | undefined): Draft => ({
  ...(source !== undefined && { source_address: source }),
  operations: [newOperation('payCoin')],
});

export const operationsOf = ({ operations }: Draft): readonly JsonObject[] =>
  Array.isArray(operations) ? operations.filter(isJsonObject) : [];

/** Which operation it is, by its type, else by the body that it has; undefined for what the forms do not know. */
export function nameOfOperation(operation: JsonObject): OperationName | undefined {
  return (
    operationNames.find((name) => operation.type === operationTypes[name]) ??
    operationNames.find((name) => isJsonObject(operation[bodyName(name)]))
  );
}

export function memberAt(object: JsonObject, path: MemberPath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (inside, name) => (isJsonObject(inside) && Object.hasOwn(inside, name) ? inside[name] : undefined),
    object,
  );
}

/** As a field shows it. */
export function memberText(object: JsonObject, path: MemberPath): string {
  const value = memberAt(object, path);
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

/** The object with another value at a place; nothing there where the value is empty, and no empty object above it. */
export function withDraftMember(
  object: JsonObject,
  [name, ...inside]: MemberPath,
  value: JsonValue,
): JsonObject {
  if (name === undefined) return object;
  const { [name]: there, ...rest } = object;
  if (inside.length === 0) return value === '' || value === false ? rest : { ...object, [name]: value };
  const part = withDraftMember(isJsonObject(there) ? there : {}, inside, value);
  return Object.keys(part).length === 0 ? rest : { ...object, [name]: part };
}

/** The body of an operation stays even where nothing is in it: it says which operation it is. */
export function withBodyMember(
  operation: JsonObject,
  { name, path }: { readonly name: OperationName; readonly path: MemberPath },
  value: JsonValue,
): JsonObject {
  const body = operation[bodyName(name)];
  return { ...operation, [bodyName(name)]: withDraftMember(isJsonObject(body) ? body : {}, path, value) };
}

export const withOperations = (draft: Draft, operations: readonly JsonObject[]): Draft => ({
  ...draft,
  operations: [...operations],
});

/** The list with one of its elements at another place. */
export function moved<Element>(list: readonly Element[], from: number, to: number): readonly Element[] {
  const element = list[from];
  if (element === undefined || to < 0 || to >= list.length) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, element);
}

/** What a text of JSON says, with its notes where the form has them; undefined where it is no object. */
export function draftOfText(text: string): Draft | undefined {
  const value = parseJsonOrNothing(text);
  return isJsonObject(value) ? withNoteTexts(value) : undefined;
}

/** The transaction that a draft is; `given` stands where the draft says nothing. */
export function transactionOfDraft(
  draft: Draft,
  given: { readonly nonce: bigint | undefined; readonly chainId: string | undefined },
): Transaction | DraftProblem {
  const whole = {
    ...draft,
    ...(memberText(draft, ['nonce']) === '' && given.nonce !== undefined && { nonce: String(given.nonce) }),
    ...(memberText(draft, ['chain_id']) === '' && given.chainId !== undefined && { chain_id: given.chainId }),
  };
  const source = memberText(draft, ['source_address']);
  if (source === '') return { path: 'source_address', reason: 'is missing' };
  if (operationsOf(draft).length === 0) return { path: 'operations', reason: 'is missing' };
  const transaction = transactionFromJson(whole);
  if (!isReadError(transaction)) return transaction;
  const { path, error } = transaction;
  return { path, reason: error.startsWith(`${path}: `) ? error.slice(path.length + 2) : error };
}

export const isDraftProblem = (made: Transaction | DraftProblem): made is DraftProblem => 'reason' in made;
