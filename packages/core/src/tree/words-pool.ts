/**
 * Word arrays of nodes that have left the cache, kept for the next ones: thousands of nodes are replaced a
 * block, and fresh memory of a kilobyte or two costs more than hashing what goes into it. What an array held
 * before is still in it.
 */
import { leafWords } from './bucket.ts';

/** Buckets get room in steps of this many leaves, so that one kind of array serves many of them. */
const leavesStep = 8;

const pooledWordsMax = 4 * 1024 * 1024;

export class WordsPool {
  readonly #bySteps: Uint32Array<ArrayBuffer>[][] = [];
  #pooledWords = 0;

  /** An array with room for this many leaves. */
  take(leaves: number): Uint32Array<ArrayBuffer> {
    const steps = Math.ceil(leaves / leavesStep);
    const pooled = this.#bySteps[steps]?.pop();
    if (pooled === undefined) return new Uint32Array(steps * leavesStep * leafWords);
    this.#pooledWords -= pooled.length;
    return pooled;
  }

  /** Nobody may use the array from here on. */
  give(words: Uint32Array<ArrayBuffer>): void {
    if (words.length === 0 || this.#pooledWords + words.length > pooledWordsMax) return;
    const steps = words.length / (leavesStep * leafWords);
    while (this.#bySteps.length <= steps) this.#bySteps.push([]);
    this.#bySteps[steps].push(words);
    this.#pooledWords += words.length;
  }
}
