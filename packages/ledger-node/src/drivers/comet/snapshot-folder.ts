/**
 * Snapshots of this node on disk, beside its store: a folder for each, named after its block, with the manifest and a file
 * for each chunk. One that is being taken has another name until it is whole and on disk; the newest two are kept. They
 * can be made anew at any time, so nothing else depends on them.
 */
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fromBinary } from '@bufbuild/protobuf';
import { equalBytes } from '@symbolon/core/basics/bytes';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { type SnapshotManifest, SnapshotManifestSchema } from '@symbolon/core/proto/ledger_pb';
import { sha256 } from '@symbolon/host/work/sha256';
import { syncFolder } from '@symbolon/host/work/sync-folder';
import type { Chain } from '../../chain/chain.ts';
import { encodeManifest, snapshotHead } from '../../chain/snapshot.ts';
import { snapshotLimits } from '../../limits/node-limits.ts';

/** A snapshot that others can be given. */
export interface KeptSnapshot {
  readonly seq: bigint;
  readonly manifest: SnapshotManifest;
  /** As it is handed around. */
  readonly manifestBytes: Uint8Array;
}

/** The blocks of which a folder has snapshots, newest first. Whoever has it open may add one and remove one at any time. */
export const snapshotBlocks = async (path: string): Promise<bigint[]> =>
  (await readdir(path).catch(() => [])).flatMap(blockOfName).sort((left, right) => (left > right ? -1 : 1));

const blockOfName = (name: string): bigint[] => (/^[1-9][0-9]{0,18}$/.test(name) ? [BigInt(name)] : []);

const manifestFile = 'manifest';
const chunkFile = (index: number): string => `chunk-${index}`;

export class SnapshotFolder {
  readonly #path: string;
  /** Newest first. */
  #kept: readonly KeptSnapshot[] = [];

  private constructor(path: string) {
    this.#path = path;
  }

  /** Reads what is there; what was not finished, or cannot be read, is removed. */
  static async open(path: string): Promise<SnapshotFolder> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const folder = new SnapshotFolder(path);
    const kept: KeptSnapshot[] = [];
    for (const name of await readdir(path)) {
      const [block] = blockOfName(name);
      const found = block === undefined ? undefined : await readKept(join(path, name), block);
      if (found) kept.push(found);
      else await rm(join(path, name), { recursive: true, force: true });
    }
    await folder.#keep(kept);
    return folder;
  }

  get kept(): readonly KeptSnapshot[] {
    return this.#kept;
  }

  /** Takes one of the chain's head, unless it is there. Ends with what the signal says when that is given. */
  async take(chain: Chain, signal: AbortSignal): Promise<void> {
    const { seq } = chain.head;
    if (this.#kept.some((kept) => kept.seq === seq)) return;
    const unfinished = join(this.#path, `${seq}.unfinished`);
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    try {
      const manifest = await snapshotHead(chain, async (index, chunk) => {
        signal.throwIfAborted();
        await writeWhole(join(unfinished, chunkFile(index)), chunk);
      });
      const manifestBytes = encodeManifest(manifest);
      if (manifestBytes.length > snapshotLimits.manifestBytesMax)
        throw new RangeError('the state is too large for a snapshot that CometBFT hands on');
      await writeWhole(join(unfinished, manifestFile), manifestBytes);
      await syncFolder(unfinished);
      const taken = manifest.header?.seq ?? seq;
      await rename(unfinished, join(this.#path, String(taken)));
      await syncFolder(this.#path);
      await this.#keep([{ seq: taken, manifest, manifestBytes }, ...this.#kept]);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }

  /** A chunk, if it is here and what the manifest names. */
  async chunk(seq: bigint, index: number): Promise<Uint8Array | undefined> {
    const hash = this.#kept.find((kept) => kept.seq === seq)?.manifest.chunkHashes[index];
    if (!hash) return undefined;
    const bytes = await readBounded(
      join(this.#path, String(seq), chunkFile(index)),
      snapshotLimits.chunkBytesMax,
    );
    return bytes && equalBytes(sha256(bytes), hash) ? bytes : undefined;
  }

  async #keep(all: readonly KeptSnapshot[]): Promise<void> {
    const { keptMax } = snapshotLimits;
    const sorted = all.toSorted((left, right) => (left.seq > right.seq ? -1 : 1));
    this.#kept = sorted.slice(0, keptMax);
    for (const { seq } of sorted.slice(keptMax))
      await rm(join(this.#path, String(seq)), { recursive: true, force: true });
  }
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(bytes);
  await file.sync();
}

/** Undefined where there is none, or too much of it. */
async function readBounded(path: string, bytesMax: number): Promise<Uint8Array | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > bytesMax) return undefined;
  return readFile(path).catch(() => undefined);
}

async function readKept(path: string, seq: bigint): Promise<KeptSnapshot | undefined> {
  const manifestBytes = await readBounded(join(path, manifestFile), snapshotLimits.manifestBytesMax);
  if (!manifestBytes) return undefined;
  const manifest = decodeOrNothing(() => fromBinary(SnapshotManifestSchema, manifestBytes));
  return manifest?.header?.seq === seq ? { seq, manifest, manifestBytes } : undefined;
}
