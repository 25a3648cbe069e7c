/**
 * A snapshot of a network's chain at its head: the header, every entry of the state, and the hashes of blocks before that
 * contracts may ask for. In chunks of bounded size, whose hashes the manifest lists; `restoration.ts` begins a chain with
 * them. It holds no transactions, because the header says nothing of what became of them, and no trees, which are made anew.
 */
import { create, toBinary } from '@bufbuild/protobuf';
import { assert } from '@symbolon/core/basics/assert';
import { contractLimits } from '@symbolon/core/limits/consensus';
import {
  type SnapshotChunk,
  SnapshotChunkSchema,
  type SnapshotManifest,
  SnapshotManifestSchema,
  SnapshotRowSchema,
} from '@symbolon/core/proto/ledger_pb';
import { snapshotLimits } from '../limits/node-limits.ts';
import type { Entry, StoreReader } from '../store/store.ts';
import type { Chain } from './chain.ts';
import { findEarlier, readHead, readHeader, readValidators } from './chain-reader.ts';
import { allStateRows } from './rows.ts';

export const snapshotFormat = 1;

/** Called for each chunk in order, and awaited. */
export type KeepChunk = (index: number, chunk: Uint8Array) => Promise<void>;

/** Takes a snapshot of the head, whichever block follows meanwhile, and answers its manifest. */
export function snapshotHead(chain: Chain, keep: KeepChunk): Promise<SnapshotManifest> {
  const { sha256, parameters } = chain.rules;
  assert(parameters.network, 'a chain of one node has nobody to vouch for its snapshot');
  return chain.rows.ofOneHead(async (rows) => {
    const manifest = describeHead(rows);
    for await (const chunk of chunksOf(rows.scanAll(allStateRows))) {
      const bytes = toBinary(SnapshotChunkSchema, chunk);
      await keep(manifest.chunkHashes.length, bytes);
      manifest.chunkHashes.push(sha256(bytes));
    }
    return manifest;
  });
}

export const encodeManifest = (manifest: SnapshotManifest): Uint8Array =>
  toBinary(SnapshotManifestSchema, manifest);

/** The first of the blocks before this one that a contract may ask for. */
export function firstEarlier(seq: bigint): bigint {
  const count = BigInt(contractLimits.blockHashesMax);
  return seq > count ? seq - count : 1n;
}

function describeHead(rows: StoreReader): SnapshotManifest {
  const header = readHeader(rows, readHead(rows).seq);
  assert(header.seq > 1n, 'the first block needs no snapshot');
  const first = firstEarlier(header.seq);
  const earlier = Array.from({ length: Number(header.seq - first) }, (_, index) => {
    const found = findEarlier(rows, first + BigInt(index));
    assert(found, `block ${first + BigInt(index)} is missing`);
    return found;
  });
  const validators = readValidators(rows, header);
  assert(validators, `the validators of block ${header.seq} are missing`);
  return create(SnapshotManifestSchema, {
    format: snapshotFormat,
    header,
    hashesBefore: earlier.map(({ hash }) => hash),
    reserveBefore: earlier[0].reserve,
    validators,
  });
}

async function* chunksOf(rows: AsyncIterable<Entry>): AsyncIterable<SnapshotChunk> {
  let chunk = create(SnapshotChunkSchema);
  let bytes = 0;
  for await (const [key, value] of rows) {
    chunk.rows.push(create(SnapshotRowSchema, { key, value }));
    bytes += key.length + value.length;
    if (bytes < snapshotLimits.chunkBytes) continue;
    yield chunk;
    chunk = create(SnapshotChunkSchema);
    bytes = 0;
  }
  if (chunk.rows.length > 0) yield chunk;
}
