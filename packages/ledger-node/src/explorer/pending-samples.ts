/** How many transactions waited, second by second, as far back as is kept. */
import type { PendingSample } from '@symbolon/wire/ledger/explorer/replies';
import { explorerLimits } from '../limits/node-limits.ts';

export class PendingSamples {
  readonly #waiting: () => number;
  readonly #nowMs: () => number;
  readonly #samples: PendingSample[] = [];
  readonly #timer: NodeJS.Timeout;
  /** The most since the last sample. */
  #most = 0;

  constructor(waiting: () => number, nowMs: () => number) {
    this.#waiting = waiting;
    this.#nowMs = nowMs;
    this.#timer = setInterval(() => this.take(), explorerLimits.pendingSampleMs);
    this.#timer.unref();
  }

  /** To be told whenever there may be more than before. */
  note(): void {
    const waiting = this.#waiting();
    if (waiting > this.#most) this.#most = waiting;
  }

  take(): void {
    this.note();
    this.#samples.push({ timeMs: this.#nowMs(), waiting: this.#most });
    if (this.#samples.length > explorerLimits.pendingSamplesMax) this.#samples.shift();
    this.#most = 0;
  }

  list(): readonly PendingSample[] {
    return this.#samples;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
