/**
 * The state that blocks are executed on a second time, to see what each transaction changes. The chain's own store
 * keeps the state of its head alone: what stood there before a transaction is known only to whoever executes it again.
 * The outcome is compared with what history says, so an index never tells changes that did not happen.
 */
import { emptyBytes, encodeHex, equalBytes } from '@symbolon/core/basics/bytes';
import { applyTransaction, type Outcome } from '@symbolon/core/ledger/execution/apply-transaction';
import { beginBlock, payValidators } from '@symbolon/core/ledger/execution/block-frame';
import { genesisChanges } from '@symbolon/core/ledger/execution/close-block';
import { hashOwned, type OwnedHashes, type TreeOf } from '@symbolon/core/ledger/execution/state-trees';
import type { BlockContext, LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import { StateLayer } from '@symbolon/core/ledger/terms/state';
import { openTransaction, type SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import type { TransactionEnvStore } from '@symbolon/core/proto/ledger_pb';
import type { StateChange } from '@symbolon/wire/ledger/explorer/effects';
import { CommittedState } from '../chain/committed-state.ts';
import { hashPairs } from '../chain/hash-pairs.ts';
import { createTreeOf } from '../chain/state-tree-store.ts';
import { explorerLimits } from '../limits/node-limits.ts';
import type { Store } from '../store/store.ts';
import type { FedBlock } from './fed-block.ts';
import { blockHashRow } from './index-rows.ts';

/** A block that cannot be executed again, or that ends differently: the index is not made from it. */
export class ReplayDiffers extends Error {
  override name = 'ReplayDiffers';
}

/** A signed transaction that was executed again. */
export interface Replayed {
  readonly record: TransactionEnvStore;
  /** Its place among the records of the block; those that it triggered follow it. */
  readonly index: number;
  readonly signed: SignedTransaction;
  readonly signedBy: ReadonlySet<string>;
  readonly outcome: Outcome;
  readonly changes: readonly StateChange[];
  /** Whether there is code at an address, after the transaction. */
  isContract(address: string): boolean;
}

export interface ReplayOptions {
  readonly onTransaction: (replayed: Replayed) => void;
  /** Awaited now and then: others have their turn. */
  readonly pause: () => Promise<void>;
}

export class Replica {
  readonly #store: Store;
  readonly #rules: LedgerRules;
  readonly #treeOf: TreeOf;
  readonly state: CommittedState;

  constructor(store: Store, rules: LedgerRules) {
    this.#store = store;
    this.#rules = rules;
    this.state = new CommittedState(store, explorerLimits.stateCacheEntriesMax);
    this.#treeOf = createTreeOf(store, hashPairs, explorerLimits.treeCacheBytesMax);
  }

  /** Executes a block on the state before it; what it changes is the caller's to store, and then to `advance` to. */
  async replay(block: FedBlock, { onTransaction, pause }: ReplayOptions): Promise<OwnedHashes> {
    const { header, records } = block;
    const { parameters, sha256 } = this.#rules;
    const tools = { treeOf: this.#treeOf, sha256 };
    if (header.seq === 1n) return hashOwned(this.state, genesisChanges(parameters), tools);
    const layer = new StateLayer(this.state);
    const context = this.#contextOf(block);
    beginBlock(layer, context, this.#rules);
    let fees = 0n;
    for (const [index, record] of records.entries()) {
      if (record.transactionEnv?.trigger) continue;
      const replayed = this.#apply(record, index, layer, context);
      this.#compare(replayed, records);
      fees += replayed.outcome.actualFee;
      onTransaction(replayed);
      await pause();
    }
    payValidators(layer, fees + parameters.fees.blockReward, { block: context, rules: this.#rules });
    return hashOwned(this.state, layer.changes, tools);
  }

  /** To be called when what a block changed is stored. */
  advance({ hashedChanges, updates }: OwnedHashes): void {
    this.state.advance(hashedChanges);
    for (const { tree, update } of updates) tree.commit(update);
  }

  #contextOf({ header, frame, validators }: FedBlock): BlockContext {
    const { seq, closeTime } = header;
    return {
      ...frame,
      seq,
      closeTime,
      validators,
      hashBefore: (offset) => {
        const hash =
          seq - 1n > BigInt(offset) ? this.#store.get(blockHashRow(seq - 1n - BigInt(offset))) : undefined;
        return hash && encodeHex(hash);
      },
    };
  }

  #apply(record: TransactionEnvStore, index: number, layer: StateLayer, block: BlockContext): Replayed {
    const { keys, sha256 } = this.#rules;
    const { transaction: blob = emptyBytes, signatures = [] } = record.transactionEnv ?? {};
    const signed = openTransaction(blob, signatures, sha256);
    if (!signed) throw differs(record, 'cannot be read');
    // A block holds signatures that were verified and no others: what they say of themselves is taken for true.
    const signedBy = new Set(signatures.flatMap(({ publicKey }) => keys.signerOf(publicKey)?.address ?? []));
    const own = new StateLayer(layer);
    const outcome = applyTransaction({ signed, signedBy }, own, { block, rules: this.#rules });
    if ('dropped' in outcome) throw differs(record, `is not executed: ${outcome.dropped.description}`);
    const changes = [...own.changes].map(
      ([key, after]): StateChange => ({ key, before: layer.read(key), after: after ?? undefined }),
    );
    own.mergeInto(layer);
    const isContract = (address: string): boolean => Boolean(layer.account(address)?.contract?.payload);
    return { record, index, signed, signedBy, outcome, changes, isContract };
  }

  #compare({ record, index, outcome }: Replayed, records: readonly TransactionEnvStore[]): void {
    const { failure, actualFee, triggered } = outcome;
    const isSame =
      (failure?.code ?? 0) === record.errorCode &&
      actualFee === record.actualFee &&
      triggered.length === record.contractTxHashes.length &&
      triggered.every(({ signed }, offset) =>
        equalBytes(signed.hash, records[index + 1 + offset]?.hash ?? emptyBytes),
      );
    if (!isSame) throw differs(record, 'ends differently when it is executed again');
  }
}

const differs = ({ hash, ledgerSeq }: TransactionEnvStore, what: string): ReplayDiffers =>
  new ReplayDiffers(`block ${ledgerSeq}: transaction ${encodeHex(hash)} ${what}`);
