/**
 * A block's transactions on the state before it: what changes, what is recorded, what does not belong. Pure and
 * synchronous; the roots and the header come after it, in `close-block.ts`.
 */
import { create } from '@bufbuild/protobuf';
import {
  type Account,
  type Transaction,
  type TransactionEnvStore,
  TransactionEnvStoreSchema,
  type ValidatorSet,
} from '../../proto/ledger_pb.ts';
import type { BlockContext, LedgerRules } from '../terms/chain-parameters.ts';
import type { LedgerRefusal } from '../terms/codes.ts';
import { type StateChanges, StateLayer, type StateReader } from '../terms/state.ts';
import { envelopeOf } from '../terms/transaction.ts';
import type { ValidatorUpdate } from '../terms/validators.ts';
import { applyTransaction, type Outcome, type VerifiedTransaction } from './apply-transaction.ts';
import { beginBlock, contractsHaveRoom, payValidators, validatorsAround } from './block-frame.ts';
import { assertInvariants } from './invariants.ts';

export interface ExecutionRecord {
  readonly verified: VerifiedTransaction;
  readonly outcome: Outcome;
}

export interface ExecutedBlock {
  readonly context: BlockContext;
  readonly transactions: readonly ExecutionRecord[];
  /** Transactions that may not stand in this block: not recorded, not charged. */
  readonly dropped: readonly { readonly verified: VerifiedTransaction; readonly refusal: LedgerRefusal }[];
  /** Transactions for which no gas was left in this block: as if they had not been given. */
  readonly postponed: readonly VerifiedTransaction[];
  readonly changes: StateChanges;
  /** What history keeps, in the order of execution. */
  readonly records: readonly TransactionEnvStore[];
  /** Whom its header names: who signs the block after it. */
  readonly validators: ValidatorSet;
  /** In a network: how those differ whom the header of the next block will name. */
  readonly validatorUpdates: readonly ValidatorUpdate[];
}

export interface BlockOptions {
  readonly block: BlockContext;
  readonly rules: LedgerRules;
  /**
   * Asked with the gas that the block's contracts have used, whether there is room for another. Once there is none,
   * further calls of contracts are postponed. Without: never. A network does not ask it: all its nodes postpone the same.
   */
  readonly hasRoom?: (contractGas: bigint) => boolean;
}

export function executeBlock(
  before: StateReader,
  given: Iterable<VerifiedTransaction>,
  { block, rules, ...options }: BlockOptions,
): ExecutedBlock {
  const hasRoom = rules.parameters.network ? contractsHaveRoom : options.hasRoom;
  const state = new StateLayer(before);
  beginBlock(state, block, rules);
  const transactions: ExecutionRecord[] = [];
  const dropped: { verified: VerifiedTransaction; refusal: LedgerRefusal }[] = [];
  const postponed: VerifiedTransaction[] = [];
  const postponedSources = new Set<string>();
  let feesPaid = 0n;
  let contractGas = 0n;
  let isFull = false;
  for (const verified of given) {
    const { transaction } = verified.signed;
    isFull ||= hasRoom !== undefined && contractGas > 0n && !hasRoom(contractGas);
    if (
      isFull &&
      (postponedSources.has(transaction.sourceAddress) || contractsRunBy(transaction, state).length > 0)
    ) {
      postponedSources.add(transaction.sourceAddress);
      postponed.push(verified);
      continue;
    }
    const execution = applyTransaction(verified, state, { block, rules });
    if ('dropped' in execution) {
      dropped.push({ verified, refusal: execution.dropped });
    } else {
      transactions.push({ verified, outcome: execution });
      feesPaid += execution.actualFee;
      contractGas += execution.contractGas;
    }
  }
  const { blockReward: reward } = rules.parameters.fees;
  payValidators(state, feesPaid + reward, { block, rules });
  assertInvariants(before, state.changes, { transactions, reward });
  const records = transactions.flatMap((transaction) => recordsOf(transaction, block));
  const { changes } = state;
  const named = validatorsAround(before, changes, { block, rules });
  return { context: block, transactions, dropped, postponed, changes, records, ...named };
}

/** The contracts whose code executing it would run, as far as its operations tell: by address, new ones as ''. */
export const contractsRunBy = (
  { operations }: Transaction,
  state: { account(address: string): Account | undefined },
): string[] =>
  operations.flatMap(({ createAccount, payCoin, payAsset }) => {
    if (createAccount?.contract?.payload) return [''];
    const target = payCoin?.destAddress ?? payAsset?.destAddress;
    return target && state.account(target)?.contract?.payload ? [target] : [];
  });

/** A transaction's own record, then one for each it triggered. */
function recordsOf({ verified, outcome }: ExecutionRecord, block: BlockContext): TransactionEnvStore[] {
  const { failure, actualFee, result, triggered } = outcome;
  const recordedAt = { ledgerSeq: block.seq, closeTime: block.closeTime };
  return [
    create(TransactionEnvStoreSchema, {
      ...recordedAt,
      transactionEnv: envelopeOf(verified.signed),
      errorCode: failure?.code ?? 0,
      errorDesc: failure?.description ?? result,
      hash: verified.signed.hash,
      actualFee,
      contractTxHashes: triggered.map(({ signed }) => signed.hash),
    }),
    ...triggered.map(({ signed, trigger }) =>
      create(TransactionEnvStoreSchema, {
        ...recordedAt,
        transactionEnv: { ...envelopeOf(signed), trigger },
        hash: signed.hash,
      }),
    ),
  ];
}
