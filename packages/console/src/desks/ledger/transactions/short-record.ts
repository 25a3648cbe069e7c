/**
 * Transactions of lists come in short: four operations, 160 characters of a text. From that a transaction is made whose
 * sentence is that of the whole one, or it is said that the whole one is needed. Pure.
 */

import { didLogKey } from '@symbolon/core/did/did-log';
import { operationTypes } from '@symbolon/core/ledger/terms/operation-types';
import type { LedgerReply } from '@symbolon/sdk/ledger/ledger-client';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';

type Listed = NonNullable<LedgerReply<'getTransactions'>['result']>['transactions'][number];
export type ShortTransaction = Listed & { readonly roles?: readonly string[] };
type ShortOperation = Listed['operations'][number];

const { setMetadata, setPrivilege } = operationTypes;

/** The short form says nothing of who may sign afterwards, nor of what is written: of a DID document that is the sentence. */
const isUntold = ({ type, key }: ShortOperation): boolean =>
  type === setPrivilege || (type === setMetadata && key === didLogKey);

/** What the short form leaves out would be missing in the sentence. */
export const isCutShort = ({ operations, operation_count: count }: ShortTransaction): boolean =>
  count > operations.length ||
  operations.some((operation) => operation.is_cut === true || isUntold(operation));

/** In the form of a record of history. */
export const recordOfShort = ({ source_address: source, operations }: ShortTransaction): JsonObject => ({
  source_address: source,
  operations: operations.map(operationOf),
});

function operationOf(short: ShortOperation): JsonObject {
  const { type, source_address: source } = short;
  return { type, ...(source !== undefined && { source_address: source }), ...bodyOf(short) };
}

function bodyOf(short: ShortOperation): JsonObject {
  const { amount = 0, asset, code = '', key = '', topic = '', input } = short;
  const to: JsonObject = short.dest_address === undefined ? {} : { dest_address: short.dest_address };
  const called = callInput(short, input);
  const bodies: Readonly<Record<number, JsonObject>> = {
    1: {
      create_account: {
        ...to,
        init_balance: amount,
        ...(short.creates_contract && { contract: { payload: ' ' } }),
      },
    },
    2: { issue_asset: { code, amount } },
    3: { pay_asset: { ...to, asset: { amount, key: { ...asset } as JsonValue }, ...called } },
    4: { set_metadata: { key, delete_flag: short.is_deletion ?? false } },
    7: { pay_coin: { ...to, amount, ...called } },
    8: { log: { topic } },
    9: { set_privilege: {} },
    10: { upgrade_contract: { ...to } },
  };
  return bodies[short.type] ?? {};
}

/** Of a call that is cut the name of its method is still there to be read. */
function callInput({ is_cut: isCut }: ShortOperation, input: string | undefined): JsonObject {
  if (input === undefined) return {};
  const method = isCut ? /^\s*\{\s*"method"\s*:\s*"([^"\\]+)"/.exec(input)?.[1] : undefined;
  return { input: method === undefined ? input : `{"method":"${method}"}` };
}
