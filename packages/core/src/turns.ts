/**
 * Turns at something that only so many may use at a time: first come, first served. Who needs it alone takes all turns
 * at once, and whoever comes later waits behind, so nobody waits forever.
 */
export class Turns {
  readonly count: number;
  readonly #waiting: { readonly needed: number; readonly start: () => void }[] = [];
  #free: number;

  constructor(count: number) {
    this.count = count;
    this.#free = count;
  }

  /** How many callers wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  async run<Answer>(work: () => Promise<Answer>, needed = 1): Promise<Answer> {
    await this.#take(needed);
    try {
      return await work();
    } finally {
      this.#free += needed;
      this.#startNext();
    }
  }

  async #take(needed: number): Promise<void> {
    const started = new Promise<void>((start) => this.#waiting.push({ needed, start }));
    this.#startNext();
    await started;
  }

  #startNext(): void {
    for (let [next] = this.#waiting; next && next.needed <= this.#free; [next] = this.#waiting) {
      this.#waiting.shift();
      this.#free -= next.needed;
      next.start();
    }
  }
}
