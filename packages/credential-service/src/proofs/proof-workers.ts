/**
 * A proof engine on workers, which are threads or processes: a signature takes milliseconds, a proof with many ranges
 * seconds, and a malformed proof may break the engine that a worker has. Callers share the workers by what their jobs
 * cost. A job that runs cannot be interrupted, so some workers take short jobs alone, and one signs and does nothing
 * else. Everything is bounded: how much may wait, of whom, how long, how often a job is tried. A worker that breaks, dies
 * or takes too long is replaced.
 */
import { availableParallelism } from 'node:os';
import { assert } from '@symbolon/core/basics/assert';
import { type ProofEngine, ProofEngineError } from '@symbolon/core/proofs/proof-engine';
import { FairQueue } from '@symbolon/host/work/fair-queue';
import { proofLimits } from '../limits/service-limits.ts';
import { proofCost } from './proof-cost.ts';
import { type EngineName, proofEngines } from './proof-engines.ts';
import {
  type CallerProofs,
  type CallerTask,
  engineOver,
  holdsKey,
  isPossible,
  isQuestion,
  orderBytes,
  type ProofAnswer,
  timeLimitMs,
  type WorkerDuty,
} from './proof-job.ts';
import type { OpenPlace } from './proof-place.ts';
import { ProofWorker, type WorkerOutcome } from './proof-worker.ts';

export interface ProofWorkersOptions {
  /** The engine on WebAssembly unless told. */
  readonly engine?: EngineName;
  /** Workers for jobs of any length; as many as the machine has cores unless told. */
  readonly workers?: number;
  /** Workers beside those for short jobs alone. */
  readonly shortJobWorkers?: number;
  /** Whether idle workers run through everything once, so that the first user does not wait for it. */
  readonly warmUp?: boolean;
  readonly limits?: Partial<
    Record<
      'waitingMax' | 'waitingPerCallerMax' | 'waitingBytesMax' | 'waitMs' | 'jobMs' | 'rangeMs' | 'startMs',
      number
    >
  >;
  /** Where the workers are and the module of their engine, those of the engine unless told. */
  readonly open?: OpenPlace;
  readonly engineModule?: URL;
}

/** A proof engine whose work is done in the names of callers. */
export interface ProofPool extends ProofEngine {
  /** Which engine the workers have. */
  readonly engine: EngineName;
  /** Jobs that wait or are under way. */
  readonly waiting: number;
  /** Workers that had to be replaced so far. */
  readonly replaced: number;
  /** Whether the first proof would still wait for what is slow the first time, and a worker is to see to that. */
  readonly isWarmingUp: boolean;
  /** Why no proof is made, when that is so. */
  readonly problem: string | undefined;
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
  readonly engine: EngineName;
  readonly #limits: typeof proofLimits;
  readonly #wanted: Readonly<Record<WorkerDuty, number>>;
  readonly #open: OpenPlace;
  readonly #engineModule: URL;
  readonly #workers = new Set<ProofWorker>();
  readonly #queue = new FairQueue<Job>();
  readonly #jobs = new Set<Job>();
  /** One for each worker of the beginning: who replaces one is needed at once. */
  #warmUpsLeft: number;
  #isOneWarming = false;
  #isOneWarm = false;
  #bytes = 0;
  #replaced = 0;
  #problem: string | undefined;
  #startAgain: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ProofWorkersOptions = {}) {
    this.#limits = { ...proofLimits, ...options.limits } as typeof proofLimits;
    const any = options.workers ?? Math.min(availableParallelism(), proofLimits.workersMax);
    assert(Number.isInteger(any) && any >= 1 && any <= proofLimits.workersMax, `${any} workers`);
    const short = options.shortJobWorkers ?? proofLimits.shortJobWorkers;
    this.#wanted = { any, short, signing: proofLimits.signingWorkers };
    this.#warmUpsLeft = (options.warmUp ?? true) ? any + short + proofLimits.signingWorkers : 0;
    this.engine = options.engine ?? 'webassembly';
    this.#open = options.open ?? proofEngines[this.engine].open;
    this.#engineModule = options.engineModule ?? proofEngines[this.engine].module;
    this.#fill();
  }

  get waiting(): number {
    return this.#jobs.size;
  }

  get replaced(): number {
    return this.#replaced;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  get isWarmingUp(): boolean {
    return !this.#isOneWarm && (this.#isOneWarming || this.#warmUpsLeft > 0);
  }

  inNameOf(caller: string): CallerProofs {
    return engineOver(async (task) => {
      // What cannot be a signature or a proof costs no worker's time.
      if (!isPossible(task)) return false;
      const answer = await this.#run(task, caller);
      if (isQuestion(task)) return answer === true;
      assert(answer instanceof Uint8Array, 'a worker answers with bytes');
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
  readonly derivePlain = this.#own.derivePlain;
  readonly verifyPlain = this.#own.verifyPlain;
  readonly makeRangeParameters = this.#own.makeRangeParameters;

  /** Ends the workers. Whoever still waits is told that there will be no answer. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#startAgain);
    const workers = [...this.#workers];
    this.#workers.clear();
    this.#queue.drain();
    for (const job of [...this.#jobs])
      this.#fail(job, new ProofEngineError('failed', 'the proof engine was closed'));
    await Promise.all(workers.map((worker) => worker.end()));
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
      this.#fail(job, new ProofEngineError('overloaded', 'no worker was free in time'));
  }

  /** Gives work to every worker that has none, and to one that is still cold then something to warm up with. */
  #dispatch(): void {
    if (this.#isClosed) return;
    this.#fill();
    for (const worker of this.#workers) {
      if (!worker.isFree) continue;
      const job = this.#queue.next((waiting) => isDutyOf(worker.duty, waiting));
      if (job !== undefined) this.#give(worker, job);
    }
    this.#warmNext();
  }

  /** One after the other, so that they leave the machine to those who have asked for something. */
  #warmNext(): void {
    if (this.#isOneWarming || this.#warmUpsLeft === 0) return;
    const cold = [...this.#workers].filter(({ isFree, isWarm }) => isFree && !isWarm);
    const next = cold.find(({ duty }) => duty === 'any') ?? cold[0];
    if (next) this.#warm(next);
  }

  #fill(): void {
    for (const duty of ['any', 'short', 'signing'] as const) {
      const has = [...this.#workers].filter((worker) => worker.duty === duty).length;
      for (let lacking = this.#wanted[duty] - has; lacking > 0; lacking--) this.#start(duty);
    }
  }

  #start(duty: WorkerDuty): void {
    const worker = new ProofWorker({
      open: this.#open,
      engineModule: this.#engineModule,
      duty,
      startMs: this.#limits.startMs,
      onReady: () => {
        this.#problem = undefined;
        this.#dispatch();
      },
      onLost: () => this.#lose(worker),
    });
    this.#workers.add(worker);
  }

  #give(worker: ProofWorker, job: Job): void {
    clearTimeout(job.waiting);
    job.attempts += 1;
    void worker.run(job.task, timeLimitMs(job.task, this.#limits)).then((outcome) => {
      this.#settle(job, outcome);
      this.#dispatch();
    });
  }

  #warm(worker: ProofWorker): void {
    worker.isWarm = true;
    this.#warmUpsLeft -= 1;
    this.#isOneWarming = true;
    const run = worker.run({ kind: 'warmUp', order: worker.duty }, this.#limits.warmUpMs);
    void run.then((outcome) => {
      this.#isOneWarming = false;
      const isDone = typeof outcome !== 'string' && outcome.kind === 'done';
      if (isDone && worker.duty !== 'signing') this.#isOneWarm = true;
      this.#dispatch();
    });
  }

  /** Who waits for workers that do not start is told so; the next job tries anew, and so does the pool, in its own time. */
  #lose(worker: ProofWorker): void {
    if (!this.#workers.delete(worker)) return;
    this.#replaced += 1;
    if (worker.hasStarted) return this.#fill();
    this.#problem = `no proof worker starts: ${worker.inability ?? 'it ends before it is ready'}`;
    this.#startAgain ??= setTimeout(() => {
      this.#startAgain = undefined;
      if (!this.#isClosed) this.#fill();
    }, this.#limits.startAgainMs).unref();
    const duties = new Set([...this.#workers].map(({ duty }) => duty));
    for (const job of [...this.#jobs]) {
      const isServed = duties.values().some((duty) => isDutyOf(duty, job));
      if (!isServed && this.#queue.remove(job))
        this.#fail(job, new ProofEngineError('failed', this.#problem));
    }
  }

  #settle(job: Job, outcome: WorkerOutcome): void {
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
    // What breaks one fresh engine after the other is not a proof. A worker that is gone says nothing: somebody may have
    // ended it, or the system in want of memory.
    if (outcome !== 'lost' && isQuestion(job.task)) {
      this.#forget(job);
      return job.resolve(false);
    }
    this.#fail(job, new ProofEngineError('failed', 'the proof workers failed'));
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

function isDutyOf(duty: WorkerDuty, { task, cost }: Job): boolean {
  if (duty === 'signing' || holdsKey(task)) return duty === 'signing' && holdsKey(task);
  return duty === 'any' || cost <= proofLimits.shortJobUnitsMax;
}
