/**
 * The life of one proof thread as its pool sees it: starting, free, busy, lost. It is lost when it does not start in
 * time, when its library traps, when it takes too long or when it ends for any other reason, and is never used again.
 */
import { Worker } from 'node:worker_threads';
import { assert } from '@symbolon/core/basics/assert';
import { proofLimits } from '../limits/service-limits.ts';
import { copyForThread, type ProofOutcome, type ProofTask } from './proof-job.ts';

export interface ProofThreadOptions {
  readonly startMs: number;
  /** Whether it takes short jobs alone; which are, its pool decides. */
  readonly isForShortJobs: boolean;
  readonly onReady: () => void;
  readonly onLost: () => void;
}

export type ThreadOutcome = ProofOutcome | 'lost' | 'timedOut';

export class ProofThread {
  readonly #worker: Worker;
  readonly #options: ProofThreadOptions;
  #state: 'starting' | 'free' | 'busy' | 'lost' = 'starting';
  #timer: NodeJS.Timeout;
  #answer: ((outcome: ThreadOutcome) => void) | undefined;
  readonly isForShortJobs: boolean;
  hasStarted = false;
  /** Whether it was given something to warm up with. */
  isWarm = false;

  constructor(script: URL, options: ProofThreadOptions) {
    this.#options = options;
    this.isForShortJobs = options.isForShortJobs;
    this.#worker = new Worker(script, {
      execArgv: [],
      env: {},
      name: 'proofs',
      resourceLimits: { maxOldGenerationSizeMb: proofLimits.threadHeapMegabytesMax },
    });
    this.#worker.on('message', (outcome: ProofOutcome) => this.#hear(outcome));
    this.#worker.on('error', () => this.#lose('lost'));
    this.#worker.on('exit', () => this.#lose('lost'));
    this.#timer = setTimeout(() => this.#lose('timedOut'), options.startMs);
  }

  get isFree(): boolean {
    return this.#state === 'free';
  }

  /** Always resolves. After `lost`, `timedOut` and `broken` the thread is gone. */
  run(task: ProofTask, limitMs: number): Promise<ThreadOutcome> {
    assert(this.#state === 'free', 'a free thread');
    this.#state = 'busy';
    const memory: ArrayBuffer[] = [];
    const copy = copyForThread(task, memory);
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#timer = setTimeout(() => this.#lose('timedOut'), limitMs);
      this.#worker.postMessage(copy, memory);
    });
  }

  async end(): Promise<void> {
    this.#state = 'lost';
    clearTimeout(this.#timer);
    this.#reply('lost');
    await this.#worker.terminate();
  }

  #hear(outcome: ProofOutcome): void {
    if (this.#state === 'lost') return;
    if (outcome.kind === 'broken') return this.#lose(outcome);
    clearTimeout(this.#timer);
    this.#state = 'free';
    if (outcome.kind !== 'ready') return this.#reply(outcome);
    this.hasStarted = true;
    this.#options.onReady();
  }

  #lose(outcome: ThreadOutcome): void {
    if (this.#state === 'lost') return;
    this.#state = 'lost';
    clearTimeout(this.#timer);
    // Its end is only waited for by who closes the pool.
    void this.#worker.terminate();
    this.#options.onLost();
    this.#reply(outcome);
  }

  #reply(outcome: ThreadOutcome): void {
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.(outcome);
  }
}
