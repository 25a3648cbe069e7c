/**
 * Sandbox runs share the thread that makes blocks, so they take turns with it: one at a time, and after each the
 * sandbox rests as long as the run took. Whoever waits too long is told so; the queue is bounded.
 *
 * Nothing that is tried out here is kept, so nothing that goes wrong here says anything of the chain: it is a failure
 * of this request, told loudly, and the node goes on.
 */
import { HostFault } from '@symbolon/core/basics/host-fault';
import { type LedgerRefusal, refuse } from '@symbolon/core/ledger/terms/codes';
import { sandboxLimits } from '../limits/node-limits.ts';

export class SandboxQueue {
  readonly #waiting: { readonly since: number; readonly start: () => void; readonly giveUp: () => void }[] =
    [];
  #isBusy = false;

  /** What the work answers, or code 5 when it did not get its turn in time. */
  run<Answer>(work: () => Answer): Promise<Answer | LedgerRefusal> {
    if (this.#waiting.length >= sandboxLimits.waitingMax) return Promise.resolve(tooBusy);
    return new Promise((resolve, reject) => {
      const start = (): void => {
        try {
          resolve(work());
        } catch (error) {
          reject(new HostFault(`a run in the sandbox failed: ${error}`, { cause: error }));
        }
      };
      this.#waiting.push({ since: performance.now(), start, giveUp: () => resolve(tooBusy) });
      if (!this.#isBusy) this.#next();
    });
  }

  #next(): void {
    const turn = this.#waiting.shift();
    this.#isBusy = turn !== undefined;
    if (!turn) return;
    const startedAt = performance.now();
    if (startedAt - turn.since > sandboxLimits.waitMs) turn.giveUp();
    else turn.start();
    const tookMs = performance.now() - startedAt;
    if (tookMs < 1) setImmediate(() => this.#next());
    else setTimeout(() => this.#next(), tookMs);
  }
}

const tooBusy = refuse('timeout', 'the sandbox is busy; try again');
