/**
 * A chain for testing contracts: in this process, in memory, with the real rules and the real engine (docs/contracts.md,
 * "Testing"). Accounts and contracts go by name or by address; whatever fails throws `ContractFailure`.
 */
import type { LedgerRules } from '@symbolon/core/ledger/chain-parameters';
import { gasOf } from '@symbolon/core/ledger/fees';
import { operationTypes } from '@symbolon/core/ledger/operations/index';
import { newAccount, StateLayer, stateKeys } from '@symbolon/core/ledger/state';
import type { SignedTransaction } from '@symbolon/core/ledger/transaction';
import type { MetadataEntry, Operation } from '@symbolon/core/proto/ledger_pb';
import { ContractFailure } from './contract-failure.ts';
import { type Executed, FakeLedger, type OperationOrder, type TestBlock } from './fake-ledger.ts';
import { NamedAccounts, type Person } from './named-accounts.ts';
import { type RunNotes, watchedRules } from './watched-rules.ts';

export { ContractFailure, type ExpectedFailure, expectFailure } from './contract-failure.ts';
export type { TestBlock } from './fake-ledger.ts';
export type { Person } from './named-accounts.ts';

/** What a contract gets as `input`: a text as it is, anything else as JSON. */
export type ContractInput = string | Readonly<Record<string, unknown>>;
type Amount = bigint | number;

export interface AssetAmount {
  /** A name or an address, like everywhere. */
  readonly issuer: string;
  readonly code: string;
  readonly amount: Amount;
}
