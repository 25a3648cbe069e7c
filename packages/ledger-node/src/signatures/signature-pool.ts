/**
 * Verifies Ed25519 signatures in worker threads, so that the event loop stays free: what waits is sent in batches, at
 * once when a batch is full, otherwise when the event loop comes round. Bounded everywhere; a worker that dies is
 * replaced and its batches are tried once more.
 */
import { Worker } from 'node:worker_threads';
import { assert } from '@symbolon/core/basics/assert';
import { queueLimits, signatureLimits } from '../limits/node-limits.ts';
import { publicKeyBytes, signatureBytes, verifyLedgerSignature } from './ed25519.ts';
import { packBatch, type SignedMessage } from './signature-batch.ts';

export interface SignaturePoolOptions {
  /** Threads; 0 verifies on the calling one, for tools. */
  workers?: number;
  /** How many signatures may wait or be under way. */
  waitingMax?: number;
  /** What the threads run, `verify-worker.ts` unless told. */
  workerScript?: URL;
}

/** The pool was closed before the verdict came. */
export class SignaturePoolClosed extends Error {
  override name = 'SignaturePoolClosed';
}

/** The threads died on this batch twice. */
export class SignatureWorkerFailed extends Error {
  override name = 'SignatureWorkerFailed';
}

interface Job extends SignedMessage {
  readonly resolve: (valid: boolean) => void;
  readonly reject: (error: Error) => void;
}

interface Batch {
  readonly jobs: readonly Job[];
  readonly bytes: number;
  attempts: number;
}

interface Thread {
  readonly worker: Worker;
  /** Sent and not yet answered, oldest first. */
  readonly batches: Batch[];
}

const attemptsMax = 2;
/** A thread that is at work, or begins, takes a fraction of it. */
const endingMsMax = 20_000;

export class SignaturePool {
  readonly #workers: number;
  readonly #waitingMax: number;
  readonly #script: URL;
  readonly #threads = new Set<Thread>();
  #jobs: Job[] = [];
  #retries: Batch[] = [];
  /** Of all signatures without a verdict, waiting or sent. */
  #count = 0;
  #bytes = 0;
  #flushPlanned = false;
  #closed = false;

  constructor(options: SignaturePoolOptions = {}) {
    this.#workers = options.workers ?? 2;
    this.#waitingMax = options.waitingMax ?? queueLimits.unverifiedMax;
    this.#script = options.workerScript ?? new URL('./verify-worker.ts', import.meta.url);
    const sensible = Number.isInteger(this.#workers) && this.#workers >= 0;
    assert(sensible && this.#workers <= signatureLimits.workersMax, `${this.#workers} workers`);
    // Started now, so that the first signatures need not wait for it.
    while (this.#threads.size < this.#workers) this.#startThread();
  }

  /** How many signatures have no verdict yet. */
  get waiting(): number {
    return this.#count;
  }

  /**
   * Whether the signature is valid; undefined when too much is waiting already and this was not taken. The
   * bytes are read later, when the batch goes out: they must not change before the verdict.
   */
  verify(publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array): Promise<boolean | undefined> {
    if (this.#closed) return Promise.reject(new SignaturePoolClosed('the signature pool is closed'));
    if (publicKey.length !== publicKeyBytes || signature.length !== signatureBytes) {
      return Promise.resolve(false);
    }
    if (this.#workers === 0) return Promise.resolve(verifyLedgerSignature(publicKey, signature, message));
    const tooMuch = this.#bytes + message.length > signatureLimits.waitingBytesMax;
    if (this.#count >= this.#waitingMax || tooMuch) return Promise.resolve(undefined);
    this.#count += 1;
    this.#bytes += message.length;
    return new Promise((resolve, reject) => {
      this.#jobs.push({ publicKey, signature, message, resolve, reject });
      if (this.#jobs.length >= signatureLimits.batchItemsMax) this.#flush();
      else this.#planFlush();
    });
  }

  /** Ends the threads. Whoever still waits for a verdict is told that there will be none. */
  async close(): Promise<void> {
    this.#closed = true;
    const threads = [...this.#threads];
    this.#threads.clear();
    const batches = [...this.#retries, ...threads.flatMap((thread) => thread.batches)];
    const jobs = [...this.#jobs, ...batches.flatMap((batch) => batch.jobs)];
    this.#jobs = [];
    this.#retries = [];
    for (const job of jobs) job.reject(new SignaturePoolClosed('the signature pool was closed'));
    await Promise.all(threads.map(({ worker }) => endThread(worker)));
  }

  #planFlush(): void {
    if (this.#flushPlanned) return;
    this.#flushPlanned = true;
    setImmediate(() => {
      this.#flushPlanned = false;
      if (!this.#closed) this.#flush();
    });
  }

  /**
   * Sends what waits, as far as the threads take it. The rest goes when they answer, in fuller batches: a message
   * costs far more than a place in one, so a thread that has work gets more only when that fills a message.
   */
  #flush(): void {
    while (this.#jobs.length > 0 || this.#retries.length > 0) {
      const thread = this.#freeThread();
      if (thread === undefined) return;
      const isEnough = this.#retries.length > 0 || this.#jobs.length >= signatureLimits.batchItemsMin;
      if (thread.batches.length > 0 && !isEnough) return;
      const batch = this.#retries.shift() ?? this.#nextBatch();
      batch.attempts += 1;
      thread.batches.push(batch);
      const packed = packBatch(batch.jobs);
      thread.worker.postMessage(packed, [packed]);
    }
  }

  #nextBatch(): Batch {
    // Shared evenly among the threads that have nothing to do, rather than all to the first.
    const idle = [...this.#threads].filter((thread) => thread.batches.length === 0).length;
    const share = Math.ceil(this.#jobs.length / Math.max(1, idle));
    const most = Math.min(share, signatureLimits.batchItemsMax);
    let count = 0;
    let bytes = 0;
    while (count < most && (count === 0 || bytes < signatureLimits.batchBytesMax)) {
      bytes += this.#jobs[count].message.length;
      count += 1;
    }
    const jobs = this.#jobs.slice(0, count);
    this.#jobs = this.#jobs.slice(count);
    return { jobs, bytes, attempts: 0 };
  }

  /** The thread with the least to do; undefined when all have enough. */
  #freeThread(): Thread | undefined {
    // Threads that died are replaced when there is work, so that one that cannot start is not started forever.
    while (this.#threads.size < this.#workers) this.#startThread();
    let best: Thread | undefined;
    for (const thread of this.#threads) {
      if (thread.batches.length < (best?.batches.length ?? signatureLimits.batchesPerWorkerMax))
        best = thread;
    }
    return best;
  }

  #startThread(): void {
    const worker = new Worker(this.#script, { execArgv: [], name: 'signatures' });
    const thread: Thread = { worker, batches: [] };
    this.#threads.add(thread);
    worker.on('message', (verdicts: Uint8Array) => this.#answer(thread, verdicts));
    // An error ends the thread; what to do about that stands at its exit.
    worker.on('error', (error) => this.#lose(thread, error));
    worker.on('exit', (code) => this.#lose(thread, new Error(`the thread ended with code ${code}`)));
  }

  #answer(thread: Thread, verdicts: Uint8Array): void {
    // A thread that was given up may still have answered: its batches are elsewhere by now.
    const batch = this.#threads.has(thread) ? thread.batches.shift() : undefined;
    if (batch === undefined) return;
    assert(verdicts.length === batch.jobs.length, 'one verdict for each signature');
    this.#settle(batch);
    for (const [index, job] of batch.jobs.entries()) job.resolve(verdicts[index] === 1);
    this.#flush();
  }

  #lose(thread: Thread, cause: unknown): void {
    // Already replaced, or ended by close().
    if (!this.#threads.delete(thread)) return;
    for (const batch of thread.batches) {
      if (batch.attempts < attemptsMax) {
        this.#retries.push(batch);
        continue;
      }
      this.#settle(batch);
      const error = new SignatureWorkerFailed('a signature thread failed twice', { cause });
      for (const job of batch.jobs) job.reject(error);
    }
    this.#flush();
  }

  #settle(batch: Batch): void {
    this.#count -= batch.jobs.length;
    this.#bytes -= batch.bytes;
  }
}

/**
 * Has a thread end by itself: one that is ended from outside while it loads its native code takes the whole process
 * with it. Only one that does not come to an end is ended so.
 */
async function endThread(worker: Worker): Promise<void> {
  let impatience: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    worker.once('exit', () => resolve());
    worker.postMessage(null);
    impatience = setTimeout(() => void worker.terminate(), endingMsMax);
  });
  clearTimeout(impatience);
}
