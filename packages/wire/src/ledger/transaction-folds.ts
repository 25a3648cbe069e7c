/**
 * The shapes in which people and programs write operations, as the one shape that is read: the flat members of the
 * interface document, what public clients are known to send beside them, and which members an order must have. One
 * thing that is said twice, differently, is refused: whichever is chosen, the other is dropped.
 */
import {
  AccountPrivilegeSchema,
  CreateAccountSchema,
  IssueAssetSchema,
  LogSchema,
  OperationSchema,
  PayAssetSchema,
  PayCoinSchema,
  SetMetadataSchema,
  SetPrivilegeSchema,
  SignerSchema,
  TransactionSchema,
  TypeThresholdSchema,
  UpgradeContractSchema,
} from '@symbolon/core/proto/ledger_pb';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../json/json.ts';
import {
  complainAt,
  type Fold,
  type JsonReading,
  type ReadingProblem,
  type ReadRules,
  readFlag,
} from '../json/message-json.ts';
import { foldNote, noteTextName } from './transaction-notes.ts';

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

/** What SET_PRIVILEGE does now: no block takes them. */
const retiredTypes: readonly number[] = [5, 6];

/** The body that each type takes, by its number. */
const bodyNames = operationTypeNames.map((name) => name.toLowerCase());

export const isGiven = (value: JsonValue | undefined): value is JsonValue =>
  value !== undefined && value !== null && value !== '';

/** Members that stand elsewhere, by their name: where they belong. */
type Moves = Readonly<Record<string, readonly string[]>>;

const moves = {
  [PayAssetSchema.typeName]: {
    issuer: ['asset', 'key', 'issuer'],
    code: ['asset', 'key', 'code'],
    amount: ['asset', 'amount'],
    // A client for Flutter calls the amount so where it calls a contract.
    asset_amount: ['asset', 'amount'],
  },
  [CreateAccountSchema.typeName]: {
    payload: ['contract', 'payload'],
    owner: ['contract', 'owner'],
    master_weight: ['priv', 'master_weight'],
    tx_threshold: ['priv', 'tx_threshold'],
    // The same client's name for it.
    initInput: ['init_input'],
  },
  // Control rights written the way set_privilege writes them: thresholds beside the weights.
  [AccountPrivilegeSchema.typeName]: {
    tx_threshold: ['thresholds', 'tx_threshold'],
    type_thresholds: ['thresholds', 'type_thresholds'],
  },
  // The same client sends the weight under this name.
  [SetPrivilegeSchema.typeName]: { key: ['master_weight'] },
} as const satisfies Readonly<Record<string, Moves>>;

/** The object with its members where they belong. */
function move(object: JsonObject, table: Moves, reading: JsonReading): JsonObject | undefined {
  let moved = object;
  for (const [name, place] of Object.entries(table)) {
    if (!Object.hasOwn(moved, name)) continue;
    const { [name]: value, ...rest } = moved;
    const placed = isGiven(value) ? put(rest, place, value) : rest;
    if (!placed) return complainAt(reading, `${place.join('.')} says something else`, name);
    moved = placed;
  }
  return moved;
}

/** The object with the value at a place inside of it; undefined where another value stands there. */
function put(
  object: JsonObject,
  [name, ...inside]: readonly string[],
  value: JsonValue,
): JsonObject | undefined {
  const there = object[name];
  if (inside.length === 0) {
    if (isGiven(there)) return isSame(there, value) ? object : undefined;
    return { ...object, [name]: value };
  }
  // What is there but is no object is left alone: reading it gives the right error.
  if (isGiven(there) && !isJsonObject(there)) return object;
  const part = put(isGiven(there) ? there : {}, inside, value);
  return part && { ...object, [name]: part };
}

/** A number and its decimal text are the same. */
const isSame = (left: JsonValue, right: JsonValue): boolean =>
  typeof left === 'object' || typeof right === 'object'
    ? stringifyJson(left) === stringifyJson(right)
    : String(left) === String(right);

/**
 * What clients put into a body though it is the operation's: one for Flutter all of these into every body, beside its
 * own name for the type; one for Node the source of an issued asset.
 */
const liftedMembers: Moves = {
  sourceAddress: ['source_address'],
  source_address: ['source_address'],
  metadata: ['metadata'],
};
const sourceNames = ['sourceAddress', 'source_address'];

const foldOperation: Fold = (operation, reading) => {
  const noted = foldNote(operation, reading);
  if (!noted) return undefined;
  let folded: JsonObject = noted;
  for (const name of bodyNames) {
    const body = folded[name];
    if (!isJsonObject(body)) continue;
    const { operationType: _, ...own } = body;
    folded = { ...folded, [name]: own };
    for (const [member, place] of Object.entries(liftedMembers)) {
      if (!Object.hasOwn(own, member)) continue;
      const value = own[member];
      delete own[member];
      const lifted = isGiven(value) ? put(folded, place, value) : folded;
      if (!lifted)
        return complainAt(reading, `the operation's ${place} says something else`, `${name}.${member}`);
      folded = lifted;
    }
  }
  return folded;
};

/** A body that names the transaction's own source as the operation's says nothing, and makes no longer a blob. */
const foldTransaction: Fold = (given, reading) => {
  const transaction = foldNote(given, reading);
  const { source_address: source, operations } = transaction ?? {};
  if (!transaction || !Array.isArray(operations)) return transaction;
  return { ...transaction, operations: operations.map((operation) => withoutSource(operation, source)) };
};

function withoutSource(operation: JsonValue, source: JsonValue | undefined): JsonValue {
  if (!isJsonObject(operation) || isGiven(operation.source_address)) return operation;
  const says = (member: string, value: JsonValue) => sourceNames.includes(member) && value === source;
  const entries = Object.entries(operation).map(([name, body]): [string, JsonValue] => {
    if (!isJsonObject(body)) return [name, body];
    const members = Object.entries(body);
    return [name, Object.fromEntries(members.filter(([member, value]) => !says(member, value)))];
  });
  return Object.fromEntries(entries);
}

const missing = (object: JsonObject, ...names: string[]): ReadingProblem => {
  const path = names.find((name) => !isGiven(object[name]));
  return path === undefined ? undefined : { path, reason: 'is missing' };
};

/** The number of an operation's type, however it is written; -1 for what is none. */
function typeNumber(type: JsonValue): number {
  if (typeof type === 'object') return -1;
  const named =
    typeof type === 'string' ? (operationTypeNames as readonly string[]).indexOf(type.toUpperCase()) : -1;
  const number = named === -1 ? Number(type) : named;
  return number > 0 && number in bodyNames ? number : -1;
}

function operationNeeds(operation: JsonObject): ReadingProblem {
  const type = isGiven(operation.type) ? typeNumber(operation.type) : undefined;
  if (type === undefined) return { path: 'type', reason: 'is missing' };
  // Reading the type says what is wrong with it.
  if (type === -1) return undefined;
  if (retiredTypes.includes(type))
    return { path: 'type', reason: `no block takes ${operationTypeNames[type]} any more; use SET_PRIVILEGE` };
  const expected = bodyNames[type];
  if (!isGiven(operation[expected]))
    return { path: expected, reason: `is missing: it is what type ${type} takes` };
  const other = bodyNames.find((name) => name !== expected && isGiven(operation[name]));
  return other === undefined ? undefined : { path: other, reason: `type ${type} takes ${expected} alone` };
}

const isSet = (flag: JsonValue | undefined): boolean => {
  const reading: JsonReading = { elementsLeft: 0, problem: undefined };
  return readFlag(flag ?? null, reading) === true;
};

const upgrades = [
  ['s_payload', 'payload'],
  ['s_owner', 'owner'],
] as const;

/**
 * A flag without its member, or a member without its flag, is half of an upgrade: the other half would be dropped. A flag
 * that is false says that nothing is to be done with its member.
 */
function upgradeNeeds(body: JsonObject): ReadingProblem {
  for (const [flag, member] of upgrades) {
    if (isSet(body[flag]) && !isGiven(body[member]))
      return { path: member, reason: `is missing: ${flag} says that it changes` };
    if (!isGiven(body[flag]) && isGiven(body[member]))
      return { path: member, reason: `changes only with ${flag} true; leave it out if it does not` };
  }
  return upgrades.some(([flag]) => isSet(body[flag]))
    ? undefined
    : { path: 's_payload', reason: 'is missing, as is s_owner: one of them says what changes' };
}

/** What an order must say: an absent member would be read as zero or as nothing, and executed as such. */
const needs = {
  [OperationSchema.typeName]: operationNeeds,
  [SignerSchema.typeName]: (object) => missing(object, 'address', 'weight'),
  [TypeThresholdSchema.typeName]: (object) => missing(object, 'type', 'threshold'),
  // A call of a contract may pay nothing; a payment says how much.
  [PayCoinSchema.typeName]: (object) =>
    missing(object, 'dest_address') ?? (isGiven(object.input) ? undefined : missing(object, 'amount')),
  [PayAssetSchema.typeName]: (object) => missing(object, 'dest_address'),
  [IssueAssetSchema.typeName]: (object) => missing(object, 'code', 'amount'),
  [LogSchema.typeName]: (object) => missing(object, 'topic'),
  [UpgradeContractSchema.typeName]: (object) => missing(object, 'dest_address') ?? upgradeNeeds(object),
  // A value of no characters is one; only a deletion needs none.
  [SetMetadataSchema.typeName]: (object) =>
    missing(object, 'key') ??
    (object.value === '' || isSet(object.delete_flag) ? undefined : missing(object, 'value')),
  // A contract's address is derived.
  [CreateAccountSchema.typeName]: (object) =>
    isGiven(object.contract) ? undefined : missing(object, 'dest_address'),
} satisfies ReadRules['needs'];

const folds: Record<string, Fold> = {
  [TransactionSchema.typeName]: foldTransaction,
  [OperationSchema.typeName]: foldOperation,
};
for (const [typeName, table] of Object.entries(moves))
  folds[typeName] = (object, reading) => move(object, table, reading);

const folded = {
  ...Object.fromEntries(Object.entries(moves).map(([typeName, table]) => [typeName, Object.keys(table)])),
  [TransactionSchema.typeName]: [noteTextName],
  [OperationSchema.typeName]: [noteTextName],
};

/** How the transactions are read that a node shows: an absent member has its default. */
export const shownRules = { folds, folded, isExact: true } as const satisfies ReadRules;

/** How the transactions are read that somebody wants made. */
export const orderRules = { ...shownRules, needs } as const satisfies ReadRules;

/** How those are read that are only tried: public clients leave an amount of zero out where they call a contract. */
export const trialRules = {
  ...shownRules,
  needs: { ...needs, [PayCoinSchema.typeName]: (object: JsonObject) => missing(object, 'dest_address') },
} as const satisfies ReadRules;
