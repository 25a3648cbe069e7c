/**
 * What a run of sorted changes makes of a bucket: which leaves it has then, where each comes from, and which
 * parts keep their hashes. Nothing is written to the bucket itself.
 */
import { copyRecords, recordAt, valueAt, writeHeads } from './bucket.ts';
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

/** A run of changes and the bucket, at this depth, they all belong to. */
export interface BucketChanges {
  readonly words: Uint32Array;
  readonly count: number;
  readonly depth: number;
  readonly changes: SortedChanges;
  readonly lo: number;
  readonly hi: number;
}

const noChanges: BucketChanges = {
  words: new Uint32Array(0),
  count: 0,
  depth: 0,
  changes: {
    length: 0,
    keys: new Uint32Array(0),
    values: new Uint32Array(0),
    removed: new Uint8Array(0),
    effective: new Uint8Array(0),
  },
  lo: 0,
  hi: 0,
};

export class BucketMerge {
  /** Leaves after the changes. */
  length = 0;
  #given: BucketChanges = noChanges;
  /** The index of the leaf in the bucket, or the inverted index of a change. */
  #origins = new Int32Array(64);
  /** How many leaves before this one are disturbed: changed themselves, or next to a removed one. */
  #disturbedBefore = new Int32Array(65);

  /** Answers what the changes touch: nothing, values of leaves that are there, or the keys themselves. */
  merge(given: BucketChanges): 'nothing' | 'values' | 'keys' {
    this.#given = given;
    const touched = this.#mergeValues();
    if (touched === 'keys') this.#mergeKeys();
    return touched;
  }

  nibble(index: number, depth: number): number {
    const { words, changes } = this.#given;
    const origin = this.#origins[index];
    if (origin >= 0) return keyNibble(words, recordAt(words, origin), depth);
    return keyNibble(changes.keys, ~origin * hashWords, depth);
  }

  /** Writes a range of the merged leaves as a bucket of their own; new leaves have no hashes yet. */
  copy(from: number, to: number, target: Uint32Array, depth: number): void {
    const origins = this.#origins;
    const { words, changes } = this.#given;
    for (let index = from; index < to; ) {
      const origin = origins[index];
      let end = index + 1;
      if (origin < 0) {
        const at = recordAt(target, index - from);
        copyHash(changes.keys, ~origin * hashWords, target, at);
        copyHash(changes.values, ~origin * hashWords, target, at + valueAt);
      } else {
        while (end < to && origins[end] === origin + end - index) end++;
        copyRecords(words, origin, end - index, target, index - from);
      }
      index = end;
    }
    writeHeads(target, to - from, depth);
  }

  /** The leaf is new or has a new value. */
  isChanged(index: number): boolean {
    return this.#origins[index] < 0;
  }

  planLeaf(index: number, plan: HashPlan): number {
    const { keys, values } = this.#given.changes;
    const at = ~this.#origins[index] * hashWords;
    return plan.leaf(keys, at, values, at);
  }

  /** True if the range has the same leaves, and nothing more, as before: its hash is still known. */
  isUndisturbed(from: number, to: number): boolean {
    return this.#disturbedBefore[to] === this.#disturbedBefore[from];
  }

  /** The common case: every key stays, and few of them have to be looked at. */
  #mergeValues(): 'nothing' | 'values' | 'keys' {
    const { count, changes, lo, hi } = this.#given;
    this.#reserve(count);
    for (let index = 0; index < count; index++) this.#origins[index] = index;
    let touched: 'nothing' | 'values' = 'nothing';
    let at = 0;
    for (let change = lo; change < hi; change++) {
      at = this.#search(change, at);
      const isFound = at < count && this.#compare(at, change) === 0;
      const isRemoved = changes.removed[change] === 1;
      if (!isFound && isRemoved) continue;
      if (!isFound || isRemoved) return 'keys';
      if (!this.#hasNewValue(at, change)) continue;
      this.#origins[at] = ~change;
      changes.effective[change] = 1;
      touched = 'values';
    }
    this.length = count;
    for (let index = 0; index < count; index++) {
      this.#disturbedBefore[index + 1] = this.#disturbedBefore[index] + (this.#origins[index] < 0 ? 1 : 0);
    }
    return touched;
  }

  #mergeKeys(): void {
    const { count, changes, lo, hi } = this.#given;
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
      const isRemoved = changes.removed[change] === 1;
      const isEffective = isFound ? isRemoved || this.#hasNewValue(next, change) : !isRemoved;
      if (isEffective) changes.effective[change] = 1;
      if (isRemoved) gap ||= isFound;
      else gap = this.#push(isEffective ? ~change : next, gap);
      if (isFound) next++;
    }
    while (next < count) gap = this.#push(next++, gap);
    if (gap) this.#disturbLast();
  }

  /** The first leaf, from `from` on, whose key is not below that of the change, as far as heads can tell. */
  #search(change: number, from: number): number {
    const { words, count, depth, changes } = this.#given;
    const head = keyHead(changes.keys, change * hashWords, depth);
    let lo = from;
    let hi = count;
    while (lo < hi) {
      const middle = (lo + hi) >> 1;
      if (words[middle] < head) lo = middle + 1;
      else hi = middle;
    }
    // Few keys share a head, if any.
    while (lo < count && words[lo] === head && this.#compare(lo, change) < 0) lo++;
    return lo;
  }

  #compare(index: number, change: number): number {
    const { words, changes } = this.#given;
    return compareKeys(words, recordAt(words, index), changes.keys, change * hashWords);
  }

  #hasNewValue(index: number, change: number): boolean {
    const { words, changes } = this.#given;
    return compareKeys(words, recordAt(words, index) + valueAt, changes.values, change * hashWords) !== 0;
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
