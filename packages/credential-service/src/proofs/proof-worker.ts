/**
 * The life of one proof worker as its pool sees it: starting, free, busy, lost. It is lost when it does not start in
 * time, when its engine breaks, when it takes too long or when it ends for any other reason, and is never used again.
 */
import { assert } from '@symbolon/core/basics/assert';
import type { ProofOutcome, ProofTask, WorkerDuty } from './proof-job.ts';
import type { OpenPlace, ProofPlace } from './proof-place.ts';

export interface ProofWorkerOptions {
  readonly open: OpenPlace;
  readonly engineModule: URL;
  readonly duty: WorkerDuty;
  readonly startMs: number;
  readonly onReady: () => void;
  readonly onLost: () => void;
}

export type WorkerOutcome = ProofOutcome | 'lost' | 'timedOut';

export class ProofWorker {
  readonly #place: ProofPlace;
  readonly #options: ProofWorkerOptions;
  #state: 'starting' | 'free' | 'busy' | 'lost' = 'starting';
  #timer: NodeJS.Timeout;
  #answer: ((outcome: WorkerOutcome) => void) | undefined;
  hasStarted = false;
  /** Why it does not start, in its own words. */
  inability: string | undefined;
  /** Whether it was given something to warm up with. */
  isWarm = false;

  constructor(options: ProofWorkerOptions) {
    this.#options = options;
    this.#timer = setTimeout(() => this.#lose('timedOut'), options.startMs);
    this.#place = options.open(options.engineModule, {
      onOutcome: (outcome) => this.#hear(outcome),
      onEnd: () => this.#lose('lost'),
    });
  }

  get duty(): WorkerDuty {
    return this.#options.duty;
  }

  get isFree(): boolean {
    return this.#state === 'free';
  }

  /** Always resolves. After `lost`, `timedOut`, `broken` and a last answer the worker is gone. */
  run(task: ProofTask, limitMs: number): Promise<WorkerOutcome> {
    assert(this.#state === 'free', 'a free worker');
    this.#state = 'busy';
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#timer = setTimeout(() => this.#lose('timedOut'), limitMs);
      this.#place.send(task);
    });
  }

  async end(): Promise<void> {
    this.#state = 'lost';
    clearTimeout(this.#timer);
    this.#reply('lost');
    await this.#place.end();
  }

  #hear(outcome: ProofOutcome): void {
    if (this.#state === 'lost') return;
    if (outcome.kind === 'unable') this.inability = outcome.reason;
    if (outcome.kind === 'unable' || outcome.kind === 'broken' || outcome.isLast) return this.#lose(outcome);
    clearTimeout(this.#timer);
    this.#state = 'free';
    if (outcome.kind !== 'ready') return this.#reply(outcome);
    this.hasStarted = true;
    this.#options.onReady();
  }

  #lose(outcome: WorkerOutcome): void {
    if (this.#state === 'lost') return;
    this.#state = 'lost';
    clearTimeout(this.#timer);
    // Its end is only waited for by who closes the pool.
    void this.#place.end();
    this.#options.onLost();
    this.#reply(outcome);
  }

  #reply(outcome: WorkerOutcome): void {
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.(outcome);
  }
}
