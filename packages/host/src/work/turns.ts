/**
 * Turns at something that only so many may use at a time: first come, first served. Who needs it alone takes all turns
 * at once, and whoever comes later waits behind, so nobody waits forever.
 */
export interface TurnOptions {
  readonly needed?: number;
  /** Ends the waiting, not the work. */
  readonly signal?: AbortSignal;
}

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

  async run<Answer>(work: () => Promise<Answer>, { needed = 1, signal }: TurnOptions = {}): Promise<Answer> {
    await this.#take(needed, signal);
    try {
      return await work();
    } finally {
      this.#free += needed;
      this.#startNext();
    }
  }

  async #take(needed: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const { promise: started, resolve: start, reject } = Promise.withResolvers<void>();
    const caller = { needed, start };
    const leave = (): void => {
      const place = this.#waiting.indexOf(caller);
      if (place === -1) return;
      this.#waiting.splice(place, 1);
      reject(signal?.reason);
      this.#startNext();
    };
    this.#waiting.push(caller);
    signal?.addEventListener('abort', leave);
    this.#startNext();
    await started.finally(() => signal?.removeEventListener('abort', leave));
  }

  #startNext(): void {
    for (let [next] = this.#waiting; next && next.needed <= this.#free; [next] = this.#waiting) {
      this.#waiting.shift();
      this.#free -= next.needed;
      next.start();
    }
  }
}
