/**
 * Reading blocks and history back, and noticing when they are not what was written. Rows that are missing or do not fit
 * together are damage of the store, named as such; they are never answered with "not found".
 */

import { fromBinary } from '@bufbuild/protobuf';
import { assert } from '@symbolon/core/basics/assert';
import { encodeHex, equalBytes } from '@symbolon/core/basics/bytes';
import { DamageError } from '@symbolon/core/faults/operator-errors';
import type { BlockFrame } from '@symbolon/core/ledger/terms/chain-parameters';
import { type LedgerRefusal, refuse } from '@symbolon/core/ledger/terms/codes';
import { decodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import {
  type BlockRecord,
  BlockRecordSchema,
  type ConsensusValue,
  type FeeConfig,
  FeeConfigSchema,
  type HeadRecord,
  HeadRecordSchema,
  type LedgerHeader,
  LedgerHeaderSchema,
  type Transaction,
  type TransactionEnvStore,
  TransactionEnvStoreSchema,
  type ValidatorSet,
  ValidatorSetSchema,
} from '@symbolon/core/proto/ledger_pb';
import type { Store, StoreReader } from '../store/store.ts';
import {
  baseRow,
  blockRow,
  commitRow,
  earlierRow,
  feesRow,
  headRow,
  parseEarlier,
  parsePosition,
  positionRow,
  recordRow,
  recordRows,
  validatorsRow,
} from './rows.ts';

/** How many of the last blocks are checked to hang together when a chain is opened. */
const recentBlocksMax = 1_000n;

/** The store does not hold the chain it claims to hold. */
export class ChainDamaged extends DamageError {
  override name = 'ChainDamaged';
}

/** Where the chain stands; undefined in a store that holds none. */
export function findHead(store: Pick<StoreReader, 'get'>): HeadRecord | undefined {
  const bytes = store.get(headRow);
  return bytes && fromBinary(HeadRecordSchema, bytes);
}

export function readHead(store: Pick<StoreReader, 'get'>): HeadRecord {
  const head = findHead(store);
  if (!head) throw new ChainDamaged('the store holds no chain');
  return head;
}

export interface StoredBlock {
  readonly header: LedgerHeader;
  readonly proof: Uint8Array;
  readonly rowCount: number;
  /** Without its transactions: they stand in the block's records. */
  readonly consensusValue: ConsensusValue | undefined;
}

export function findBlock(store: Pick<StoreReader, 'get'>, seq: bigint): StoredBlock | undefined {
  if (seq < 1n) return undefined;
  const bytes = store.get(blockRow(seq));
  if (!bytes) return undefined;
  const { header, consensusValue, proof, rowCount }: BlockRecord = fromBinary(BlockRecordSchema, bytes);
  if (!header || header.seq !== seq) throw new ChainDamaged(`block ${seq} is stored without its header`);
  return { header, proof, rowCount, consensusValue };
}

export function readBlock(store: Pick<StoreReader, 'get'>, seq: bigint): StoredBlock {
  const block = findBlock(store, seq);
  if (!block) throw new ChainDamaged(`block ${seq} is missing`);
  return block;
}

/** What a block records of its consensus, as executing it again takes it. */
export const blockFrameOf = (value: ConsensusValue | undefined): BlockFrame => ({
  proposer: value?.proposer || undefined,
  misbehavior: value?.misbehavior,
});

/** The header of a block, also where only its snapshot is here. */
export function readHeader(store: Pick<StoreReader, 'get'>, seq: bigint): LedgerHeader {
  const base = findBase(store);
  return base?.seq === seq ? base : readBlock(store, seq).header;
}

/** The records of a block, or of a part of it, in the order of execution. */
export async function readRecords(
  store: StoreReader,
  seq: bigint,
  { start = 0, limit }: { start?: number; limit: number },
): Promise<TransactionEnvStore[]> {
  const records: TransactionEnvStore[] = [];
  if (limit <= 0) return records;
  for await (const [, row] of store.scanAll({ gte: recordRow(seq, start), lt: recordRow(seq + 1n, 0) })) {
    records.push(fromBinary(TransactionEnvStoreSchema, row));
    if (records.length >= limit) break;
  }
  return records;
}

/** Some of the newest records of the chain, newest first: so many, or so many bytes of them, one in any case. */
export async function readLatestRecords(
  store: StoreReader,
  { start, limit, bytesMax }: { start: number; limit: number; bytesMax: number },
): Promise<TransactionEnvStore[]> {
  const records: TransactionEnvStore[] = [];
  if (limit <= 0) return records;
  let place = 0;
  let bytes = 0;
  for await (const [, row] of store.scanAll({ ...recordRows, reverse: true })) {
    if (place++ < start) continue;
    bytes += row.length;
    if (records.length > 0 && bytes > bytesMax) break;
    records.push(fromBinary(TransactionEnvStoreSchema, row));
    if (records.length >= limit) break;
  }
  return records;
}

/** How many records the chain has, as far as somebody counts. */
export async function countRecords(store: StoreReader, countMax: number): Promise<number> {
  let count = 0;
  for await (const _ of store.scanAll(recordRows)) if (++count >= countMax) break;
  return count;
}

export function findRecord(store: StoreReader, hash: Uint8Array): TransactionEnvStore | undefined {
  const bytes = store.get(positionRow(hash));
  if (!bytes) return undefined;
  const { seq, index } = parsePosition(bytes);
  const record = store.get(recordRow(seq, index));
  if (!record) throw new ChainDamaged(`transaction ${encodeHex(hash)} of block ${seq} is missing`);
  return fromBinary(TransactionEnvStoreSchema, record);
}

/** What was executed could be decoded then, so it can be decoded now. */
export function storedTransaction({ transactionEnv }: TransactionEnvStore): Transaction {
  const transaction = transactionEnv && decodeTransaction(transactionEnv.transaction);
  assert(transaction, 'a stored transaction cannot be decoded');
  return transaction;
}

export function readFees(store: StoreReader, header: LedgerHeader): FeeConfig | undefined {
  const bytes = store.get(feesRow(header.feesHash));
  return bytes && fromBinary(FeeConfigSchema, bytes);
}

export function readValidators(store: StoreReader, header: LedgerHeader): ValidatorSet | undefined {
  const bytes = store.get(validatorsRow(header.validatorsHash));
  return bytes && fromBinary(ValidatorSetSchema, bytes);
}

/** The block whose snapshot the chain begins with here; it and those before it are not here themselves. */
export function findBase(store: Pick<StoreReader, 'get'>): LedgerHeader | undefined {
  const bytes = store.get(baseRow);
  if (bytes?.length === 0)
    throw new ChainDamaged(
      'a snapshot was being written to this store and is not whole: begin again with an empty one',
    );
  return bytes && fromBinary(LedgerHeaderSchema, bytes);
}

/** What is said of a block that is not here; in other words where it was before the snapshot of this node. */
export function blockMissing(store: Pick<StoreReader, 'get'>, seq: bigint): LedgerRefusal | undefined {
  const base = findBase(store);
  if (!base || seq > base.seq || seq < 1n) return undefined;
  return refuse(
    'notFound',
    `block ${seq} is not on this node: it begins with a snapshot of block ${base.seq}; ask a node that has been there from the first block on`,
  );
}

/** Hash and reserve of a block, also of some that came before the first one that is here. */
export function findEarlier(
  store: Pick<StoreReader, 'get'>,
  seq: bigint,
): Pick<LedgerHeader, 'hash' | 'reserve'> | undefined {
  if (seq < 1n) return undefined;
  const bytes = store.get(earlierRow(seq));
  return bytes ? parseEarlier(bytes) : findBlock(store, seq)?.header;
}

/** What the validators of a network said of a block, as far as somebody has noted it. */
export const readCommit = (store: Pick<StoreReader, 'get'>, seq: bigint): Uint8Array | undefined =>
  seq > 1n ? store.get(commitRow(seq)) : undefined;

/**
 * Whether the store's last blocks hang together and start from the expected first one. A write-ahead log that
 * lost its tail, or a record in its middle, shows here: every block is in the same batch as its state.
 */
export async function verifyRecentBlocks(
  store: Store,
  head: HeadRecord,
  genesis: LedgerHeader,
): Promise<void> {
  const first = readBlock(store, 1n).header;
  if (!equalBytes(first.hash, genesis.hash)) {
    throw new ChainDamaged(
      `the store holds another chain: its first block is ${encodeHex(first.hash)}, ` +
        `the genesis parameters make ${encodeHex(genesis.hash)}`,
    );
  }
  const acknowledged = store.acknowledgedHead();
  if (acknowledged && acknowledged.seq > head.seq) {
    throw new ChainDamaged(
      `the store is truncated: it ends at block ${head.seq}, but block ${acknowledged.seq} was acknowledged`,
    );
  }
  if (acknowledged && !equalBytes(readHeader(store, acknowledged.seq).hash, acknowledged.hash)) {
    throw new ChainDamaged(`block ${acknowledged.seq} is not the one that was acknowledged`);
  }
  let expected = head.hash;
  const base = findBase(store)?.seq ?? 1n;
  const recent = head.seq > recentBlocksMax ? head.seq - recentBlocksMax : 1n;
  const last = recent > base ? recent : base;
  for (let seq = head.seq; seq >= last; seq--) {
    const header = readHeader(store, seq);
    if (!equalBytes(header.hash, expected))
      throw new ChainDamaged(`block ${seq} is not the one its successor names`);
    expected = header.previousHash;
  }
}
