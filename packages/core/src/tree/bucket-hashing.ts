/**
 * Plans the hashes of buckets: of whole ones after loading, of what is disturbed after a merge, and of single
 * subtrees for a proof.
 */
import { type BucketView, branchHashAt, bucketLeavesBound, leafHashAt, valueAt } from './bucket.ts';
import type { BucketMerge } from './bucket-merge.ts';
import { emptySlot, type HashPlan, type PatchList } from './hash-plan.ts';

const isKnown = -1;

export class BucketHashing {
  readonly #plan: HashPlan;
  readonly #patches: PatchList;
  #merge: BucketMerge | undefined;
  /** The place of the first leaf of this bucket in the merge. */
  #mergeFrom = 0;
  #areAllKnown = false;
  readonly #leafSlots = new Int32Array(bucketLeavesBound);

  constructor(plan: HashPlan, patches: PatchList) {
    this.#plan = plan;
    this.#patches = patches;
  }

  /** A bucket of which only keys and value hashes are known. */
  planAll(bucket: BucketView): number {
    this.#merge = undefined;
    this.#areAllKnown = false;
    for (let leaf = 0; leaf < bucket.count; leaf++) {
      const at = bucket.keyAt(leaf);
      this.#leafSlots[leaf] = this.#plan.leaf(bucket.words, at, bucket.words, at + valueAt);
      this.#patches.add(at + leafHashAt, this.#leafSlots[leaf]);
    }
    return this.#planBucket(bucket);
  }

  /** A bucket that holds part of a merge: its keys and known hashes; new values need not be there. */
  planMerged(bucket: BucketView, merge: BucketMerge, from: number): number {
    this.#merge = merge;
    this.#mergeFrom = from;
    for (let leaf = 0; leaf < bucket.count; leaf++) {
      this.#leafSlots[leaf] = isKnown;
      if (!merge.isChanged(from + leaf)) continue;
      const slot = merge.planLeaf(from + leaf, this.#plan);
      const at = bucket.keyAt(leaf);
      this.#leafSlots[leaf] = slot;
      this.#patches.add(at + valueAt, slot + 1);
      this.#patches.add(at + leafHashAt, slot);
    }
    return this.#planBucket(bucket);
  }

  /** Some leaves of a bucket whose hashes are all known: the slot of their subtree at the level `top`. */
  subtree(bucket: BucketView, { from, to, top }: { from: number; to: number; top: number }): number {
    this.#merge = undefined;
    this.#areAllKnown = true;
    this.#leafSlots.fill(isKnown);
    return this.#range(bucket, from, to, top);
  }

  #planBucket(bucket: BucketView): number {
    if (bucket.count === 0) return emptySlot;
    const slot = this.#range(bucket, 0, bucket.count, bucket.depth);
    this.#patches.add(bucket.keyAt(0) + branchHashAt, slot);
    return slot;
  }

  #range(bucket: BucketView, lo: number, hi: number, top: number): number {
    const plan = this.#plan;
    if (hi - lo === 1) {
      const slot = this.#leafSlots[lo];
      return slot === isKnown ? plan.put(bucket.words, bucket.keyAt(lo) + leafHashAt) : slot;
    }
    const branch = bucket.branchBit(lo, hi);
    const middle = bucket.branchStart(lo, hi, branch);
    const hashAt = bucket.keyAt(middle) + branchHashAt;
    let slot: number;
    if (this.#isRangeKnown(lo, hi)) {
      slot = plan.put(bucket.words, hashAt);
    } else {
      const left = this.#range(bucket, lo, middle, branch + 1);
      slot = plan.pair(branch, left, this.#range(bucket, middle, hi, branch + 1));
      this.#patches.add(hashAt, slot);
    }
    for (let level = branch - 1; level >= top; level--) {
      const isRight = bucket.bit(lo, level) === 1;
      slot = isRight ? plan.pair(level, emptySlot, slot) : plan.pair(level, slot, emptySlot);
    }
    return slot;
  }

  #isRangeKnown(lo: number, hi: number): boolean {
    if (this.#merge === undefined) return this.#areAllKnown;
    return this.#merge.isUndisturbed(this.#mergeFrom + lo, this.#mergeFrom + hi);
  }
}
