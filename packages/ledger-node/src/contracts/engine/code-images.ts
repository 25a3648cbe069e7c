/**
 * Images of contracts that ran lately, by the hash of their code: the world with the code compiled and not yet
 * run. Bounded by what they take together; the one unused for longest goes first. What a run sees and pays does
 * not depend on whether its image was here.
 */
import type { Exhausted, Threw } from './exceptions.ts';
import type { Handle, Image } from './machine.ts';
import type { World } from './world.ts';

/** Code that compiled, or what became of it instead. */
export type CodeImage = {
  readonly world: World;
  /** What a run pays for having its code loaded. */
  readonly gas: bigint;
} & ({ readonly image: Image; readonly script: Handle } | { readonly failure: Threw | Exhausted });

/** For bookkeeping around an entry without an image. */
const entryBytes = 1_024;

const bytesOf = (entry: CodeImage) => entryBytes + ('image' in entry ? entry.image.bytes.length : 0);

export class CodeImages {
  readonly #entries = new Map<string, CodeImage>();
  readonly #bytesMax: number;
  #bytes = 0;
  /** What was asked for last stands at the end already. */
  #last = '';

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get(key: string): CodeImage | undefined {
    const found = this.#entries.get(key);
    if (!found || key === this.#last) return found;
    this.#last = key;
    this.#entries.delete(key);
    this.#entries.set(key, found);
    return found;
  }

  add(key: string, entry: CodeImage): void {
    this.#entries.set(key, entry);
    this.#last = key;
    this.#bytes += bytesOf(entry);
    for (const [oldest, old] of this.#entries) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#entries.delete(oldest);
      this.#bytes -= bytesOf(old);
    }
  }

  get bytes(): number {
    return this.#bytes;
  }
}
