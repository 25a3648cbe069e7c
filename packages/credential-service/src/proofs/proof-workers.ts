/**
 * A proof engine on worker threads: signatures and proofs take up to a second each, and a malformed proof may break
 * the library that a thread uses. Everything is bounded: how much may wait, how long, how often a job is tried. A
 * thread that traps, dies or takes too long is replaced.
 */
import { availableParallelism } from 'node:os';
import { assert } from '@symbolon/core/assert';
import {
  type CommitOrder,
  type DeriveOrder,
  type ProofEngine,
  ProofEngineError,
  type ProofOrder,
  type SignatureOrder,
  type SignOrder,
} from '@symbolon/core/credential/proof-engine';
import { proofLimits } from '@symbolon/core/limits';
import { hasProofShape } from '@symbolon/sdk/proofs/composite-proofs';
import {
  checkCommitOrder,
  checkDeriveOrder,
  checkProofStatement,
  checkSecretKey,
  checkSignOrder,
  checkStatement,
  isPublicKey,
  isSignature,
} from '@symbolon/sdk/proofs/order-checks';
import { FairQueue, type Lane } from './fair-queue.ts';
import {
  isExpensive,
  orderBytes,
  type ProofAnswer,
  type ProofOutcome,
  type ProofTask,
  timeLimitMs,
} from './proof-job.ts';
import { ProofThread } from './proof-thread.ts';

export interface ProofWorkersOptions {
  /** Threads; as many as the machine has cores unless told. */
  readonly workers?: number;
  /** Whether idle threads run through everything once, so that the first user does not wait for it. */
  readonly warmUp?: boolean;
  readonly limits?: Partial<
    Record<'waitingMax' | 'waitingBytesMax' | 'waitMs' | 'jobMs' | 'rangeMs' | 'startMs', number>
  >;
  /** What the threads run, `proof-worker.ts` unless told. */
  readonly workerScript?: URL;
}

interface Job {
  readonly task: ProofTask;
  readonly lane: Lane;
  readonly bytes: number;
  readonly resolve: (answer: ProofAnswer) => void;
  readonly reject: (error: Error) => void;
  attempts: number;
  waiting: NodeJS.Timeout | undefined;
}

export class ProofWorkers implements ProofEngine {
  readonly #limits: typeof proofLimits;
  readonly #workers: number;
  readonly #script: URL;
  readonly #threads = new Set<ProofThread>();
  readonly #queue = new FairQueue<Job>();
  readonly #jobs = new Set<Job>();
  /** One for each thread of the beginning; a replacement finds the compiled code of its forerunners. */
  #warmUpsLeft: number;
  #bytes = 0;
  #replaced = 0;
  #isClosed = false;

  constructor(options: ProofWorkersOptions = {}) {
    this.#limits = { ...proofLimits, ...options.limits } as typeof proofLimits;
    this.#workers = options.workers ?? Math.min(availableParallelism(), proofLimits.workersMax);
    this.#warmUpsLeft = (options.warmUp ?? true) ? this.#workers : 0;
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

  async publicKeyOf(secretKey: Uint8Array): Promise<Uint8Array> {
    checkSecretKey(secretKey);
    return this.#bytesOf({ kind: 'publicKeyOf', order: { secretKey } });
  }

  async sign(order: SignOrder): Promise<Uint8Array> {
    checkSignOrder(order);
    return this.#bytesOf({ kind: 'sign', order });
  }

  async verifySignature(order: SignatureOrder): Promise<boolean> {
    checkStatement(order, order.messages);
    if (!isPublicKey(order.publicKey) || !isSignature(order.signature)) return false;
    return (await this.#run({ kind: 'verifySignature', order })) === true;
  }

  async commit(order: CommitOrder): Promise<Uint8Array> {
    checkCommitOrder(order);
    return this.#bytesOf({ kind: 'commit', order });
  }

  async derive(order: DeriveOrder): Promise<Uint8Array> {
    checkDeriveOrder(order);
    return this.#bytesOf({ kind: 'derive', order });
  }

  /** Proofs that cannot be ones cost no thread's time. */
  async verifyProof(order: ProofOrder): Promise<boolean> {
    checkProofStatement(order);
    if (!isPublicKey(order.publicKey) || !hasProofShape(order)) return false;
    return (await this.#run({ kind: 'verifyProof', order })) === true;
  }

  async makeRangeParameters(): Promise<Uint8Array> {
    return this.#bytesOf({ kind: 'makeRangeParameters', order: {} });
  }

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

  async #bytesOf(task: ProofTask): Promise<Uint8Array> {
    const answer = await this.#run(task);
    assert(answer instanceof Uint8Array, 'a thread answers with bytes');
    return answer;
  }

  /** The bytes of the order are read when its turn comes: they must not change before the answer. */
  #run(task: ProofTask): Promise<ProofAnswer> {
    if (this.#isClosed) return Promise.reject(new ProofEngineError('failed', 'the proof engine is closed'));
    const bytes = orderBytes(task.order);
    const { waitingMax, waitingBytesMax, waitMs } = this.#limits;
    if (this.#jobs.size >= waitingMax || this.#bytes + bytes > waitingBytesMax) {
      return Promise.reject(new ProofEngineError('overloaded', 'too many proofs are waiting'));
    }
    return new Promise((resolve, reject) => {
      const lane = isExpensive(task) ? 'expensive' : 'cheap';
      const job: Job = { task, lane, bytes, resolve, reject, attempts: 0, waiting: undefined };
      job.waiting = setTimeout(() => this.#giveUpWaiting(job), waitMs);
      this.#jobs.add(job);
      this.#bytes += bytes;
      this.#queue.add(lane, job);
      this.#dispatch();
    });
  }

  #giveUpWaiting(job: Job): void {
    if (this.#queue.remove(job))
      this.#fail(job, new ProofEngineError('overloaded', 'no thread was free in time'));
  }

  /** Gives work to every thread that has none, and to idle ones that are still cold something to warm up with. */
  #dispatch(): void {
    if (this.#isClosed) return;
    this.#fill();
    for (const thread of this.#threads) {
      if (!thread.isFree) continue;
      const job = this.#queue.next();
      if (job !== undefined) this.#give(thread, job);
      else if (this.#warmUpsLeft > 0 && !thread.isWarm) this.#warm(thread);
    }
  }

  #fill(): void {
    while (this.#threads.size < this.#workers) {
      const thread = new ProofThread(this.#script, {
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
    const began = performance.now();
    void thread.run(job.task, timeLimitMs(job.task, this.#limits)).then((outcome) => {
      this.#queue.spend(job.lane, performance.now() - began);
      this.#settle(job, outcome);
      this.#dispatch();
    });
  }

  #warm(thread: ProofThread): void {
    thread.isWarm = true;
    this.#warmUpsLeft -= 1;
    const run = thread.run({ kind: 'warmUp', order: {} }, this.#limits.warmUpMs);
    void run.then(() => this.#dispatch());
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
      return this.#queue.add(job.lane, job);
    }
    // What breaks one fresh library after the other is not a proof.
    if (job.task.kind === 'verifyProof' || job.task.kind === 'verifySignature') {
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
