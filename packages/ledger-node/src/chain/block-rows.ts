/** A block as rows of the store: what history keeps of it, what it changes of the state and of the trees over it. */
import { create, toBinary } from '@bufbuild/protobuf';
import { encodeItems } from '@symbolon/core/basics/encode-items';
import type { ClosedBlock } from '@symbolon/core/ledger/execution/close-block';
import type { ExecutedBlock } from '@symbolon/core/ledger/execution/execute-block';
import type { OwnedHashes } from '@symbolon/core/ledger/execution/state-trees';
import {
  BlockRecordSchema,
  type HeadRecord,
  HeadRecordSchema,
  TransactionEnvStoreListSchema,
} from '@symbolon/core/proto/ledger_pb';
import type { Row } from '../store/store.ts';
import {
  blockRow,
  encodePosition,
  headRow,
  positionRow,
  recordRow,
  stateRow,
  treeBucketRow,
  treeLeafRow,
  treeNodeRow,
} from './rows.ts';

interface History {
  readonly executed: Pick<ExecutedBlock, 'records'>;
  readonly closed: ClosedBlock;
}

/** The block and its records. */
export function* historyRows({ executed: { records }, closed }: History, proof: Uint8Array): Iterable<Row> {
  const { header } = closed;
  // The records hold the transactions already.
  const consensusValue = { ...closed.consensusValue, txset: undefined };
  const record = create(BlockRecordSchema, { header, consensusValue, proof, rowCount: records.length });
  yield [blockRow(header.seq), toBinary(BlockRecordSchema, record)];
  const encoded = encodeItems(
    TransactionEnvStoreListSchema,
    create(TransactionEnvStoreListSchema, { items: [...records] }),
  );
  for (const [index, bytes] of encoded.entries()) {
    yield [recordRow(header.seq, index), bytes];
    yield [positionRow(records[index].hash), encodePosition(header.seq, index)];
  }
}

/** What it leaves, and that it is the last one. */
export function* blockRows(state: OwnedHashes, head: HeadRecord): Iterable<Row> {
  yield* stateRowsOf(state);
  yield [headRow, toBinary(HeadRecordSchema, head)];
}

/** What of the state a block changes, and of the trees over it. */
export function* stateRowsOf({ encoded, updates }: OwnedHashes): Iterable<Row> {
  for (const [key, bytes] of encoded) yield [stateRow(key), bytes ?? undefined];
  for (const { namespace, update } of updates) {
    for (const [path, record] of update.nodes) yield [treeNodeRow(namespace, path), record];
    for (const [key, valueHash] of update.leaves) yield [treeLeafRow(namespace, key), valueHash];
    for (const [path, keys] of update.buckets) yield [treeBucketRow(namespace, path), keys];
  }
}
