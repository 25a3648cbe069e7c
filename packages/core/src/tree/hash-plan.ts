/**
 * Hashing by plan: a walk over the tree notes which pairs are to be hashed and at what depth, without
 * hashing anything; then all pairs of one depth are hashed in large batches, the deepest first. One plan is
 * used over and over: its memory stays, except for the digests, which belong to whoever ran it.
 *
 * A digest is named by a number: zero or more is a job of this plan, below zero is, inverted, the index of a
 * digest that was known before.
 */
import { copyHash, hashWords, keyBits } from './key-words.ts';
import { type HashPairs, hashBytes, leafTag, pairBytes } from './tree-hash.ts';

/** The digest of the empty subtree. */
export const emptyDigest = ~0;
const tagDigest = ~1;
const fixedDigests = 2;

/** A leaf takes two rounds of hashing before the inner nodes, the deepest of which has depth 255. */
const leafLevel = keyBits;
const keyAndValueLevel = keyBits + 1;
const levels = keyBits + 2;

/** Level, left digest, right digest. */
const jobNumbers = 3;
const chunkPairs = 1024;

/** Memory beyond this is given back when the plan starts again. */
const retainedJobsMax = 1 << 20;
/** Small, because a tree that makes one proof has a plan too. */
const initialJobs = 1 << 7;

export class HashPlan {
  #known = new Uint32Array(initialJobs * hashWords);
  #knownCount = fixedDigests;
  #jobs = new Int32Array(initialJobs * jobNumbers);
  #jobCount = 0;
  readonly #levelEnds = new Int32Array(levels);
  /** The jobs in the order they are hashed, and for each job its place there. */
  #order = new Int32Array(initialJobs);
  #places = new Int32Array(initialJobs);
  /** Of the jobs, in the order they are hashed, and then those that were known. */
  #digests: Uint32Array<ArrayBuffer> = new Uint32Array(0);

  #input = new Uint32Array(0);
  #inputBytes = new Uint8Array(0);

  constructor() {
    this.#writeFixedDigests();
  }

  /** Forgets all digests. */
  restart(): void {
    if (this.#jobs.length > retainedJobsMax * jobNumbers) {
      this.#known = new Uint32Array(initialJobs * hashWords);
      this.#jobs = new Int32Array(initialJobs * jobNumbers);
      this.#order = new Int32Array(initialJobs);
      this.#places = new Int32Array(initialJobs);
      this.#writeFixedDigests();
    }
    this.#knownCount = fixedDigests;
    this.#jobCount = 0;
  }

  /** A digest that is known. */
  known(words: Uint32Array, offset: number): number {
    const index = this.#knownCount++;
    if (this.#knownCount * hashWords > this.#known.length) {
      const known = new Uint32Array(this.#known.length * 2);
      known.set(this.#known);
      this.#known = known;
    }
    copyHash(words, offset, this.#known, index * hashWords);
    return ~index;
  }

  /** The inner node at this depth over two subtrees. */
  pair(depth: number, left: number, right: number): number {
    const at = this.#jobCount * jobNumbers;
    if (at === this.#jobs.length) {
      const jobs = new Int32Array(at * 2);
      jobs.set(this.#jobs);
      this.#jobs = jobs;
    }
    const jobs = this.#jobs;
    jobs[at] = depth;
    jobs[at + 1] = left;
    jobs[at + 2] = right;
    return this.#jobCount++;
  }

  /** The leaf of a key and the value hash `value`. */
  leaf(keys: Uint32Array, keyAt: number, value: number): number {
    return this.pair(leafLevel, this.pair(keyAndValueLevel, this.known(keys, keyAt), value), tagDigest);
  }

  /** Hashes everything; the answer holds all digests. */
  run(hashPairs: HashPairs): Uint32Array {
    this.#orderJobs();
    const known = this.#known.subarray(0, this.#knownCount * hashWords);
    this.#digests = new Uint32Array(this.#jobCount * hashWords + known.length);
    this.#digests.set(known, this.#jobCount * hashWords);
    const bytes = new Uint8Array(this.#digests.buffer);
    this.#reserveInput();
    let from = 0;
    for (let level = levels - 1; level >= 0; level--) {
      const end = this.#levelEnds[level];
      while (from < end) {
        const to = Math.min(end, from + chunkPairs);
        this.#gather(from, to);
        const input = this.#inputBytes.subarray(0, (to - from) * pairBytes);
        hashPairs(input, bytes.subarray(from * hashBytes, to * hashBytes));
        from = to;
      }
    }
    return this.#digests;
  }

  /** The word where a digest stands in the answer of `run`. */
  placeOf(digest: number): number {
    return (digest >= 0 ? this.#places[digest] : this.#jobCount + ~digest) * hashWords;
  }

  /** The bytes of a digest, after `run`. */
  bytes(digest: number): Uint8Array {
    const at = this.placeOf(digest);
    return new Uint8Array(this.#digests.buffer, at * 4, hashBytes).slice();
  }

  /** Collects the inputs of some jobs. */
  #gather(from: number, to: number): void {
    const jobs = this.#jobs;
    const order = this.#order;
    const places = this.#places;
    const digests = this.#digests;
    const input = this.#input;
    const jobCount = this.#jobCount;
    let at = 0;
    for (let index = from; index < to; index++) {
      const job = order[index] * jobNumbers;
      const left = jobs[job + 1];
      const right = jobs[job + 2];
      copyHash(digests, (left >= 0 ? places[left] : jobCount + ~left) * hashWords, input, at);
      copyHash(digests, (right >= 0 ? places[right] : jobCount + ~right) * hashWords, input, at + hashWords);
      at += 2 * hashWords;
    }
  }

  /** From the deepest level to the root: a counting sort. */
  #orderJobs(): void {
    const jobs = this.#jobs;
    const count = this.#jobCount;
    if (this.#order.length < count) {
      this.#order = new Int32Array(jobs.length / jobNumbers);
      this.#places = new Int32Array(jobs.length / jobNumbers);
    }
    const ends = this.#levelEnds.fill(0);
    for (let job = 0; job < count; job++) ends[jobs[job * jobNumbers]]++;
    let end = 0;
    for (let level = levels - 1; level >= 0; level--) {
      end += ends[level];
      ends[level] = end - ends[level];
    }
    // Each entry moves from the start of its level to the end.
    for (let job = 0; job < count; job++) {
      const place = ends[jobs[job * jobNumbers]]++;
      this.#order[place] = job;
      this.#places[job] = place;
    }
  }

  #reserveInput(): void {
    const words = Math.min(this.#jobCount, chunkPairs) * 2 * hashWords;
    if (this.#input.length >= words) return;
    this.#input = new Uint32Array(words);
    this.#inputBytes = new Uint8Array(this.#input.buffer);
  }

  #writeFixedDigests(): void {
    new Uint8Array(this.#known.buffer).set(leafTag, hashBytes);
  }
}

/** Where digests go once they are computed: pairs of a word offset and a digest of the plan. */
export class PatchList {
  readonly #plan: HashPlan;
  #patches = new Int32Array(1 << 8);
  length = 0;

  constructor(plan: HashPlan) {
    this.#plan = plan;
  }

  add(offset: number, digest: number): void {
    if (this.length * 2 === this.#patches.length) {
      const patches = new Int32Array(this.#patches.length * 2);
      patches.set(this.#patches);
      this.#patches = patches;
    }
    this.#patches[this.length * 2] = offset;
    this.#patches[this.length * 2 + 1] = digest;
    this.length++;
  }

  /** All patches of a plan that has run, for now or for a time when it is long used for something else. */
  finish(digests: Uint32Array): Patches {
    const places = this.#patches.slice(0, this.length * 2);
    for (let index = 1; index < places.length; index += 2) places[index] = this.#plan.placeOf(places[index]);
    return { digests, places };
  }
}

export interface Patches {
  readonly digests: Uint32Array;
  /** Pairs: where a digest goes, and where it comes from. */
  readonly places: Int32Array;
}

/** Writes a run of patches. */
export function applyPatches(
  { digests, places }: Patches,
  from: number,
  to: number,
  words: Uint32Array,
): void {
  for (let index = from * 2; index < to * 2; index += 2) {
    copyHash(digests, places[index + 1], words, places[index]);
  }
}

/** A plan and the places its results go to. */
export interface Hashing {
  readonly plan: HashPlan;
  readonly patches: PatchList;
}
