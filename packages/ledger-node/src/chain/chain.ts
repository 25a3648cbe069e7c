/**
 * The chain: the only writer of the store. A block is prepared in memory (executed, closed), then made durable by one
 * synced write that holds block, history, state, trees and head, and only then becomes visible. After a crash the head
 * row decides what happened.
 *
 * It does not know where blocks come from: a driver hands it transactions and a time.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { create, toBinary } from '@bufbuild/protobuf';
import { assert } from '@symbolon/core/basics/assert';
import { emptyBytes, encodeHex, equalBytes } from '@symbolon/core/basics/bytes';
import type { VerifiedTransaction } from '@symbolon/core/ledger/execution/apply-transaction';
import { type ClosedBlock, closeBlock } from '@symbolon/core/ledger/execution/close-block';
import {
  type BlockOptions,
  type ExecutedBlock,
  executeBlock,
} from '@symbolon/core/ledger/execution/execute-block';
import { type HashedState, hashState, type TreeOf } from '@symbolon/core/ledger/execution/state-trees';
import type { BlockContext, BlockFrame, LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import type { StateChanges } from '@symbolon/core/ledger/terms/state';
import { accountKeysOf } from '@symbolon/core/ledger/terms/transaction';
import type { ValidatorUpdate } from '@symbolon/core/ledger/terms/validators';
import {
  type HeadRecord,
  HeadRecordSchema,
  type LedgerHeader,
  type ValidatorSet,
  ValidatorSetSchema,
} from '@symbolon/core/proto/ledger_pb';
import type { HashPairs } from '@symbolon/core/tree/merkle-tree';
import type { Row, Store, StoreReader } from '../store/store.ts';
import { blockRows, historyRows } from './block-rows.ts';
import {
  ChainDamaged,
  findBase,
  findBlock,
  findEarlier,
  findHead,
  readCommit,
  readHead,
  readHeader,
  readValidators,
  verifyRecentBlocks,
} from './chain-reader.ts';
import { CommittedState } from './committed-state.ts';
import { accountsIn, genesisRows, prepareGenesis } from './genesis-block.ts';
import { HeadSnapshot } from './head-snapshot.ts';
import { type OpenedManifest, Restoration } from './restoration.ts';
import { commitRow, validatorsRow } from './rows.ts';
import { createTreeOf } from './state-tree-store.ts';

/** A block that exists in memory only: everything about it is known, nothing of it is visible. */
export interface PreparedBlock {
  readonly executed: ExecutedBlock;
  readonly closed: ClosedBlock;
  readonly state: HashedState;
  /** In a network: what CometBFT is to change of its validators. */
  readonly validatorUpdates: readonly ValidatorUpdate[];
}

/** A block that is on disk. */
export interface CommittedBlock {
  readonly header: LedgerHeader;
  readonly executed: ExecutedBlock;
}

export interface ChainOptions {
  readonly store: Store;
  readonly rules: LedgerRules;
  readonly hashPairs: HashPairs;
  readonly stateCacheEntriesMax: number;
  readonly treeCacheBytesMax: number;
}

export class Chain {
  readonly rules: LedgerRules;
  /** Everything that is stored, up to the head and not beyond. */
  readonly rows: HeadSnapshot;
  readonly state: CommittedState;
  /** The trees over the committed state, for proofs. */
  readonly treeOf: TreeOf = (namespace) => this.#trees(namespace);
  readonly #options: ChainOptions;
  readonly #store: Store;
  #trees: TreeOf;
  #head: LedgerHeader;
  #proof: Uint8Array;
  #accountCount: bigint;
  /** Those of the head, once they were read. */
  #validators: { readonly hash: Uint8Array; readonly set: ValidatorSet } | undefined;

  private constructor(
    options: ChainOptions,
    { rows, treeOf }: { rows: HeadSnapshot; treeOf: TreeOf },
    at: Standing,
  ) {
    this.rules = options.rules;
    this.rows = rows;
    this.state = new CommittedState(rows, options.stateCacheEntriesMax);
    this.#options = options;
    this.#store = options.store;
    this.#trees = treeOf;
    this.#head = at.header;
    this.#proof = at.proof;
    this.#accountCount = at.accountCount;
  }

  /** Opens the chain of a store, or writes its first block into an empty one. */
  static async open(options: ChainOptions): Promise<Chain> {
    const { store, rules } = options;
    const rows = new HeadSnapshot(store);
    const treeOf = createTreeOf(rows, options.hashPairs, options.treeCacheBytesMax);
    if (findHead(store)) return new Chain(options, { rows, treeOf }, await standingOf(options, treeOf));
    findBase(store);
    const genesis = await prepareGenesis(rules, options.hashPairs);
    const { header } = genesis.closed;
    await store.write(genesisRows(genesis, rules), header);
    rows.advance();
    const at = { header, proof: emptyBytes, accountCount: accountsIn(genesis.state) };
    return new Chain(options, { rows, treeOf }, at);
  }

  /** Begins the store anew with a snapshot. Until it is whole everybody still reads the chain as it is. */
  beginSnapshot(manifest: OpenedManifest): Promise<Restoration> {
    return Restoration.begin(this.#options, manifest);
  }

  /** Goes on with what a snapshot has put into the store (`restoration.ts`). */
  async goOnFromSnapshot(): Promise<void> {
    const { store, hashPairs, treeCacheBytesMax } = this.#options;
    const rows = new HeadSnapshot(store);
    const at = await standingOf(this.#options, createTreeOf(rows, hashPairs, treeCacheBytesMax)).finally(() =>
      rows.close(),
    );
    // From here to the end without a pause: nobody sees a part of it.
    this.rows.advance();
    this.state.forget();
    this.#trees = createTreeOf(this.rows, hashPairs, treeCacheBytesMax);
    this.#head = at.header;
    this.#proof = at.proof;
    this.#accountCount = at.accountCount;
  }

  get head(): LedgerHeader {
    return this.#head;
  }

  /** Who validates the next block: the ones that the head names. The first ones are those of the genesis document. */
  get validators(): ValidatorSet {
    const { validatorsHash: hash } = this.#head;
    if (!this.#validators || !equalBytes(this.#validators.hash, hash))
      this.#validators = { hash, set: requireValidators(this.rows, this.#head, this.rules) };
    return this.#validators.set;
  }

  get accountCount(): bigint {
    return this.#accountCount;
  }

  /**
   * Executes transactions on top of the head. Changes nothing; a second call starts from the same head. A large block
   * takes long, so between the steps everything else that the process does has its turn.
   */
  async prepare(
    transactions: Iterable<VerifiedTransaction>,
    closeTime: bigint,
    { hasRoom, ...frame }: Pick<BlockOptions, 'hasRoom'> & BlockFrame = {},
  ): Promise<PreparedBlock> {
    const given = [...transactions];
    await this.state.preload(given.flatMap(({ signed }) => accountKeysOf(signed.transaction)));
    const block = this.nextBlock(closeTime, frame);
    const executed = executeBlock(this.state, given, { block, rules: this.rules, hasRoom });
    await nextTurn();
    const state = await hashState(this.state, executed.changes, {
      treeOf: this.treeOf,
      sha256: this.rules.sha256,
    });
    await nextTurn();
    const closed = closeBlock(executed, state.root, {
      previous: this.#head,
      previousProof: this.#proof,
      rules: this.rules,
    });
    await nextTurn();
    return { executed, closed, state, validatorUpdates: executed.validatorUpdates };
  }

  /**
   * Makes a prepared block durable, then visible. The proof is what the validators said of it: nothing yet, in a network
   * (`noteCommit`).
   */
  async commit(prepared: PreparedBlock, proof: Uint8Array = emptyBytes): Promise<CommittedBlock> {
    const { header } = prepared.closed;
    assert(proof.length === 0 || !this.rules.parameters.network, 'a block of a network is proved afterwards');
    const accountCount = this.#accountCount + BigInt(this.#bornAccounts(prepared.state.hashedChanges));
    const head = create(HeadRecordSchema, { seq: header.seq, hash: header.hash, accountCount });
    await this.#store.write(this.#blockRows(prepared, proof, head), header);
    // From here to the end without a pause: nobody sees a part of the block.
    this.rows.advance();
    this.state.advance(prepared.state.hashedChanges);
    for (const { tree, update } of prepared.state.updates) tree.commit(update);
    this.#head = header;
    this.#proof = proof;
    this.#accountCount = accountCount;
    return { header, executed: prepared.executed };
  }

  /** Keeps what the validators of a network said of a block, once that is known. No hash of the chain holds it. */
  async noteCommit(seq: bigint, commit: Uint8Array): Promise<void> {
    assert(seq > 1n && seq <= this.#head.seq, `block ${seq} is not there to be proved`);
    await this.#store.write([[commitRow(seq), commit]]);
  }

  /** What `noteCommit` kept of a block. */
  readCommit(seq: bigint): Uint8Array | undefined {
    return readCommit(this.#store, seq);
  }

  /** Waits for the write under way; what was only prepared is gone. */
  close(): Promise<void> {
    return this.#store.close();
  }

  /** The block that would follow the head. */
  nextBlock(closeTime: bigint, frame: BlockFrame = {}): BlockContext {
    const { seq } = this.#head;
    return {
      ...frame,
      seq: seq + 1n,
      closeTime,
      validators: this.validators,
      hashBefore: (offset) => {
        const earlier = findEarlier(this.rows, seq - BigInt(offset));
        return earlier && encodeHex(earlier.hash);
      },
    };
  }

  *#blockRows(prepared: PreparedBlock, proof: Uint8Array, head: HeadRecord): Iterable<Row> {
    const { validatorsHash: hash } = prepared.closed.header;
    if (!equalBytes(hash, this.#head.validatorsHash))
      yield [validatorsRow(hash), toBinary(ValidatorSetSchema, prepared.executed.validators)];
    yield* historyRows(prepared, proof);
    yield* blockRows(prepared.state, head);
  }

  #bornAccounts(changes: StateChanges): number {
    let born = 0;
    for (const key of changes.keys()) if (key.startsWith('account/') && !this.state.read(key)) born++;
    return born;
  }
}

/** Where a chain stands. */
interface Standing {
  readonly header: LedgerHeader;
  readonly proof: Uint8Array;
  readonly accountCount: bigint;
}

/** Where the chain of a store stands, once it is seen to be whole. */
async function standingOf({ store, rules, hashPairs }: ChainOptions, treeOf: TreeOf): Promise<Standing> {
  const head = readHead(store);
  const header = readHeader(store, head.seq);
  const proof = findBlock(store, head.seq)?.proof ?? emptyBytes;
  await verifyRecentBlocks(store, head, (await prepareGenesis(rules, hashPairs)).closed.header);
  await treeOf('').load([]);
  if (!equalBytes(treeOf('').root(), header.accountTreeHash)) {
    throw new ChainDamaged(`the state tree does not have the root that block ${header.seq} states`);
  }
  // After a crash between a block and its note the block is there, and from here on it is shown: note it now.
  if ((store.acknowledgedHead()?.seq ?? 0n) < header.seq) await store.write([], header);
  requireValidators(store, header, rules);
  return { header, proof, accountCount: head.accountCount };
}

/** The row is found by the hash of its content, which the block names: other content is damage. */
function requireValidators(
  rows: StoreReader,
  header: LedgerHeader,
  { sha256 }: Pick<LedgerRules, 'sha256'>,
): ValidatorSet {
  const found = readValidators(rows, header);
  if (!found || !equalBytes(sha256(toBinary(ValidatorSetSchema, found)), header.validatorsHash))
    throw new ChainDamaged(`the validators of block ${header.seq} are not the ones that it names`);
  return found;
}

/** How a block is named to people. */
export const describeBlock = (header: LedgerHeader): string =>
  `block ${header.seq} (${encodeHex(header.hash)})`;
