/** What a successful transaction of a test chain left behind, in the words of whoever tests a contract. */

import { gasOf } from '@symbolon/core/ledger/checks/fees';
import type { TriggeredTransaction } from '@symbolon/core/ledger/contracts/contract-runs';
import { operationRules } from '@symbolon/core/ledger/operations/index';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import type { OperationName } from '@symbolon/core/ledger/terms/operation-types';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import type { Operation } from '@symbolon/core/proto/ledger_pb';
import type { TestBlock } from './fake-ledger.ts';
import type { RunNotes } from './watched-rules.ts';

/** What a contract said with `Chain.tlog`. */
export interface ContractEvent {
  readonly contract: string;
  readonly topic: string;
  readonly values: readonly string[];
}

/** What a contract did to the ledger, in the order of doing. */
export interface TriggeredOperation {
  readonly contract: string;
  readonly type: OperationName;
  /** The operation's own fields, such as `destAddress` and `amount`. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface RunReceipt extends RunNotes {
  /** The block it was executed in. */
  readonly block: TestBlock;
  readonly events: readonly ContractEvent[];
  readonly triggered: readonly TriggeredOperation[];
  /** Bytes and operations, those of triggered transactions included; times the gas price it is the fee. */
  readonly gas: bigint;
}

export interface ReceiptFacts {
  readonly signed: SignedTransaction;
  readonly triggered: readonly TriggeredTransaction[];
  readonly notes: RunNotes;
  readonly block: TestBlock;
  readonly rules: LedgerRules;
}

export function receiptOf({ signed, triggered, notes, block, rules }: ReceiptFacts): RunReceipt {
  const operations = triggered.flatMap(({ signed: { transaction } }) =>
    transaction.operations.map((operation) => describe(transaction.sourceAddress, operation)),
  );
  const { fees } = rules.parameters;
  const transactions = [signed, ...triggered.map((it) => it.signed)];
  return {
    ...notes,
    block,
    events: operations.filter(({ type }) => type === 'log').map(eventOf),
    triggered: operations,
    gas: transactions.reduce((gas, transaction) => gas + gasOf(transaction, fees), 0n),
  };
}

function describe(contract: string, operation: Operation): TriggeredOperation {
  const type = (operationRules(operation.type)?.name ?? 'log') as OperationName;
  const { $typeName: _, ...body } = (operation[type] ?? {}) as Record<string, unknown>;
  return { contract, type, body };
}

function eventOf({ contract, body }: TriggeredOperation): ContractEvent {
  const { topic, datas } = body as { topic: string; datas: readonly string[] };
  return { contract, topic, values: datas };
}
