/**
 * The blocks of a stored chain in their order, with everything about each that does not depend on the one before: what
 * is stored of it, and for blocks that are executed again whose signatures its transactions carry. A few blocks are
 * under way at a time, so that reading and the threads that verify signatures work while blocks are executed.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fromBinary } from '@bufbuild/protobuf';
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { VerifiedTransaction } from '@symbolon/core/ledger/execution/apply-transaction';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import { openTransaction } from '@symbolon/core/ledger/terms/transaction';
import { type TransactionEnvStore, TransactionEnvStoreSchema } from '@symbolon/core/proto/ledger_pb';
import { describeBlock } from '../chain/chain.ts';
import { ChainDamaged, readBlock, type StoredBlock } from '../chain/chain-reader.ts';
import { positionRow, recordRow } from '../chain/rows.ts';
import { verifyLimits } from '../limits/node-limits.ts';
import { signerOfEach, type VerifySignature } from '../signatures/signers.ts';
import type { StoreReader } from '../store/store.ts';

/** A record of history: as it is stored, decoded, and where its hash says that it stands. */
export interface StoredRecord {
  readonly row: Uint8Array;
  readonly record: TransactionEnvStore;
  readonly place: Uint8Array | undefined;
}

export interface ReadBlock extends StoredBlock {
  readonly name: string;
  readonly records: readonly StoredRecord[];
}

export interface OpenedBlock extends ReadBlock {
  readonly transactions: readonly VerifiedTransaction[];
}

interface Range {
  readonly from: bigint;
  readonly to: bigint;
}

/** Runs `read` for each number of the range, some ahead of the one that is wanted next; answers in order. */
export async function* inOrder<Result>(
  { from, to }: Range,
  read: (seq: bigint) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  for (let seq = from; seq <= to || underWay.length > 0; ) {
    while (seq <= to && underWay.length < verifyLimits.blocksAheadMax) {
      const reading = read(seq++);
      // Told when its turn comes, if nothing before it is wrong.
      reading.catch(() => undefined);
      underWay.push(reading);
    }
    const next = underWay.shift();
    if (next) yield await next;
  }
}

export async function readStoredBlock(store: StoreReader, seq: bigint): Promise<ReadBlock> {
  const stored = readBlock(store, seq);
  const name = describeBlock(stored.header);
  const rows: Uint8Array[] = [];
  for await (const [, row] of store.scanAll({ gte: recordRow(seq, 0), lt: recordRow(seq + 1n, 0) })) {
    if (rows.length >= stored.rowCount) break;
    rows.push(row);
  }
  if (rows.length !== stored.rowCount) {
    throw new ChainDamaged(`${name}: ${stored.rowCount} transactions, ${rows.length} stored`);
  }
  const records = rows.map((row) => fromBinary(TransactionEnvStoreSchema, row));
  const places = await store.getMany(records.map(({ hash }) => positionRow(hash)));
  return {
    ...stored,
    name,
    records: records.map((record, index) => ({ row: rows[index], record, place: places[index] })),
  };
}

export async function openStoredBlock(
  seq: bigint,
  order: { readonly store: StoreReader; readonly rules: LedgerRules; readonly verify: VerifySignature },
): Promise<OpenedBlock> {
  const block = await readStoredBlock(order.store, seq);
  // What contracts triggered nobody signed: it is compared with what they trigger now.
  const signed = block.records.filter(({ record }) => !record.transactionEnv?.trigger);
  const transactions: VerifiedTransaction[] = [];
  // Not all at once: the verifier takes a bounded number of signatures.
  for (let start = 0; start < signed.length; start += verifyLimits.transactionsAtOnce) {
    const some = signed.slice(start, start + verifyLimits.transactionsAtOnce);
    transactions.push(...(await Promise.all(some.map(({ record }) => reopen(record, block.name, order)))));
  }
  return { ...block, transactions };
}

async function reopen(
  { transactionEnv, hash }: TransactionEnvStore,
  name: string,
  { rules, verify }: { rules: LedgerRules; verify: VerifySignature },
): Promise<VerifiedTransaction> {
  const signed =
    transactionEnv && openTransaction(transactionEnv.transaction, transactionEnv.signatures, rules.sha256);
  if (!signed) throw new ChainDamaged(`${name}: transaction ${encodeHex(hash)} cannot be read`);
  for (;;) {
    const signers = await signerOfEach(signed, rules.keys, verify);
    if (signers) return { signed, signedBy: new Set(signers.filter((address) => address !== undefined)) };
    // A full block can carry more signatures than the verifier takes at once: others finish meanwhile.
    await nextTurn();
  }
}
