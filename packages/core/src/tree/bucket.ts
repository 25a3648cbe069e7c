/**
 * A bucket: the leaves below one nibble path as long as they are few, in key order, one record of 32 words
 * each: key, value hash, leaf hash, and the hash of the branching node whose right side starts with this
 * leaf. The first leaf starts no right side; that place holds the hash of the bucket itself.
 *
 * Sorted keys determine every branching node, and its hash depends on nothing but the leaves below it. So
 * it survives a change elsewhere, a shift of the records and the split of the bucket; only the inner nodes
 * with one empty side between two branching nodes are hashed again each time.
 */
import { emptySlot, type HashPlan, type PatchList } from './hash-plan.ts';
import { compareKeys, copyHash, firstDifference, hashWords, keyBit, keyNibble } from './key-words.ts';

export const leafWords = 4 * hashWords;
const valueAt = hashWords;
const hashAt = 2 * hashWords;
const branchAt = 3 * hashWords;

/** Where the hash of a bucket with leaves stands in its words. */
export const bucketHashAt = branchAt;

export interface SortedChanges {
  readonly length: number;
  /** Keys and value hashes in key order, eight words each; the value of a removed key is not read. */
  readonly keys: Uint32Array;
  readonly values: Uint32Array;
  readonly removed: Uint8Array;
  /** Set by a merge where the change makes a difference. */
  readonly effective: Uint8Array;
}

const noChanges: SortedChanges = {
  length: 0,
  keys: new Uint32Array(0),
  values: new Uint32Array(0),
  removed: new Uint8Array(0),
  effective: new Uint8Array(0),
};

/** What a run of changes does to a bucket. */
export type BucketChange = 'nothing' | 'values' | 'keys';

/** The first leaf of a range whose key has a one at the bit where the range branches. */
export function branchStart(words: Uint32Array, lo: number, hi: number, bit: number): number {
  let from = lo + 1;
  let to = hi - 1;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (keyBit(words, middle * leafWords, bit) === 1) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** The leaves of one bucket after a run of changes, before they have a place of their own. */
export class BucketMerge {
  length = 0;
  #old: Uint32Array = new Uint32Array(0);
  #changes: SortedChanges = noChanges;
  /** The index of the leaf in the old bucket, or the inverted index of a change. */
  #origins = new Int32Array(64);
  /** How many leaves before this one are disturbed: changed themselves, or next to a removed one. */
  #disturbedBefore = new Int32Array(65);

  merge(old: Uint32Array, oldCount: number, changes: SortedChanges, lo: number, hi: number): BucketChange {
    this.#old = old;
    this.#changes = changes;
    const change = this.#mergeValues(oldCount, lo, hi);
    if (change === 'keys') this.#mergeKeys(oldCount, lo, hi);
    return change;
  }

  nibble(index: number, depth: number): number {
    const origin = this.#origins[index];
    if (origin >= 0) return keyNibble(this.#old, origin * leafWords, depth);
    return keyNibble(this.#changes.keys, ~origin * hashWords, depth);
  }

  /** Writes a range of the merged leaves as the records of a bucket; new ones have no hashes yet. */
  copy(from: number, to: number, words: Uint32Array): void {
    const origins = this.#origins;
    const { keys, values } = this.#changes;
    for (let index = from; index < to; ) {
      const at = (index - from) * leafWords;
      const origin = origins[index];
      let end = index + 1;
      if (origin < 0) {
        copyHash(keys, ~origin * hashWords, words, at);
        copyHash(values, ~origin * hashWords, words, at + valueAt);
      } else {
        while (end < to && origins[end] === origin + end - index) end++;
        words.set(this.#old.subarray(origin * leafWords, (origin + end - index) * leafWords), at);
      }
      index = end;
    }
  }

  /** The leaf is new or has a new value. */
  isChanged(index: number): boolean {
    return this.#origins[index] < 0;
  }

  planLeaf(index: number, plan: HashPlan): number {
    const { keys, values } = this.#changes;
    const at = ~this.#origins[index] * hashWords;
    return plan.leaf(keys, at, values, at);
  }

  /** True if the range has the same leaves, and nothing more, as before: its hash is still known. */
  isUndisturbed(from: number, to: number): boolean {
    return this.#disturbedBefore[to] === this.#disturbedBefore[from];
  }

  /** The common case: every key stays, and few of them have to be looked at. */
  #mergeValues(oldCount: number, lo: number, hi: number): BucketChange {
    const { keys, removed, effective } = this.#changes;
    this.#reserve(oldCount);
    for (let index = 0; index < oldCount; index++) this.#origins[index] = index;
    let result: BucketChange = 'nothing';
    let at = 0;
    for (let change = lo; change < hi; change++) {
      at = this.#search(change, at, oldCount);
      const isFound = at < oldCount && compareKeys(this.#old, at * leafWords, keys, change * hashWords) === 0;
      if (!isFound && removed[change] === 1) continue;
      if (!isFound || removed[change] === 1) return 'keys';
      if (!this.#hasNewValue(at, change)) continue;
      this.#origins[at] = ~change;
      effective[change] = 1;
      result = 'values';
    }
    this.length = oldCount;
    for (let index = 0; index < oldCount; index++) {
      this.#disturbedBefore[index + 1] = this.#disturbedBefore[index] + (this.#origins[index] < 0 ? 1 : 0);
    }
    return result;
  }

  #mergeKeys(oldCount: number, lo: number, hi: number): void {
    const { keys, removed, effective } = this.#changes;
    this.#reserve(oldCount + hi - lo);
    this.length = 0;
    let next = 0;
    let gap = false;
    for (let change = lo; change < hi; change++) {
      let order = -1;
      while (next < oldCount) {
        order = compareKeys(this.#old, next * leafWords, keys, change * hashWords);
        if (order >= 0) break;
        gap = this.#push(next++, gap);
      }
      const isFound = next < oldCount && order === 0;
      const isRemoved = removed[change] === 1;
      const isEffective = isFound ? isRemoved || this.#hasNewValue(next, change) : !isRemoved;
      if (isEffective) effective[change] = 1;
      if (isRemoved) gap ||= isFound;
      else gap = this.#push(isEffective ? ~change : next, gap);
      if (isFound) next++;
    }
    while (next < oldCount) gap = this.#push(next++, gap);
    if (gap) this.#disturbLast();
  }

  /** The first old leaf, from `from` on, whose key is not below that of the change. */
  #search(change: number, from: number, oldCount: number): number {
    let lo = from;
    let hi = oldCount;
    while (lo < hi) {
      const middle = (lo + hi) >> 1;
      if (compareKeys(this.#old, middle * leafWords, this.#changes.keys, change * hashWords) < 0)
        lo = middle + 1;
      else hi = middle;
    }
    return lo;
  }

  #hasNewValue(index: number, change: number): boolean {
    return (
      compareKeys(this.#old, index * leafWords + valueAt, this.#changes.values, change * hashWords) !== 0
    );
  }

  /** `gap` says that a leaf just before this one went away; answers that none did before the next. */
  #push(origin: number, gap: boolean): false {
    if (gap) this.#disturbLast();
    const disturbed = gap || origin < 0 ? 1 : 0;
    this.#origins[this.length] = origin;
    this.#disturbedBefore[this.length + 1] = this.#disturbedBefore[this.length] + disturbed;
    this.length++;
    return false;
  }

  #disturbLast(): void {
    if (this.length > 0) this.#disturbedBefore[this.length] = this.#disturbedBefore[this.length - 1] + 1;
  }

  #reserve(count: number): void {
    if (this.#origins.length >= count) return;
    this.#origins = new Int32Array(count * 2);
    this.#disturbedBefore = new Int32Array(count * 2 + 1);
  }
}

export interface MergedRange {
  readonly merge: BucketMerge;
  readonly from: number;
  readonly to: number;
}

/** Plans the hashes of buckets: of whole ones after loading, of what is disturbed after a merge. */
export class BucketHashing {
  readonly #plan: HashPlan;
  readonly #patches: PatchList;
  #words: Uint32Array = new Uint32Array(0);
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

  /** A bucket of which only keys and value hashes are known. */
  planAll(words: Uint32Array, count: number, depth: number): number {
    this.#start(words, undefined, 0);
    this.#reserve(count);
    for (let index = 0; index < count; index++) {
      const at = index * leafWords;
      this.#leafSlots[index] = this.#plan.leaf(words, at, words, at + valueAt);
      this.#patches.add(at + hashAt, this.#leafSlots[index]);
    }
    return this.#planBucket(count, depth);
  }

  /** A range of a merge. In the words its keys and known hashes stand already; new values need not. */
  planMerged(words: Uint32Array, depth: number, { merge, from, to }: MergedRange): number {
    this.#start(words, merge, from);
    this.#reserve(to - from);
    for (let index = 0; index < to - from; index++) {
      this.#leafSlots[index] = -1;
      if (!merge.isChanged(from + index)) continue;
      const slot = merge.planLeaf(from + index, this.#plan);
      this.#leafSlots[index] = slot;
      this.#patches.add(index * leafWords + valueAt, slot + 1);
      this.#patches.add(index * leafWords + hashAt, slot);
    }
    return this.#planBucket(to - from, depth);
  }

  /** A range of leaves of a bucket whose hashes are all known: the slot of their subtree at this depth. */
  subtree(words: Uint32Array, depth: number, { from, to }: { from: number; to: number }): number {
    this.#start(words, undefined, 0);
    this.#areAllKnown = true;
    return this.#range(from, to, depth);
  }

  #start(words: Uint32Array, merge: BucketMerge | undefined, mergeFrom: number): void {
    this.#words = words;
    this.#merge = merge;
    this.#mergeFrom = mergeFrom;
    this.#areAllKnown = false;
  }

  #planBucket(count: number, depth: number): number {
    if (count === 0) return emptySlot;
    const slot = this.#range(0, count, depth);
    this.#patches.add(bucketHashAt, slot);
    return slot;
  }

  #range(lo: number, hi: number, depth: number): number {
    const words = this.#words;
    const plan = this.#plan;
    const loAt = lo * leafWords;
    if (hi - lo === 1) {
      const planned = this.#areAllKnown ? -1 : this.#leafSlots[lo];
      return planned === -1 ? plan.put(words, loAt + hashAt) : planned;
    }
    const branch = firstDifference(words, loAt, words, (hi - 1) * leafWords);
    const middle = branchStart(words, lo, hi, branch);
    const hashOfBranchAt = middle * leafWords + branchAt;
    let slot: number;
    if (this.#isKnown(lo, hi)) {
      slot = plan.put(words, hashOfBranchAt);
    } else {
      const left = this.#range(lo, middle, branch + 1);
      slot = plan.pair(branch, left, this.#range(middle, hi, branch + 1));
      this.#patches.add(hashOfBranchAt, slot);
    }
    for (let level = branch - 1; level >= depth; level--) {
      const isRight = keyBit(words, loAt, level) === 1;
      slot = isRight ? plan.pair(level, emptySlot, slot) : plan.pair(level, slot, emptySlot);
    }
    return slot;
  }

  #isKnown(lo: number, hi: number): boolean {
    if (this.#merge === undefined) return this.#areAllKnown;
    return this.#merge.isUndisturbed(this.#mergeFrom + lo, this.#mergeFrom + hi);
  }

  #reserve(count: number): void {
    if (this.#leafSlots.length < count) this.#leafSlots = new Int32Array(count * 2);
  }
}
