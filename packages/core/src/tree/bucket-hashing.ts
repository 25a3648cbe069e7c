/**
 * Plans the hashes of buckets: of whole ones after loading, of what is disturbed after a merge, and of single
 * subtrees for a proof.
 */
import { type BucketView, branchHashAt, bucketLeavesBound, leafHashAt, valueAt } from './bucket.ts';
import type { BucketMerge } from './bucket-merge.ts';
import { emptyDigest, type HashPlan, type PatchList } from './hash-plan.ts';

/** No number a plan gives. */
const isKnown = 2 ** 31 - 1;

export class BucketHashing {
  readonly #plan: HashPlan;
  readonly #patches: PatchList;
  #merge: BucketMerge | undefined;
  /** The place of the first leaf of this bucket in the merge. */
  #mergeFrom = 0;
  #areAllKnown = false;
  readonly #leafDigests = new Int32Array(bucketLeavesBound);

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
      const value = this.#plan.known(bucket.words, at + valueAt);
      this.#leafDigests[leaf] = this.#plan.leaf(bucket.words, at, value);
      this.#patches.add(at + leafHashAt, this.#leafDigests[leaf]);
    }
    return this.#planBucket(bucket);
  }

  /** A bucket that holds part of a merge: its keys and known hashes; new values need not be there. */
  planMerged(bucket: BucketView, merge: BucketMerge, from: number): number {
    this.#merge = merge;
    this.#mergeFrom = from;
    for (let leaf = 0; leaf < bucket.count; leaf++) {
      this.#leafDigests[leaf] = isKnown;
      if (!merge.isChanged(from + leaf)) continue;
      const at = bucket.keyAt(leaf);
      const value = merge.planValue(from + leaf, this.#plan);
      this.#leafDigests[leaf] = this.#plan.leaf(bucket.words, at, value);
      this.#patches.add(at + valueAt, value);
      this.#patches.add(at + leafHashAt, this.#leafDigests[leaf]);
    }
    return this.#planBucket(bucket);
  }

  /** Some leaves of a bucket whose hashes are all known: the digest of their subtree at the level `top`. */
  subtree(bucket: BucketView, { from, to, top }: { from: number; to: number; top: number }): number {
    this.#merge = undefined;
    this.#areAllKnown = true;
    this.#leafDigests.fill(isKnown);
    return this.#range(bucket, from, to, top);
  }

  #planBucket(bucket: BucketView): number {
    if (bucket.count === 0) return emptyDigest;
    const digest = this.#range(bucket, 0, bucket.count, bucket.depth);
    this.#patches.add(bucket.keyAt(0) + branchHashAt, digest);
    return digest;
  }

  #range(bucket: BucketView, lo: number, hi: number, top: number): number {
    const plan = this.#plan;
    if (hi - lo === 1) {
      const digest = this.#leafDigests[lo];
      return digest === isKnown ? plan.known(bucket.words, bucket.keyAt(lo) + leafHashAt) : digest;
    }
    const branch = bucket.branchBit(lo, hi);
    const middle = bucket.branchStart(lo, hi, branch);
    const hashAt = bucket.keyAt(middle) + branchHashAt;
    let digest: number;
    if (this.#isRangeKnown(lo, hi)) {
      digest = plan.known(bucket.words, hashAt);
    } else {
      const left = this.#range(bucket, lo, middle, branch + 1);
      digest = plan.pair(branch, left, this.#range(bucket, middle, hi, branch + 1));
      this.#patches.add(hashAt, digest);
    }
    for (let level = branch - 1; level >= top; level--) {
      const isRight = bucket.bit(lo, level) === 1;
      digest = isRight ? plan.pair(level, emptyDigest, digest) : plan.pair(level, digest, emptyDigest);
    }
    return digest;
  }

  #isRangeKnown(lo: number, hi: number): boolean {
    if (this.#merge === undefined) return this.#areAllKnown;
    return this.#merge.isUndisturbed(this.#mergeFrom + lo, this.#mergeFrom + hi);
  }
}
