/**
 * A proof engine on worker threads: a signature takes milliseconds, a proof with many ranges seconds, and a malformed
 * proof may break the library that a thread uses. Callers share the threads by what their jobs cost; a job that runs
 * cannot be interrupted, so some threads take short jobs alone. Everything is bounded: how much may wait, of whom, how
 * long, how often a job is tried. A thread that traps, dies or takes too long is replaced.
 */
import { availableParallelism } from 'node:os';
import { assert } from '@symbolon/core/basics/assert';
import { type ProofEngine, ProofEngineError } from '@symbolon/core/proofs/proof-engine';
import { FairQueue } from '@symbolon/host/work/fair-queue';
import { proofLimits } from '../limits/service-limits.ts';
import { proofCost } from './proof-cost.ts';
import {
  type CallerProofs,
  type CallerTask,
  engineOver,
  isPossible,
  isQuestion,
  orderBytes,
  type ProofAnswer,
  type ProofOutcome,
  timeLimitMs,
} from './proof-job.ts';
import { ProofThread } from './proof-thread.ts';

export interface ProofWorkersOptions {
  /** Threads for jobs of any length; as many as the machine has cores unless told. */
  readonly workers?: number;
  /** Threads beside those for short jobs alone. */
  readonly shortJobWorkers?: number;
  /** Whether idle threads run through everything once, so that the first user does not wait for it. */
  readonly warmUp?: boolean;
  readonly limits?: Partial<
    Record<
      'waitingMax' | 'waitingPerCallerMax' | 'waitingBytesMax' | 'waitMs' | 'jobMs' | 'rangeMs' | 'startMs',
      number
    >
  >;
  /** What the threads run, `proof-worker.ts` unless told. */
  readonly workerScript?: URL;
}

/** A proof engine whose work is done in the names of callers. */
export interface ProofPool extends ProofEngine {
  /** The same engine for one caller, who shares it with all others by cost. Closing it is its owner's business. */
  inNameOf(caller: string): CallerProofs;
}

interface Job {
  readonly task: CallerTask;
  readonly caller: string;
  readonly cost: number;
  readonly bytes: number;
  readonly resolve: (answer: ProofAnswer) => void;
  readonly reject: (error: Error) => void;
  attempts: number;
  waiting: NodeJS.Timeout | undefined;
}

/** In whose name the service does what nobody has asked for. */
const ownName = 'the service itself';

export class ProofWorkers implements ProofPool {
  readonly #limits: typeof proofLimits;
  readonly #workers: number;
  readonly #shortJobWorkers: number;
  readonly #script: URL;
  readonly #threads = new Set<ProofThread>();
  readonly #queue = new FairQueue<Job>();
  readonly #jobs = new Set<Job>();
  /** One for each thread of the beginning; a replacement finds the compiled code of its forerunners. */
  #warmUpsLeft: number;
  #isOneWarming = false;
  #isOneWarm = false;
  #bytes = 0;
  #replaced = 0;
  #isClosed = false;

  constructor(options: ProofWorkersOptions = {}) {
    this.#limits = { ...proofLimits, ...options.limits } as typeof proofLimits;
    this.#workers = options.workers ?? Math.min(availableParallelism(), proofLimits.workersMax);
    this.#shortJobWorkers = options.shortJobWorkers ?? proofLimits.shortJobWorkers;
    this.#warmUpsLeft = (options.warmUp ?? true) ? this.#workers + this.#shortJobWorkers : 0;
    this.#script = options.workerScript ?? new URL('./proof-worker.ts', import.meta.url);
    const isCount = Number.isInteger(this.#workers) && this.#workers >= 1;
    assert(isCount && this.#workers <= proofLimits.workersMax, `${this.#workers} workers`);
    this.#fill();
  }

  /** Jobs that wait or are under way. */
  get waiting(): number {
    return this.#jobs.size;
  }

  /** Threads that had to be replaced so far. */
  get replaced(): number {
    return this.#replaced;
  }

  /** Whether the first proof would still wait for what is slow the first time, and a thread is to see to that. */
  get isWarmingUp(): boolean {
    return !this.#isOneWarm && (this.#isOneWarming || this.#warmUpsLeft > 0);
  }

  inNameOf(caller: string): CallerProofs {
    return engineOver(async (task) => {
      // What cannot be a signature or a proof costs no thread's time.
      if (!isPossible(task)) return false;
      const answer = await this.#run(task, caller);
      if (isQuestion(task)) return answer === true;
      assert(answer instanceof Uint8Array, 'a thread answers with bytes');
      return answer;
    });
  }

  readonly #own = this.inNameOf(ownName);
  readonly publicKeyOf = this.#own.publicKeyOf;
  readonly sign = this.#own.sign;
  readonly verifySignature = this.#own.verifySignature;
  readonly commit = this.#own.commit;
  readonly derive = this.#own.derive;
  readonly verifyProof = this.#own.verifyProof;
  readonly makeRangeParameters = this.#own.makeRangeParameters;

  /** Ends the threads. Whoever still waits is told that there will be no answer. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const threads = [...this.#threads];
    this.#threads.clear();
    this.#queue.drain();
    for (const job of [...this.#jobs])
      this.#fail(job, new ProofEngineError('failed', 'the proof engine was closed'));
    await Promise.all(threads.map((thread) => thread.end()));
  }

  /** The bytes of the order are read when its turn comes: they must not change before the answer. */
  #run(task: CallerTask, caller: string): Promise<ProofAnswer> {
    if (this.#isClosed) return Promise.reject(new ProofEngineError('failed', 'the proof engine is closed'));
    const bytes = orderBytes(task.order);
    const { waitingMax, waitingBytesMax, waitingPerCallerMax, waitMs } = this.#limits;
    const isFull = this.#jobs.size >= waitingMax || this.#bytes + bytes > waitingBytesMax;
    if (isFull || this.#jobsOf(caller) >= waitingPerCallerMax) {
      return Promise.reject(new ProofEngineError('overloaded', 'too many proofs are waiting'));
    }
    return new Promise((resolve, reject) => {
      const cost = proofCost(task);
      const job: Job = { task, caller, cost, bytes, resolve, reject, attempts: 0, waiting: undefined };
      job.waiting = setTimeout(() => this.#giveUpWaiting(job), waitMs);
      this.#jobs.add(job);
      this.#bytes += bytes;
      this.#queue.add(job, job);
      this.#dispatch();
    });
  }

  #jobsOf(caller: string): number {
    let count = 0;
    for (const job of this.#jobs) if (job.caller === caller) count += 1;
    return count;
  }

  #giveUpWaiting(job: Job): void {
    if (this.#queue.remove(job))
      this.#fail(job, new ProofEngineError('overloaded', 'no thread was free in time'));
  }

  /** Gives work to every thread that has none, and to one that is still cold then something to warm up with. */
  #dispatch(): void {
    if (this.#isClosed) return;
    this.#fill();
    for (const thread of this.#threads) {
      if (!thread.isFree) continue;
      const job = this.#queue.next((waiting) => !thread.isForShortJobs || isShort(waiting));
      if (job !== undefined) this.#give(thread, job);
    }
    this.#warmNext();
  }

  /** One after the other, so that they leave the machine to those who have asked for something. */
  #warmNext(): void {
    if (this.#isOneWarming || this.#warmUpsLeft === 0) return;
    const cold = [...this.#threads].filter(({ isFree, isWarm }) => isFree && !isWarm);
    const next = cold.find(({ isForShortJobs }) => !isForShortJobs) ?? cold[0];
    if (next) this.#warm(next);
  }

  #fill(): void {
    while (this.#threads.size < this.#workers + this.#shortJobWorkers) {
      const forShortJobs = [...this.#threads].filter(({ isForShortJobs }) => isForShortJobs).length;
      const thread = new ProofThread(this.#script, {
        isForShortJobs: forShortJobs < this.#shortJobWorkers,
        startMs: this.#limits.startMs,
        onReady: () => this.#dispatch(),
        onLost: () => this.#lose(thread),
      });
      this.#threads.add(thread);
    }
  }

  #give(thread: ProofThread, job: Job): void {
    clearTimeout(job.waiting);
    job.attempts += 1;
    void thread.run(job.task, timeLimitMs(job.task, this.#limits)).then((outcome) => {
      this.#settle(job, outcome);
      this.#dispatch();
    });
  }

  #warm(thread: ProofThread): void {
    thread.isWarm = true;
    this.#warmUpsLeft -= 1;
    this.#isOneWarming = true;
    const run = thread.run({ kind: 'warmUp' }, this.#limits.warmUpMs);
    void run.then((outcome) => {
      this.#isOneWarming = false;
      if (typeof outcome !== 'string' && outcome.kind === 'done') this.#isOneWarm = true;
      this.#dispatch();
    });
  }

  /** If none starts at all, what waits is told so, and the next job tries anew: nothing is started forever. */
  #lose(thread: ProofThread): void {
    if (!this.#threads.delete(thread)) return;
    this.#replaced += 1;
    if (thread.hasStarted) return this.#fill();
    if (this.#threads.size > 0) return;
    const error = new ProofEngineError('failed', 'no proof thread starts');
    for (const job of this.#queue.drain()) this.#fail(job, error);
  }

  #settle(job: Job, outcome: ProofOutcome | 'lost' | 'timedOut'): void {
    if (outcome === 'timedOut')
      return this.#fail(job, new ProofEngineError('timedOut', 'the proof took too long'));
    if (outcome !== 'lost' && outcome.kind === 'done') {
      this.#forget(job);
      return job.resolve(outcome.answer);
    }
    if (outcome !== 'lost' && outcome.kind === 'refused') {
      return this.#fail(job, new ProofEngineError(outcome.code, outcome.message));
    }
    if (job.attempts < this.#limits.attemptsMax && !this.#isClosed) {
      job.waiting = setTimeout(() => this.#giveUpWaiting(job), this.#limits.waitMs);
      return this.#queue.add(job, job);
    }
    // What breaks one fresh library after the other is not a proof.
    if (isQuestion(job.task)) {
      this.#forget(job);
      return job.resolve(false);
    }
    this.#fail(job, new ProofEngineError('failed', 'the proof threads failed'));
  }

  #fail(job: Job, error: ProofEngineError): void {
    this.#forget(job);
    job.reject(error);
  }

  #forget(job: Job): void {
    clearTimeout(job.waiting);
    if (this.#jobs.delete(job)) this.#bytes -= job.bytes;
  }
}

const isShort = ({ cost }: Job): boolean => cost <= proofLimits.shortJobUnitsMax;
