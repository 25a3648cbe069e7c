/**
 * What a run of sorted changes makes of a bucket: which leaves it has then, where each comes from, and which
 * parts keep their hashes. Nothing is written to the bucket itself.
 */
import { type BucketView, branchHashAt, leafHashAt, valueAt } from './bucket.ts';
import type { HashPlan } from './hash-plan.ts';
import { compareKeys, copyHash, hashWords, keyHead, keyNibble } from './key-words.ts';

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

export class BucketMerge {
  /** Leaves after the changes. */
  length = 0;
  readonly #bucket: BucketView;
  #changes = noChanges;
  /** The index of the leaf in the bucket, or the inverted index of a change. */
  #origins = new Int32Array(64);
  /** How many leaves before this one are disturbed: changed themselves, or next to a removed one. */
  #disturbedBefore = new Int32Array(65);

  /** Merges are always into what this view shows. */
  constructor(bucket: BucketView) {
    this.#bucket = bucket;
  }

  /** Answers what changes `lo` to `hi` touch: nothing, values of leaves that are there, or the keys themselves. */
  merge(changes: SortedChanges, lo: number, hi: number): 'nothing' | 'values' | 'keys' {
    this.#changes = changes;
    const touched = this.#mergeValues(lo, hi);
    if (touched === 'keys') this.#mergeKeys(lo, hi);
    return touched;
  }

  nibble(index: number, depth: number): number {
    const origin = this.#origins[index];
    if (origin < 0) return keyNibble(this.#changes.keys, ~origin * hashWords, depth);
    return keyNibble(this.#bucket.words, this.#bucket.keyAt(origin), depth);
  }

  /** Writes what is known of a range of the merged leaves to a bucket; `target` shows where, not yet what. */
  copy(from: number, to: number, target: BucketView): void {
    const { words } = this.#bucket;
    const { keys, values } = this.#changes;
    for (let index = from; index < to; index++) {
      const at = target.keyAt(index - from);
      const origin = this.#origins[index];
      if (origin < 0) {
        copyHash(keys, ~origin * hashWords, target.words, at);
        copyHash(values, ~origin * hashWords, target.words, at + valueAt);
        continue;
      }
      const old = this.#bucket.keyAt(origin);
      copyHash(words, old, target.words, at);
      copyHash(words, old + valueAt, target.words, at + valueAt);
      copyHash(words, old + leafHashAt, target.words, at + leafHashAt);
      copyHash(words, old + branchHashAt, target.words, at + branchHashAt);
    }
    target.readHeads();
  }

  /** The leaf is new or has a new value. */
  isChanged(index: number): boolean {
    return this.#origins[index] < 0;
  }

  planValue(index: number, plan: HashPlan): number {
    return plan.known(this.#changes.values, ~this.#origins[index] * hashWords);
  }

  /** True if the range has the same leaves, and nothing more, as before: its hash is still known. */
  isUndisturbed(from: number, to: number): boolean {
    return this.#disturbedBefore[to] === this.#disturbedBefore[from];
  }

  /** The common case: every key stays, and few of them have to be looked at. */
  #mergeValues(lo: number, hi: number): 'nothing' | 'values' | 'keys' {
    const { count } = this.#bucket;
    const { removed, effective } = this.#changes;
    this.#reserve(count);
    for (let index = 0; index < count; index++) this.#origins[index] = index;
    let touched: 'nothing' | 'values' = 'nothing';
    let at = 0;
    for (let change = lo; change < hi; change++) {
      at = this.#search(change, at);
      const isFound = at < count && this.#compare(at, change) === 0;
      const isRemoved = removed[change] === 1;
      if (!isFound && isRemoved) continue;
      if (!isFound || isRemoved) return 'keys';
      if (!this.#hasNewValue(at, change)) continue;
      this.#origins[at] = ~change;
      effective[change] = 1;
      touched = 'values';
    }
    this.length = count;
    for (let index = 0; index < count; index++) {
      this.#disturbedBefore[index + 1] = this.#disturbedBefore[index] + (this.#origins[index] < 0 ? 1 : 0);
    }
    return touched;
  }

  #mergeKeys(lo: number, hi: number): void {
    const { count } = this.#bucket;
    const { removed, effective } = this.#changes;
    this.#reserve(count + hi - lo);
    this.length = 0;
    let next = 0;
    let gap = false;
    for (let change = lo; change < hi; change++) {
      let order = -1;
      while (next < count) {
        order = this.#compare(next, change);
        if (order >= 0) break;
        gap = this.#push(next++, gap);
      }
      const isFound = next < count && order === 0;
      const isRemoved = removed[change] === 1;
      const isEffective = isFound ? isRemoved || this.#hasNewValue(next, change) : !isRemoved;
      if (isEffective) effective[change] = 1;
      if (isRemoved) gap ||= isFound;
      else gap = this.#push(isEffective ? ~change : next, gap);
      if (isFound) next++;
    }
    while (next < count) gap = this.#push(next++, gap);
    if (gap) this.#disturbLast();
  }

  /** The first leaf, from `from` on, whose key is not below that of the change. */
  #search(change: number, from: number): number {
    const bucket = this.#bucket;
    const head = keyHead(this.#changes.keys, change * hashWords, bucket.depth);
    let lo = from;
    let hi = bucket.count;
    while (lo < hi) {
      const middle = (lo + hi) >> 1;
      if (bucket.head(middle) < head) lo = middle + 1;
      else hi = middle;
    }
    // Few keys share a head, if any.
    while (lo < bucket.count && bucket.head(lo) === head && this.#compare(lo, change) < 0) lo++;
    return lo;
  }

  #compare(leaf: number, change: number): number {
    const bucket = this.#bucket;
    return compareKeys(bucket.words, bucket.keyAt(leaf), this.#changes.keys, change * hashWords);
  }

  #hasNewValue(leaf: number, change: number): boolean {
    const bucket = this.#bucket;
    return (
      compareKeys(bucket.words, bucket.keyAt(leaf) + valueAt, this.#changes.values, change * hashWords) !== 0
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
