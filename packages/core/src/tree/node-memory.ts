/**
 * The memory of cached nodes: one large array of words, cut into cells of one size. A node is known by the offset of
 * its first cell, which starts with a head of 16 words. Thousands of nodes are touched for each block, each once, so
 * the time goes into reaching memory: an array and an object for each node would make that three times as slow as
 * offsets do, and would cost more to allocate than to hash.
 */
import { assert } from '../basics/assert.ts';

/** No node: no cell starts there. */
export const noNode = 0;

/** Head of a cell, then the content of a page or of up to eight leaves: 18 cache lines of 64 bytes. */
export const cellWords = 288;
/** Large arrays mostly start 16 bytes behind a cache line; so cells start with one. */
export const firstCell = 12;
export const cellBytes = cellWords * 4;
export const headWords = 16;

const kindAt = 0;
const countAt = 1;
const parentAt = 2;
const childAt = 3;
const cachedChildrenAt = 4;
const usedAtAt = 5;
const usedAt = 6;
const generationAt = 7;
/** The words from here on differ by kind: see `page.ts` and `bucket.ts`. */
export const ownHeadAt = 8;

const kinds = { free: 0, page: 1, bucket: 2, more: 3 } as const;

/** A free cell names the next one in the place of its parent. */
const nextFreeAt = parentAt;

const initialCells = 16;
const wordsMax = 2 ** 30;
/** Up to here memory grows fourfold: what is not touched yet costs nothing, and copies stay few. */
const boldGrowthWordsMax = 16 * 1024 * 1024;

export const isPage = (words: Uint32Array, node: number): boolean => words[node + kindAt] === kinds.page;
export const isNode = (words: Uint32Array, node: number): boolean =>
  words[node + kindAt] === kinds.page || words[node + kindAt] === kinds.bucket;
/** Leaves of a bucket. */
export const leafCount = (words: Uint32Array, node: number): number => words[node + countAt];
export const parentOf = (words: Uint32Array, node: number): number => words[node + parentAt];
export const childIndexOf = (words: Uint32Array, node: number): number => words[node + childAt];

/** Children of a page that are cached too. */
export const cachedChildren = (words: Uint32Array, node: number): number => words[node + cachedChildrenAt];

export function addCachedChildren(words: Uint32Array, node: number, difference: number): void {
  words[node + cachedChildrenAt] += difference;
}

/** Another one each time a cell is given away, so that a name kept for later can be checked. */
export const generationOf = (words: Uint32Array, node: number): number => words[node + generationAt];

export function setPosition(words: Uint32Array, node: number, parent: number, child: number): void {
  words[node + parentAt] = parent;
  words[node + childAt] = child;
}

/** Notes that a node is used, and when, by the clock of the cache. */
export function markUsed(words: Uint32Array, node: number, now: number): void {
  words[node + usedAt] = 1;
  words[node + usedAtAt] = now;
}

export const lastUseOf = (words: Uint32Array, node: number): number => words[node + usedAtAt];

/** Whether the node was used since this was asked last. */
export function takeUsed(words: Uint32Array, node: number): boolean {
  const used = words[node + usedAt] === 1;
  words[node + usedAt] = 0;
  return used;
}

export class NodeMemory {
  /** Replaced by a larger array when an allocation needs one. */
  words = new Uint32Array(firstCell + initialCells * cellWords);
  /** Cells in use. */
  cells = 0;
  #end = firstCell;
  #firstFree = noNode;

  /** Behind the last cell ever used. */
  get end(): number {
    return this.#end;
  }

  allocatePage(): number {
    const node = this.#allocate(kinds.page);
    this.words.fill(0, node + headWords, node + cellWords);
    return node;
  }

  allocateBucket(leaves: number): number {
    const node = this.#allocate(kinds.bucket);
    this.words[node + countAt] = leaves;
    return node;
  }

  /** One more cell of a bucket. */
  allocateMore(): number {
    return this.#allocate(kinds.more);
  }

  release(cell: number): void {
    const { words } = this;
    words[cell + kindAt] = kinds.free;
    words[cell + generationAt]++;
    words[cell + nextFreeAt] = this.#firstFree;
    this.#firstFree = cell;
    this.cells--;
  }

  /** The content of the cell behind its head is whatever was there before. */
  #allocate(kind: number): number {
    let cell = this.#firstFree;
    if (cell !== noNode) {
      this.#firstFree = this.words[cell + nextFreeAt];
    } else {
      if (this.#end + cellWords > this.words.length) this.#grow();
      cell = this.#end;
      this.#end += cellWords;
    }
    const generation = this.words[cell + generationAt];
    this.words.fill(0, cell, cell + headWords);
    this.words[cell + generationAt] = generation;
    this.words[cell + kindAt] = kind;
    this.cells++;
    return cell;
  }

  #grow(): void {
    const { length } = this.words;
    assert(length < wordsMax, 'offsets of cached nodes stay within 31 bits');
    const words = new Uint32Array(length < boldGrowthWordsMax ? length * 4 : length * 2);
    words.set(this.words);
    this.words = words;
  }
}
