/**
 * The fields of the form: of the whole transaction, of any operation, and of each in the order in which one fills them in,
 * with their places in the operation's body. What stands nowhere here is told beside the form (`unseen-members.ts`).
 */
import type { OperationName } from '@symbolon/core/ledger/terms/operation-types';
import type { DeskSections } from '../../../words/desk-words.ts';
import type { MemberPath } from './draft.ts';

/**
 * `account` is an address, `coins` an amount of coins, `whole` a number, `line` a short text, `text` a long one, `flag`
 * yes or no; `lines` is a list with one text a line, `weights` and `thresholds` lists of two words a line.
 */
export type FieldKind =
  | 'account'
  | 'coins'
  | 'whole'
  | 'line'
  | 'text'
  | 'flag'
  | 'lines'
  | 'weights'
  | 'thresholds';

export interface OperationField {
  readonly name: keyof DeskSections['lab']['fields'];
  readonly path: MemberPath;
  readonly kind: FieldKind;
  /** Seldom filled in: below the others, folded while it is empty. */
  readonly isSeldom?: boolean;
  /** A member that says that this one is given. */
  readonly flag?: MemberPath;
}

/** Members of a transaction, by what their fields are called. */
export const transactionTerms = {
  source_address: 'source',
  nonce: 'nonce',
  metadata_text: 'note',
  fee_limit: 'cost',
  gas_price: 'gasPrice',
  ceil_ledger_seq: 'ceiling',
  chain_id: 'chain',
  expr_condition: 'condition',
  operations: 'operations',
} as const satisfies Readonly<Record<string, keyof DeskSections['lab']>>;

/** Members that every operation may have beside its body. */
export const operationTerms = {
  metadata_text: 'note',
  expr_condition: 'condition',
  source_address: 'otherSource',
} as const satisfies Readonly<Record<string, keyof DeskSections['lab']>>;

export const operationFields: Readonly<Record<OperationName, readonly OperationField[]>> = {
  payCoin: [
    { name: 'to', path: ['dest_address'], kind: 'account' },
    { name: 'amount', path: ['amount'], kind: 'coins' },
    { name: 'input', path: ['input'], kind: 'text', isSeldom: true },
  ],
  createAccount: [
    { name: 'newAccount', path: ['dest_address'], kind: 'account' },
    { name: 'firstBalance', path: ['init_balance'], kind: 'coins' },
    { name: 'masterWeight', path: ['priv', 'master_weight'], kind: 'whole' },
    { name: 'threshold', path: ['priv', 'thresholds', 'tx_threshold'], kind: 'whole' },
    { name: 'code', path: ['contract', 'payload'], kind: 'text', isSeldom: true },
    { name: 'initInput', path: ['init_input'], kind: 'text', isSeldom: true },
    { name: 'contractOwner', path: ['contract', 'owner'], kind: 'account', isSeldom: true },
    { name: 'signers', path: ['priv', 'signers'], kind: 'weights', isSeldom: true },
    {
      name: 'typeThresholds',
      path: ['priv', 'thresholds', 'type_thresholds'],
      kind: 'thresholds',
      isSeldom: true,
    },
  ],
  setMetadata: [
    { name: 'key', path: ['key'], kind: 'line' },
    { name: 'value', path: ['value'], kind: 'text' },
    { name: 'version', path: ['version'], kind: 'whole', isSeldom: true },
    { name: 'deletes', path: ['delete_flag'], kind: 'flag', isSeldom: true },
  ],
  issueAsset: [
    { name: 'asset', path: ['code'], kind: 'line' },
    { name: 'count', path: ['amount'], kind: 'whole' },
  ],
  payAsset: [
    { name: 'to', path: ['dest_address'], kind: 'account' },
    { name: 'count', path: ['asset', 'amount'], kind: 'whole' },
    { name: 'assetIssuer', path: ['asset', 'key', 'issuer'], kind: 'account' },
    { name: 'asset', path: ['asset', 'key', 'code'], kind: 'line' },
    { name: 'input', path: ['input'], kind: 'text', isSeldom: true },
  ],
  log: [
    { name: 'topic', path: ['topic'], kind: 'line' },
    { name: 'datas', path: ['datas'], kind: 'lines' },
  ],
  setPrivilege: [
    { name: 'masterWeight', path: ['master_weight'], kind: 'whole' },
    { name: 'threshold', path: ['tx_threshold'], kind: 'whole' },
    { name: 'signers', path: ['signers'], kind: 'weights' },
    { name: 'typeThresholds', path: ['type_thresholds'], kind: 'thresholds' },
  ],
  upgradeContract: [
    { name: 'contract', path: ['dest_address'], kind: 'account' },
    { name: 'code', path: ['payload'], kind: 'text', flag: ['s_payload'] },
    { name: 'owner', path: ['owner'], kind: 'account', flag: ['s_owner'] },
  ],
};
