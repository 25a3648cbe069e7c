/**
 * Hashing by plan: a walk over the tree notes which pairs are to be hashed and at what depth, without
 * hashing anything; then all pairs of one depth are hashed in large batches, the deepest first. A *slot* is
 * the place of one digest, known or still to be computed. One plan is used over and over: its memory stays.
 */
import { copyHash, hashWords, keyBits } from './key-words.ts';
import { type HashPairs, hashBytes, leafTag, pairBytes } from './tree-hash.ts';

/** The slot of the empty subtree. */
export const emptySlot = 0;
const tagSlot = 1;
const firstFreeSlot = 2;

/** A leaf takes two rounds of hashing before the inner nodes, the deepest of which has depth 255. */
const leafLevel = keyBits;
const keyAndValueLevel = keyBits + 1;
const levels = keyBits + 2;

const jobNumbers = 4;
const chunkPairs = 1024;
const chunkWords = chunkPairs * 2 * hashWords;

/** Memory beyond this is given back when the plan starts again. */
const retainedSlotsMax = 1 << 20;
const initialSlots = 1 << 10;

export class HashPlan {
  #slots = new Uint32Array(initialSlots * hashWords);
  #slotBytes = new Uint8Array(this.#slots.buffer);
  #slotCount = firstFreeSlot;
  /** Four numbers a job: level, left slot, right slot, slot of the result. */
  #jobs = new Int32Array(initialSlots * jobNumbers);
  #jobsEnd = 0;
  readonly #jobsOfLevel = new Int32Array(levels);
  /** Where the next job of a level goes in the order of levels. */
  readonly #nextOfLevel = new Int32Array(levels);
  #order = new Int32Array(initialSlots);

  readonly #input = new Uint32Array(chunkWords);
  readonly #inputBytes = new Uint8Array(this.#input.buffer);
  readonly #output = new Uint32Array(chunkPairs * hashWords);
  readonly #outputBytes = new Uint8Array(this.#output.buffer);

  constructor() {
    this.#writeFixedSlots();
  }

  /** Forgets all slots and jobs. */
  reset(): void {
    if (this.#slots.length > retainedSlotsMax * hashWords) {
      this.#slots = new Uint32Array(initialSlots * hashWords);
      this.#slotBytes = new Uint8Array(this.#slots.buffer);
      this.#jobs = new Int32Array(initialSlots * jobNumbers);
      this.#order = new Int32Array(initialSlots);
      this.#writeFixedSlots();
    }
    this.#slotCount = firstFreeSlot;
    this.#jobsEnd = 0;
  }

  /** A slot with a digest that is already known. */
  put(words: Uint32Array, offset: number): number {
    const slot = this.#newSlot();
    copyHash(words, offset, this.#slots, slot * hashWords);
    return slot;
  }

  /** The inner node at this depth over two subtrees. */
  pair(depth: number, left: number, right: number): number {
    const slot = this.#newSlot();
    this.#addJob(depth, left, right, slot);
    return slot;
  }

  /** The leaf of a key and a value hash. The slot after the answered one keeps the value hash. */
  leaf(keys: Uint32Array, keyAt: number, values: Uint32Array, valueAt: number): number {
    const key = this.put(keys, keyAt);
    const value = this.put(values, valueAt);
    // Nothing else reads the key's slot, so it may hold each result in turn.
    this.#addJob(keyAndValueLevel, key, value, key);
    this.#addJob(leafLevel, key, tagSlot, key);
    return key;
  }

  run(hashPairs: HashPairs): void {
    const order = this.#jobsByLevel();
    let from = 0;
    for (let level = levels - 1; level >= 0; level--) {
      const end = from + this.#jobsOfLevel[level];
      for (; from < end; from += chunkPairs) {
        this.#hashChunk(order, from, Math.min(end, from + chunkPairs), hashPairs);
      }
      from = end;
    }
  }

  /** Copies the digest of a slot; computed ones are there after `run`. */
  copy(slot: number, to: Uint32Array, offset: number): void {
    copyHash(this.#slots, slot * hashWords, to, offset);
  }

  copyBytes(slot: number, to: Uint8Array, offset: number): void {
    const from = slot * hashBytes;
    for (let index = 0; index < hashBytes; index++) to[offset + index] = this.#slotBytes[from + index];
  }

  bytes(slot: number): Uint8Array {
    const hash = new Uint8Array(hashBytes);
    this.copyBytes(slot, hash, 0);
    return hash;
  }

  #hashChunk(order: Int32Array, from: number, to: number, hashPairs: HashPairs): void {
    const slots = this.#slots;
    const jobs = this.#jobs;
    const input = this.#input;
    const output = this.#output;
    const count = to - from;
    for (let index = 0; index < count; index++) {
      const job = order[from + index];
      const at = index * 2 * hashWords;
      copyHash(slots, jobs[job + 1] * hashWords, input, at);
      copyHash(slots, jobs[job + 2] * hashWords, input, at + hashWords);
    }
    hashPairs(
      this.#inputBytes.subarray(0, count * pairBytes),
      this.#outputBytes.subarray(0, count * hashBytes),
    );
    for (let index = 0; index < count; index++) {
      copyHash(output, index * hashWords, slots, jobs[order[from + index] + 3] * hashWords);
    }
  }

  /** Where each job stands, from the deepest level to the root: a counting sort. */
  #jobsByLevel(): Int32Array {
    const jobs = this.#jobs;
    const end = this.#jobsEnd;
    const counts = this.#jobsOfLevel.fill(0);
    for (let job = 0; job < end; job += jobNumbers) counts[jobs[job]]++;
    const next = this.#nextOfLevel;
    next[levels - 1] = 0;
    for (let level = levels - 2; level >= 0; level--) next[level] = next[level + 1] + counts[level + 1];
    if (this.#order.length * jobNumbers < end) this.#order = new Int32Array(jobs.length / jobNumbers);
    const order = this.#order;
    for (let job = 0; job < end; job += jobNumbers) order[next[jobs[job]]++] = job;
    return order;
  }

  #addJob(level: number, left: number, right: number, result: number): void {
    if (this.#jobsEnd === this.#jobs.length) this.#growJobs();
    const jobs = this.#jobs;
    const at = this.#jobsEnd;
    jobs[at] = level;
    jobs[at + 1] = left;
    jobs[at + 2] = right;
    jobs[at + 3] = result;
    this.#jobsEnd = at + jobNumbers;
  }

  #newSlot(): number {
    if (this.#slotCount * hashWords === this.#slots.length) {
      const slots = new Uint32Array(this.#slots.length * 2);
      slots.set(this.#slots);
      this.#slots = slots;
      this.#slotBytes = new Uint8Array(slots.buffer);
    }
    return this.#slotCount++;
  }

  #growJobs(): void {
    const jobs = new Int32Array(this.#jobs.length * 2);
    jobs.set(this.#jobs);
    this.#jobs = jobs;
  }

  #writeFixedSlots(): void {
    this.#slots.fill(0, emptySlot * hashWords, (emptySlot + 1) * hashWords);
    this.#slotBytes.set(leafTag, tagSlot * hashBytes);
  }
}

/** Words of a saved patch: the offset it goes to, then the digest. */
const savedPatchWords = 1 + hashWords;

/** Where planned digests go once they are computed: pairs of a word offset and a slot. */
export class PatchList {
  #patches = new Int32Array(1 << 10);
  length = 0;

  add(offset: number, slot: number): void {
    if (this.length * 2 === this.#patches.length) {
      const patches = new Int32Array(this.#patches.length * 2);
      patches.set(this.#patches);
      this.#patches = patches;
    }
    this.#patches[this.length * 2] = offset;
    this.#patches[this.length * 2 + 1] = slot;
    this.length++;
  }

  /** Writes a run of patches into the words they were noted for. */
  apply(from: number, to: number, words: Uint32Array, plan: HashPlan): void {
    for (let index = from; index < to; index++) {
      plan.copy(this.#patches[index * 2 + 1], words, this.#patches[index * 2]);
    }
  }

  /** All patches with their digests, for a time when the plan is long used for something else. */
  save(plan: HashPlan): Uint32Array {
    const saved = new Uint32Array(this.length * savedPatchWords);
    for (let index = 0; index < this.length; index++) {
      saved[index * savedPatchWords] = this.#patches[index * 2];
      plan.copy(this.#patches[index * 2 + 1], saved, index * savedPatchWords + 1);
    }
    return saved;
  }
}

/** Writes a run of saved patches, counted as in the list they were saved from. */
export function applySaved(saved: Uint32Array, from: number, to: number, words: Uint32Array): void {
  for (let at = from * savedPatchWords; at < to * savedPatchWords; at += savedPatchWords) {
    copyHash(saved, at + 1, words, saved[at]);
  }
}

/** A plan and the places its results go to. */
export interface Hashing {
  readonly plan: HashPlan;
  readonly patches: PatchList;
}
