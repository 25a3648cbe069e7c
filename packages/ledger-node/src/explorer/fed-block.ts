/** A block as the index is given it: the rows that the chain's store holds of it, and the same read. */
import { fromBinary } from '@bufbuild/protobuf';
import { assert } from '@symbolon/core/basics/assert';
import type { BlockFrame } from '@symbolon/core/ledger/terms/chain-parameters';
import {
  BlockRecordSchema,
  type LedgerHeader,
  type TransactionEnvStore,
  TransactionEnvStoreSchema,
  type ValidatorSet,
  ValidatorSetSchema,
} from '@symbolon/core/proto/ledger_pb';
import { blockFrameOf, ChainDamaged, findBlock } from '../chain/chain-reader.ts';
import { blockRow, recordRow, validatorsRow } from '../chain/rows.ts';
import type { StoreReader } from '../store/store.ts';

/** Bytes alone, so that they go to another thread as they are. */
export interface BlockRows {
  readonly block: Uint8Array;
  /** Who validated it, and so shared its fees: those whom the block before it names. */
  readonly validators: Uint8Array;
  /** All records, one after the other. */
  readonly records: Uint8Array;
  readonly recordLengths: readonly number[];
}

export interface FedBlock {
  readonly header: LedgerHeader;
  readonly frame: BlockFrame;
  readonly validators: ValidatorSet;
  readonly records: readonly TransactionEnvStore[];
}

export async function readBlockRows(rows: StoreReader, seq: bigint): Promise<BlockRows> {
  const block = rows.get(blockRow(seq));
  const stored = findBlock(rows, seq);
  const before = seq > 1n ? findBlock(rows, seq - 1n) : stored;
  const validators = before && rows.get(validatorsRow(before.header.validatorsHash));
  if (!block || !stored || !validators) throw new ChainDamaged(`block ${seq} is missing`);
  const parts: Uint8Array[] = [];
  if (stored.rowCount > 0)
    for await (const [, row] of rows.scanAll({ gte: recordRow(seq, 0), lt: recordRow(seq + 1n, 0) }))
      parts.push(row);
  if (parts.length !== stored.rowCount)
    throw new ChainDamaged(`block ${seq}: ${stored.rowCount} transactions, ${parts.length} stored`);
  return {
    // In memory of their own: what the store answers may lie in a buffer that others use.
    block: Uint8Array.from(block),
    validators: Uint8Array.from(validators),
    records: join(parts),
    recordLengths: parts.map(({ length }) => length),
  };
}

export function parseBlockRows({ block, validators, records, recordLengths }: BlockRows): FedBlock {
  const { header, consensusValue } = fromBinary(BlockRecordSchema, block);
  assert(header, 'a block is stored with its header');
  let end = 0;
  return {
    header,
    frame: blockFrameOf(consensusValue),
    validators: fromBinary(ValidatorSetSchema, validators),
    records: recordLengths.map((length) => {
      end += length;
      return fromBinary(TransactionEnvStoreSchema, records.subarray(end - length, end));
    }),
  };
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    joined.set(part, end);
    end += part.length;
  }
  return joined;
}
