/**
 * Begins a chain with a snapshot (`snapshot.ts`), in a store that has no blocks to lose. Trusted is the app hash of its
 * block alone, which CometBFT's light client vouches for: the header is checked against it, and everything else against
 * the header. Until it is whole the store says that it is not.
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { emptyBytes, equalBytes } from '@symbolon/core/basics/bytes';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { OperatorError } from '@symbolon/core/faults/operator-errors';
import { appHashOf, historyHash } from '@symbolon/core/ledger/execution/close-block';
import { hashState, type TreeOf } from '@symbolon/core/ledger/execution/state-trees';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import { accountOfKey, decodeEntry, type StateEntry, stateKeys } from '@symbolon/core/ledger/terms/state';
import {
  FeeConfigSchema,
  HeadRecordSchema,
  type LedgerHeader,
  LedgerHeaderSchema,
  type SnapshotChunk,
  SnapshotChunkSchema,
  type SnapshotManifest,
  SnapshotManifestSchema,
  ValidatorSetSchema,
} from '@symbolon/core/proto/ledger_pb';
import { snapshotLimits, storeLimits } from '../limits/node-limits.ts';
import { keysEnd, type Row, type Store } from '../store/store.ts';
import { stateRowsOf } from './block-rows.ts';
import type { ChainOptions } from './chain.ts';
import { findHead } from './chain-reader.ts';
import { CommittedState } from './committed-state.ts';
import { foundingRows, prepareGenesis } from './genesis-block.ts';
import { HeadSnapshot } from './head-snapshot.ts';
import { allStateRows, baseRow, earlierRow, encodeEarlier, headRow, validatorsRow } from './rows.ts';
import { firstEarlier, snapshotFormat } from './snapshot.ts';
import { createTreeOf } from './state-tree-store.ts';

/** What was handed over is not the snapshot of the block that is trusted; the message says what is wrong. */
export class SnapshotRefused extends OperatorError {
  override name = 'SnapshotRefused';
}

/** A manifest whose header has the app hash that is trusted. */
export type OpenedManifest = SnapshotManifest & { readonly header: LedgerHeader };

/** The manifest of the block with this app hash; throws SnapshotRefused. */
export function openManifest(bytes: Uint8Array, appHash: Uint8Array, rules: LedgerRules): OpenedManifest {
  const { parameters, sha256 } = rules;
  if (bytes.length > snapshotLimits.manifestBytesMax) throw new SnapshotRefused('the manifest is too large');
  const manifest = decodeOrNothing(() => fromBinary(SnapshotManifestSchema, bytes));
  const { header, validators } = manifest ?? {};
  if (!manifest || !header || !validators) throw new SnapshotRefused('the manifest cannot be read');
  if (manifest.format !== snapshotFormat)
    throw new SnapshotRefused(`the snapshot has format ${manifest.format}, known is ${snapshotFormat}`);
  if (!equalBytes(appHashOf(header, sha256), appHash))
    throw new SnapshotRefused('the header is not the one with this app hash');
  if (!parameters.network || header.chainId !== parameters.chainId || header.seq < 2n)
    throw new SnapshotRefused('the header is of no block of this network');
  if (!equalBytes(sha256(toBinary(FeeConfigSchema, parameters.fees)), header.feesHash))
    throw new SnapshotRefused('the fees are not those of this network');
  if (!equalBytes(sha256(toBinary(ValidatorSetSchema, validators)), header.validatorsHash))
    throw new SnapshotRefused('the validators are not the ones that the header names');
  const opened = { ...manifest, header };
  earlierBlocks(opened, rules);
  return opened;
}

interface EarlierBlock {
  readonly seq: bigint;
  readonly hash: Uint8Array;
  readonly reserve: string;
}

/** The blocks before, as far as contracts may ask for them: the header binds them all, one through the next. */
function earlierBlocks(
  { header, hashesBefore, reserveBefore }: OpenedManifest,
  { sha256 }: LedgerRules,
): EarlierBlock[] {
  const first = firstEarlier(header.seq);
  let reserve = reserveBefore;
  const earlier = hashesBefore.map((hash, index) => {
    const block = { seq: first + BigInt(index), hash, reserve };
    reserve = historyHash(block, sha256);
    return block;
  });
  const last = earlier.at(-1);
  const isBound = reserve === header.reserve && last && equalBytes(last.hash, header.previousHash);
  if (!isBound || last.seq !== header.seq - 1n)
    throw new SnapshotRefused('the hashes of earlier blocks are not the ones that the header binds');
  return earlier;
}

/** Whether a store was being begun with a snapshot that is not whole. */
export const isUnfinished = (store: Pick<Store, 'get'>): boolean =>
  store.get(baseRow)?.length === 0 && !findHead(store);

/** Blocks after the first one, or after the one that its snapshot is of. */
function hasBlocks(store: Store): boolean {
  const head = findHead(store);
  if (!head) return false;
  const base = store.get(baseRow);
  return head.seq !== (base ? fromBinary(LedgerHeaderSchema, base).seq : 1n);
}

async function removeRows(store: Store): Promise<void> {
  const view = store.view();
  try {
    let rows: Row[] = [];
    for await (const [key] of view.scanAll({ gte: Uint8Array.of(0), lt: keysEnd })) {
      if (!equalBytes(key, baseRow)) rows.push([key, undefined]);
      if (rows.length < snapshotLimits.rowsRemovedAtOnce) continue;
      await store.write(rows);
      rows = [];
    }
    await store.write(rows);
  } finally {
    await view.close();
  }
}

export class Restoration {
  readonly #options: ChainOptions;
  readonly #manifest: OpenedManifest;
  readonly #rows: HeadSnapshot;
  readonly #state: CommittedState;
  readonly #treeOf: TreeOf;
  #next = 0;
  #lastKey: Uint8Array = emptyBytes;
  #accounts = 0n;

  private constructor(options: ChainOptions, manifest: OpenedManifest) {
    this.#options = options;
    this.#manifest = manifest;
    this.#rows = new HeadSnapshot(options.store);
    this.#state = new CommittedState(this.#rows, options.stateCacheEntriesMax);
    this.#treeOf = createTreeOf(this.#rows, options.hashPairs, options.treeCacheBytesMax);
  }

  /** Empties the store, which has no more than its first block, or a snapshot that no block has followed. */
  static async begin(options: ChainOptions, manifest: OpenedManifest): Promise<Restoration> {
    const { store } = options;
    if (hasBlocks(store)) throw new SnapshotRefused('a snapshot is for a store that has no blocks yet');
    if ((store.acknowledgedHead()?.seq ?? 0n) >= manifest.header.seq)
      throw new SnapshotRefused('a later block than that of the snapshot was here already');
    // First of all: from here on the store says that it is not whole.
    await store.write([
      [baseRow, emptyBytes],
      [headRow, undefined],
    ]);
    await removeRows(store);
    return new Restoration(options, manifest);
  }

  /** Ends it, whole or not. */
  close(): void {
    this.#rows.close();
  }

  /** Which chunk is expected next, of how many. */
  get progress(): { readonly next: number; readonly count: number } {
    return { next: this.#next, count: this.#manifest.chunkHashes.length };
  }

  /** Whether these bytes are the next chunk, by the manifest. */
  isNext(bytes: Uint8Array): boolean {
    const named = this.#manifest.chunkHashes[this.#next];
    const { sha256 } = this.#options.rules;
    return !!named && bytes.length <= snapshotLimits.chunkBytesMax && equalBytes(sha256(bytes), named);
  }

  /** The next chunk. One that is refused has changed nothing: the right one may be given in its place. */
  async add(bytes: Uint8Array): Promise<void> {
    const { store, rules } = this.#options;
    const { sha256 } = rules;
    const chunk = this.isNext(bytes) && decodeOrNothing(() => fromBinary(SnapshotChunkSchema, bytes));
    if (!chunk) throw new SnapshotRefused(`chunk ${this.#next} is not the one that the manifest names`);
    const { entries, lastKey } = this.#entriesOf(chunk);
    const hashed = await hashState(this.#state, entries, { treeOf: this.#treeOf, sha256 });
    await store.write(stateRowsOf(hashed));
    this.#rows.advance();
    this.#state.advance(hashed.hashedChanges);
    for (const { tree, update } of hashed.updates) tree.commit(update);
    for (const key of entries.keys()) if (key.startsWith('account/')) this.#accounts++;
    this.#lastKey = lastKey;
    this.#next++;
  }

  /**
   * Makes the store one that a chain can be opened on, once every chunk is there; throws SnapshotRefused if their entries
   * are not the state of the header.
   */
  async finish(): Promise<void> {
    const { header, chunkHashes } = this.#manifest;
    if (this.#next < chunkHashes.length) throw new SnapshotRefused('the snapshot is not whole');
    const state = this.#treeOf('');
    await state.load([]);
    if (!equalBytes(state.root(), header.accountTreeHash))
      throw new SnapshotRefused('the state does not have the root that the header states');
    const { rules, hashPairs, store } = this.#options;
    const genesis = await prepareGenesis(rules, hashPairs);
    await store.write([...foundingRows(genesis, rules), ...this.#baseRows()], header);
  }

  /** Its entries by key, if they follow those of the chunks before. */
  #entriesOf({ rows }: SnapshotChunk): { entries: Map<string, StateEntry>; lastKey: Uint8Array } {
    const entries = new Map<string, StateEntry>();
    let lastKey = this.#lastKey;
    for (const { key, value } of rows) {
      const isState = Buffer.compare(key, allStateRows.gte) > 0 && Buffer.compare(key, allStateRows.lt) < 0;
      if (!isState || Buffer.compare(lastKey, key) >= 0)
        throw new SnapshotRefused('its rows are not entries of the state in their order');
      const name = Buffer.from(key.subarray(1)).toString();
      const entry =
        key.length <= storeLimits.keyBytesMax && /^(account|asset|metadata)\//.test(name)
          ? decodeOrNothing(() => decodeEntry(name, value))
          : undefined;
      if (!entry) throw new SnapshotRefused('an entry of the state cannot be read');
      // Accounts come before what they own.
      const owner = stateKeys.account(accountOfKey(name));
      if (owner !== name && !entries.has(owner) && !this.#state.read(owner))
        throw new SnapshotRefused('an entry of the state belongs to no account');
      entries.set(name, entry);
      lastKey = key;
    }
    return { entries, lastKey };
  }

  *#baseRows(): Iterable<Row> {
    const { header, validators } = this.#manifest;
    const { seq, hash } = header;
    for (const block of [...earlierBlocks(this.#manifest, this.#options.rules), header])
      yield [earlierRow(block.seq), encodeEarlier(block)];
    if (validators) yield [validatorsRow(header.validatorsHash), toBinary(ValidatorSetSchema, validators)];
    yield [baseRow, toBinary(LedgerHeaderSchema, header)];
    const head = create(HeadRecordSchema, { seq, hash, accountCount: this.#accounts });
    yield [headRow, toBinary(HeadRecordSchema, head)];
  }
}
