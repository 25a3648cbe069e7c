/**
 * Plans the hashes of buckets: of whole ones after loading, of what is disturbed after a merge, and of single
 * subtrees for a proof.
 */
import {
  branchBit,
  branchHashAt,
  branchStart,
  bucketHashAt,
  leafBit,
  leafHashAt,
  recordAt,
  valueAt,
} from './bucket.ts';
import type { BucketMerge } from './bucket-merge.ts';
import { emptySlot, type HashPlan, type PatchList } from './hash-plan.ts';

/** Part of a merge. */
export interface MergedRange {
  readonly merge: BucketMerge;
  readonly from: number;
  readonly to: number;
}

export class BucketHashing {
  readonly #plan: HashPlan;
  readonly #patches: PatchList;
  #words: Uint32Array = new Uint32Array(0);
  #depth = 0;
  #merge: BucketMerge | undefined;
  /** The place of the first leaf of this bucket in the merge. */
  #mergeFrom = 0;
  #areAllKnown = false;
  /** For each leaf the slot of its hash, -1 if it is known already. */
  #leafSlots = new Int32Array(64);

  constructor(plan: HashPlan, patches: PatchList) {
    this.#plan = plan;
    this.#patches = patches;
  }

  /** A bucket of which only heads, keys and value hashes are known. */
  planAll(words: Uint32Array, depth: number, count: number): number {
    this.#start(words, depth, count);
    for (let index = 0; index < count; index++) {
      const at = recordAt(words, index);
      this.#leafSlots[index] = this.#plan.leaf(words, at, words, at + valueAt);
      this.#patches.add(at + leafHashAt, this.#leafSlots[index]);
    }
    return this.#planBucket(count);
  }

  /** A range of a merge. Its heads, keys and known hashes stand already in the words; new values need not. */
  planMerged(words: Uint32Array, depth: number, { merge, from, to }: MergedRange): number {
    this.#start(words, depth, to - from);
    this.#merge = merge;
    this.#mergeFrom = from;
    for (let index = 0; index < to - from; index++) {
      this.#leafSlots[index] = -1;
      if (!merge.isChanged(from + index)) continue;
      const slot = merge.planLeaf(from + index, this.#plan);
      const at = recordAt(words, index);
      this.#leafSlots[index] = slot;
      this.#patches.add(at + valueAt, slot + 1);
      this.#patches.add(at + leafHashAt, slot);
    }
    return this.#planBucket(to - from);
  }

  /** Some leaves of a bucket whose hashes are all known: the slot of their subtree at the level `top`. */
  subtree(
    words: Uint32Array,
    depth: number,
    { from, to, top }: { from: number; to: number; top: number },
  ): number {
    this.#start(words, depth, 0);
    this.#areAllKnown = true;
    return this.#range(from, to, top);
  }

  #start(words: Uint32Array, depth: number, count: number): void {
    this.#words = words;
    this.#depth = depth;
    this.#merge = undefined;
    this.#areAllKnown = false;
    if (this.#leafSlots.length < count) this.#leafSlots = new Int32Array(count * 2);
  }

  #planBucket(count: number): number {
    if (count === 0) return emptySlot;
    const slot = this.#range(0, count, this.#depth);
    this.#patches.add(bucketHashAt(this.#words), slot);
    return slot;
  }

  #range(lo: number, hi: number, top: number): number {
    const words = this.#words;
    const plan = this.#plan;
    if (hi - lo === 1) {
      const planned = this.#areAllKnown ? -1 : this.#leafSlots[lo];
      return planned === -1 ? plan.put(words, recordAt(words, lo) + leafHashAt) : planned;
    }
    const branch = branchBit(words, this.#depth, lo, hi);
    const middle = branchStart(words, this.#depth, lo, hi);
    const hashAt = recordAt(words, middle) + branchHashAt;
    let slot: number;
    if (this.#isKnown(lo, hi)) {
      slot = plan.put(words, hashAt);
    } else {
      const left = this.#range(lo, middle, branch + 1);
      slot = plan.pair(branch, left, this.#range(middle, hi, branch + 1));
      this.#patches.add(hashAt, slot);
    }
    for (let level = branch - 1; level >= top; level--) {
      const isRight = leafBit(words, this.#depth, lo, level) === 1;
      slot = isRight ? plan.pair(level, emptySlot, slot) : plan.pair(level, slot, emptySlot);
    }
    return slot;
  }

  #isKnown(lo: number, hi: number): boolean {
    if (this.#merge === undefined) return this.#areAllKnown;
    return this.#merge.isUndisturbed(this.#mergeFrom + lo, this.#mergeFrom + hi);
  }
}
