/**
 * Executing one transaction on the state of its block (docs/ledger.md, "Execution"). Three outcomes: it does not belong
 * in the block (no trace), it failed (the nonce and the whole fee limit are gone, nothing else), or it succeeded.
 */
import { assert } from '../../basics/assert.ts';
import type { Operation } from '../../proto/ledger_pb.ts';
import { checkSource, checkTransaction, inOperation, sourceOf } from '../checks/check-transaction.ts';
import { ContractRuns, type TriggeredTransaction } from '../contracts/contract-runs.ts';
import { evaluateExpression } from '../expression/expression.ts';
import { operationRules } from '../operations/index.ts';
import { isAuthorized, type SignedBy } from '../terms/authorize.ts';
import type { BlockContext, LedgerRules } from '../terms/chain-parameters.ts';
import { type LedgerRefusal, noAccount, refuse } from '../terms/codes.ts';
import { StateLayer } from '../terms/state.ts';
import type { SignedTransaction } from '../terms/transaction.ts';

/** A transaction together with the addresses whose signatures on it verify. */
export interface VerifiedTransaction {
  readonly signed: SignedTransaction;
  readonly signedBy: SignedBy;
}

/** What became of an executed transaction. */
export interface Outcome {
  readonly failure: LedgerRefusal | undefined;
  readonly actualFee: bigint;
  /** What a success has to say: the contracts it created. */
  readonly result: string;
  /** What its contracts did, in the order of execution; a failure leaves none of it. */
  readonly triggered: readonly TriggeredTransaction[];
  /** What its contracts took of what they may use together. */
  readonly contractGas: bigint;
}

export type Execution = { readonly dropped: LedgerRefusal } | Outcome;

export function applyTransaction(
  verified: VerifiedTransaction,
  state: StateLayer,
  { block, rules }: { block: BlockContext; rules: LedgerRules },
): Execution {
  const { signed, signedBy } = verified;
  const { transaction } = signed;
  const source = state.account(transaction.sourceAddress);
  if (!source) return { dropped: noAccount(transaction.sourceAddress) };
  const unfit =
    checkTransaction(signed, rules, block.seq) ??
    (transaction.nonce === source.nonce + 1n
      ? undefined
      : refuse('badNonce', `nonce ${transaction.nonce} does not follow ${source.nonce}`)) ??
    checkSource(signed, source, signedBy, rules);
  if (unfit) return { dropped: unfit };

  // The fee limit and the nonce are gone from here on, whatever happens.
  state.putAccount({ ...source, nonce: transaction.nonce, balance: source.balance - transaction.feeLimit });

  const effects = new StateLayer(state);
  const contracts = new ContractRuns(signed, block, rules);
  const failure = applyOperations(verified, effects, contracts);
  const { contractGas } = contracts;
  if (failure) return { failure, actualFee: transaction.feeLimit, result: '', triggered: [], contractGas };

  const actualFee = contracts.gas * transaction.gasPrice;
  effects.mergeInto(state);
  refund(state, transaction.sourceAddress, transaction.feeLimit - actualFee);
  const { triggered } = contracts;
  return { failure, actualFee, result: contracts.creationResult(), triggered, contractGas };
}

/** The operations in order, stopping at the first that fails. */
export function applyOperations(
  { signed, signedBy }: VerifiedTransaction,
  layer: StateLayer,
  contracts: ContractRuns,
): LedgerRefusal | undefined {
  const { transaction, hash } = signed;
  const { block, rules } = contracts;
  const holds = (expression: string): LedgerRefusal | undefined =>
    evaluateExpression(expression, {
      ledgerSeq: block.seq,
      ledgerTime: block.closeTime,
      account: (address) => {
        const account = layer.account(address);
        return account && rules.describeAccount(account);
      },
    });

  const apply = (operation: Operation, index: number): LedgerRefusal | undefined => {
    const source = sourceOf(operation, transaction);
    const account = layer.account(source);
    if (!account) return noAccount(source);
    if (!isAuthorized(account, signedBy, operation.type)) {
      return refuse('weightTooLow', `the signatures do not reach the threshold of account ${source}`);
    }
    const unmet = holds(operation.exprCondition);
    if (unmet) return unmet;
    const context = { rules, source, layer, account, transaction, hash, index, contracts };
    return operationRules(operation.type)?.apply(operation, context);
  };

  const conditionFailure = holds(transaction.exprCondition);
  if (conditionFailure) return conditionFailure;
  for (const [index, operation] of transaction.operations.entries()) {
    const failure = apply(operation, index);
    if (failure) return inOperation(index, failure);
  }
  return undefined;
}

function refund(state: StateLayer, address: string, amount: bigint): void {
  const account = state.account(address);
  assert(account, 'the source of an executed transaction exists');
  state.putAccount({ ...account, balance: account.balance + amount });
}
