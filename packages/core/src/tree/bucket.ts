/**
 * A bucket: the leaves below one nibble path as long as they are few, in key order. Of each leaf it holds the key, the
 * value hash, the leaf hash, and the hash of the branching node whose right side starts with this leaf. The first leaf
 * starts no right side; that place holds the hash of the bucket itself.
 *
 * Leaves stand in groups of eight: eight keys, eight value hashes and so on, so that what is read together stands
 * together. A cached bucket has a cell for each group, where before the keys stand their *heads*, the 32 bits of each
 * that follow the path: they nearly always tell two keys apart and take few reads. A new bucket is a run of groups
 * until it is cached.
 *
 * Sorted keys determine every branching node, and its hash depends on nothing but the leaves below it. So it survives a
 * change elsewhere, a shift of the leaves and the split of the bucket; only the inner nodes with one empty side between
 * two branching nodes are hashed again each time.
 */
import { assert } from '../basics/assert.ts';
import { firstDifferingBit, hashWords, keyBit, keyHead } from './key-words.ts';
import { headWords, leafCount, type NodeMemory, ownHeadAt } from './node-memory.ts';

/** No bucket is larger, whatever the number of leaves at which a tree splits its buckets. */
export const bucketLeavesBound = 64;

const groupLeaves = 8;
const groupWords = 4 * groupLeaves * hashWords;

/** What belongs to a leaf, counted from its key. */
export const valueAt = groupLeaves * hashWords;
export const leafHashAt = 2 * groupLeaves * hashWords;
export const branchHashAt = 3 * groupLeaves * hashWords;

const headsAt = headWords;
/** Not right behind the heads: the keys start with a cache line. */
const keysAt = 2 * headWords;
/** The first cell names the others. */
const moreCellsAt = ownHeadAt - 1;

/** Where the hash of a cached bucket with leaves stands. */
export const bucketHashAt = (bucket: number): number => bucket + keysAt + branchHashAt;

/** Words of a run with this many leaves. */
export const runWords = (leaves: number): number => Math.ceil(leaves / groupLeaves) * groupWords;

/** A bucket to be read: a cached one, or a run. */
export class BucketView {
  words: Uint32Array = new Uint32Array(0);
  count = 0;
  depth = 0;
  readonly #heads = new Uint32Array(bucketLeavesBound);
  /** Where the keys of each group start. */
  readonly #groups = new Int32Array(bucketLeavesBound / groupLeaves);

  openCached(words: Uint32Array, bucket: number, depth: number): this {
    this.words = words;
    this.count = leafCount(words, bucket);
    this.depth = depth;
    for (let group = 0; group * groupLeaves < this.count; group++) {
      const keys = (group === 0 ? bucket : words[bucket + moreCellsAt + group]) + keysAt;
      this.#groups[group] = keys;
      for (let leaf = 0; leaf < groupLeaves; leaf++) {
        this.#heads[group * groupLeaves + leaf] = words[keys - keysAt + headsAt + leaf];
      }
    }
    return this;
  }

  /** The keys of the run need not be written yet. */
  openRun(words: Uint32Array, offset: number, count: number, depth: number): this {
    this.words = words;
    this.count = count;
    this.depth = depth;
    for (let group = 0; group * groupLeaves < count; group++) {
      this.#groups[group] = offset + group * groupWords;
    }
    return this;
  }

  /** Takes the heads from the keys of a run, once these are written. */
  readHeads(): this {
    for (let leaf = 0; leaf < this.count; leaf++) {
      this.#heads[leaf] = keyHead(this.words, this.keyAt(leaf), this.depth);
    }
    return this;
  }

  keyAt(leaf: number): number {
    return this.#groups[leaf >> 3] + (leaf & 7) * hashWords;
  }

  head(leaf: number): number {
    return this.#heads[leaf];
  }

  /** The first bit in which the keys of a range of two or more leaves differ. */
  branchBit(lo: number, hi: number): number {
    const difference = this.#heads[lo] ^ this.#heads[hi - 1];
    if (difference !== 0) return this.depth + Math.clz32(difference);
    return firstDifferingBit(this.words, this.keyAt(lo), this.words, this.keyAt(hi - 1));
  }

  bit(leaf: number, bit: number): number {
    const place = bit - this.depth;
    return place < 32 ? (this.#heads[leaf] >>> (31 - place)) & 1 : keyBit(this.words, this.keyAt(leaf), bit);
  }

  /** The first leaf of a range with a one at the bit where the range branches. */
  branchStart(lo: number, hi: number, branchBit: number): number {
    let from = lo + 1;
    let to = hi - 1;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.bit(middle, branchBit) === 1) to = middle;
      else from = middle + 1;
    }
    return from;
  }
}

/** A bucket that hangs nowhere yet. */
export interface BucketRun {
  readonly words: Uint32Array;
  readonly offset: number;
  readonly count: number;
  readonly depth: number;
}

export function storeBucket(memory: NodeMemory, { words: run, offset, count, depth }: BucketRun): number {
  assert(count <= bucketLeavesBound, 'a bucket has a bounded number of leaves');
  const bucket = memory.allocateBucket(count);
  for (let group = 0; group * groupLeaves < count; group++) {
    const cell = group === 0 ? bucket : memory.allocateMore();
    const { words } = memory;
    if (group > 0) words[bucket + moreCellsAt + group] = cell;
    const from = offset + group * groupWords;
    words.set(run.subarray(from, from + groupWords), cell + keysAt);
    for (let leaf = 0; leaf < groupLeaves; leaf++) {
      words[cell + headsAt + leaf] = keyHead(run, from + leaf * hashWords, depth);
    }
  }
  return bucket;
}

export function releaseBucket(memory: NodeMemory, bucket: number): void {
  for (let group = 1; group * groupLeaves < leafCount(memory.words, bucket); group++) {
    memory.release(memory.words[bucket + moreCellsAt + group]);
  }
  memory.release(bucket);
}
