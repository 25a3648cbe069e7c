/**
 * ABCI's state sync: snapshots of this node for others, and beginning with one of theirs. What comes from peers is
 * bounded and believed for its hashes alone: the manifest leads to the app hash that CometBFT's light client trusts, and
 * names the hash of every chunk. A node that has blocks of its own begins with none.
 */
import { equalBytes } from '@symbolon/core/basics/bytes';
import { OperatorError } from '@symbolon/core/faults/operator-errors';
import { appHashOf } from '@symbolon/core/ledger/execution/close-block';
import { sha256 } from '@symbolon/host/work/sha256';
import {
  ResponseApplySnapshotChunk_Result as ChunkResult,
  ResponseOfferSnapshot_Result as OfferResult,
  type RequestApplySnapshotChunk,
  type RequestLoadSnapshotChunk,
  type RequestOfferSnapshot,
  ResponseApplySnapshotChunk,
  ResponseListSnapshots,
  ResponseLoadSnapshotChunk,
  ResponseOfferSnapshot,
} from 'cosmjs-types/tendermint/abci/types';
import type { Chain } from '../../chain/chain.ts';
import { findBase } from '../../chain/chain-reader.ts';
import {
  type OpenedManifest,
  openManifest,
  type Restoration,
  SnapshotRefused,
} from '../../chain/restoration.ts';
import { snapshotFormat } from '../../chain/snapshot.ts';
import type { SnapshotFolder } from './snapshot-folder.ts';
import { SnapshotRoom, type SnapshotRoomOptions } from './snapshot-room.ts';

export interface StateSyncParts {
  readonly chain: Chain;
  /** Undefined where the node keeps none. */
  readonly folder: Pick<SnapshotFolder, 'kept' | 'chunk'> | undefined;
  /** How much of others is taken. */
  readonly room: SnapshotRoomOptions;
  onNotice(text: string): void;
  /** The chain goes on from a snapshot. */
  onBegun(): Promise<void>;
}

/** CometBFT gave up a snapshot after its first chunk: the store holds a part of it, and no chain. */
export class SnapshotGivenUp extends OperatorError {
  override name = 'SnapshotGivenUp';

  constructor() {
    super('CometBFT has given up beginning with a snapshot: start both again, then the node begins anew');
  }
}

const offered = (result: OfferResult) => ResponseOfferSnapshot.fromPartial({ result });
const applied = (result: ChunkResult) => ResponseApplySnapshotChunk.fromPartial({ result });

export class StateSync {
  readonly #parts: StateSyncParts;
  readonly #room: SnapshotRoom;
  /** Of the snapshot that was accepted last, if it is not there already. */
  #restoration: Restoration | undefined;
  /** The chain is just what the accepted snapshot leads to: CometBFT has lost what it knew of that. */
  #isThere = false;
  /** Between the first row that was removed for a snapshot and the last one that it brought. */
  #isUnfinished = false;

  constructor(parts: StateSyncParts) {
    this.#parts = parts;
    this.#room = new SnapshotRoom(parts.room);
  }

  /** What is under way, for people. */
  get problem(): string | undefined {
    if (!this.#isUnfinished) return undefined;
    if (!this.#restoration) return 'a snapshot did not hold what it promised, and another one is waited for';
    const { next, count } = this.#restoration.progress;
    return `the node is beginning with a snapshot: ${next} of ${count} chunks are here`;
  }

  /** To be called before anything is done with blocks. */
  assertWhole(): void {
    if (this.#isUnfinished) throw new SnapshotGivenUp();
  }

  list(): ResponseListSnapshots {
    const kept = this.#parts.folder?.kept ?? [];
    return ResponseListSnapshots.fromPartial({
      snapshots: kept.map(({ seq, manifest, manifestBytes }) => ({
        height: seq,
        format: manifest.format,
        chunks: manifest.chunkHashes.length,
        hash: sha256(manifestBytes),
        metadata: manifestBytes,
      })),
    });
  }

  /** Empty where it is not here: CometBFT then tells its peer so. */
  async load({ height, format, chunk }: RequestLoadSnapshotChunk): Promise<ResponseLoadSnapshotChunk> {
    const found = format === snapshotFormat ? await this.#parts.folder?.chunk(height, chunk) : undefined;
    return ResponseLoadSnapshotChunk.fromPartial(found ? { chunk: found } : {});
  }

  async offer({ snapshot, appHash }: RequestOfferSnapshot): Promise<ResponseOfferSnapshot> {
    const { chain, onNotice } = this.#parts;
    this.#giveUp();
    if (!snapshot) return offered(OfferResult.REJECT);
    if (snapshot.format !== snapshotFormat) return offered(OfferResult.REJECT_FORMAT);
    this.#isThere =
      !this.#isUnfinished &&
      findBase(chain.rows)?.seq === snapshot.height &&
      chain.head.seq === snapshot.height &&
      equalBytes(appHashOf(chain.head, sha256), appHash);
    if (this.#isThere) return offered(OfferResult.ACCEPT);
    if (this.#hasBlocks) {
      onNotice('CometBFT wants to begin with a snapshot, and this node has blocks already');
      return offered(OfferResult.ABORT);
    }
    try {
      const manifest = openManifest(snapshot.metadata, appHash, chain.rules);
      assertAsOffered(manifest, snapshot);
      await this.#room.assertFor(manifest.chunkHashes.length);
      this.#restoration = await chain.beginSnapshot(manifest);
      this.#isUnfinished = true;
      return offered(OfferResult.ACCEPT);
    } catch (error) {
      if (!(error instanceof SnapshotRefused)) throw error;
      onNotice(`a snapshot of block ${snapshot.height} is refused: ${error.message}`);
      return offered(OfferResult.REJECT);
    }
  }

  async apply({ index, chunk, sender }: RequestApplySnapshotChunk): Promise<ResponseApplySnapshotChunk> {
    if (this.#isThere) return applied(ChunkResult.ACCEPT);
    const restoration = this.#restoration;
    if (!restoration) return applied(ChunkResult.ABORT);
    if (index !== restoration.progress.next) return applied(ChunkResult.RETRY_SNAPSHOT);
    const { onNotice } = this.#parts;
    if (!restoration.isNext(chunk)) {
      onNotice(
        `chunk ${index} of the snapshot is not the one that its manifest names: asking others than ${sender}`,
      );
      return ResponseApplySnapshotChunk.fromPartial({
        result: ChunkResult.RETRY,
        refetchChunks: [index],
        rejectSenders: [sender],
      });
    }
    try {
      await this.#room.take(chunk.length);
      await restoration.add(chunk);
      const { next, count } = restoration.progress;
      if (next === count) await this.#finish(restoration);
      return applied(ChunkResult.ACCEPT);
    } catch (error) {
      if (!(error instanceof SnapshotRefused)) throw error;
      onNotice(`the snapshot is refused: ${error.message}`);
      this.#giveUp();
      // Who sends chunks of a snapshot that leads nowhere has it, and would offer it again.
      return ResponseApplySnapshotChunk.fromPartial({
        result: ChunkResult.REJECT_SNAPSHOT,
        rejectSenders: [sender],
      });
    }
  }

  /** Ends what is under way. */
  close(): void {
    this.#giveUp();
  }

  get #hasBlocks(): boolean {
    const { chain } = this.#parts;
    return !this.#isUnfinished && chain.head.seq !== (findBase(chain.rows)?.seq ?? 1n);
  }

  async #finish(restoration: Restoration): Promise<void> {
    const { chain, onNotice, onBegun } = this.#parts;
    await restoration.finish();
    this.#giveUp();
    await chain.goOnFromSnapshot();
    this.#isUnfinished = false;
    this.#isThere = true;
    await onBegun();
    onNotice(`the node begins with a snapshot of block ${chain.head.seq}: the blocks up to it are not here`);
  }

  #giveUp(): void {
    this.#restoration?.close();
    this.#restoration = undefined;
    this.#isThere = false;
  }
}

function assertAsOffered(
  { header, chunkHashes }: OpenedManifest,
  { height, chunks, hash, metadata }: NonNullable<RequestOfferSnapshot['snapshot']>,
): void {
  const isSame = header.seq === height && chunkHashes.length === chunks && equalBytes(sha256(metadata), hash);
  if (!isSame) throw new SnapshotRefused('height, chunks or hash are not those of the manifest');
}
