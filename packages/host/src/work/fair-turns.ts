/**
 * Turns at something that only so many may use at a time, shared fairly by callers: whoever has much waiting waits for
 * itself, and whoever comes with little goes next. The places to wait are shared as well: one caller never takes more
 * than half.
 */
import { FairQueue } from './fair-queue.ts';

export interface FairTurnsOptions {
  readonly atOnceMax: number;
  readonly waitingMax: number;
}

export class FairTurns {
  readonly #options: FairTurnsOptions;
  readonly #waiting = new FairQueue<() => void>();
  #free: number;

  constructor(options: FairTurnsOptions) {
    this.#options = options;
    this.#free = options.atOnceMax;
  }

  /** Whether one more of this caller may wait. */
  hasRoomFor(caller: string): boolean {
    const { waitingMax } = this.#options;
    return this.#waiting.size < waitingMax && this.#waiting.sizeOf(caller) < Math.ceil(waitingMax / 2);
  }

  async run<Answer>(caller: string, work: () => Promise<Answer>): Promise<Answer> {
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    this.#waiting.add(start, { caller, cost: 1 });
    this.#startNext();
    await started;
    try {
      return await work();
    } finally {
      this.#free += 1;
      this.#startNext();
    }
  }

  #startNext(): void {
    if (this.#free === 0) return;
    const start = this.#waiting.next();
    if (!start) return;
    this.#free -= 1;
    start();
  }
}
