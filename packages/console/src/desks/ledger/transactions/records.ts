/** Transactions as the node answers them, by name. */
import type { LedgerReply } from '@symbolon/sdk/ledger/ledger-client';

export type ExecutedRecord = NonNullable<
  LedgerReply<'getTransactionHistory'>['result']
>['transactions'][number];
export type WaitingRecord = NonNullable<LedgerReply<'getTransactionCache'>['result']>['transactions'][number];
export type TransactionEffects = NonNullable<LedgerReply<'getTransactionEffects'>['result']>;
export type ChangedAccount = TransactionEffects['accounts'][number];
