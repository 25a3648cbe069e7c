/**
 * Nodes on their way into the cache: loaded ones before they are checked, those of an update before it is
 * committed. Their words lie one after the other in an array of their own, which nothing else refers to: an
 * update that is never committed leaves no trace.
 */
import type { ChildStates } from './page.ts';

const initialWords = 1024;

export interface BuiltBucket {
  readonly isPage: false;
  readonly depth: number;
  readonly count: number;
  /** Where its records start. */
  readonly offset: number;
}

export interface BuiltPage {
  readonly isPage: true;
  /** Where its heap starts. */
  readonly offset: number;
  readonly childStates: ChildStates;
  /** Those to be cached with it. */
  readonly children: readonly (readonly [child: number, node: BuiltNode])[];
}

export type BuiltNode = BuiltBucket | BuiltPage;

export class BuiltWords {
  /** Replaced by a larger array when `take` needs one. */
  words: Uint32Array<ArrayBuffer>;
  #used = 0;

  /** `spare` is an array that nobody else uses any more. */
  constructor(spare?: Uint32Array<ArrayBuffer>) {
    this.words = spare ?? new Uint32Array(initialWords);
  }

  /** The offset of this many words, whatever they held before. */
  take(count: number): number {
    const offset = this.#used;
    this.#used += count;
    if (this.#used > this.words.length) {
      const words = new Uint32Array(Math.max(this.#used, this.words.length * 2));
      words.set(this.words.subarray(0, offset));
      this.words = words;
    }
    return offset;
  }

  takeZeros(count: number): number {
    const offset = this.take(count);
    this.words.fill(0, offset, offset + count);
    return offset;
  }
}
