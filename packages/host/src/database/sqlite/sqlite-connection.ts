/**
 * The one SQLite connection as its many users see it. Single statements wait in line and travel to the thread in
 * batches, in their order; a transaction has the connection for itself until it ends or its time is up. Nothing waits
 * without bound, and when the thread dies everybody is told.
 */
import { Worker } from 'node:worker_threads';
import { databaseLimits } from '../../limits/server-limits.ts';
import { DatabaseError, type DatabaseErrorKind, isDatabaseFailing } from '../common/database-error.ts';
import type { ColumnValue } from '../common/values.ts';

/** What the thread and its owner say to each other is plain data: it is copied between threads. */
export interface SqliteStatement {
  readonly sql: string;
  readonly parameters: readonly ColumnValue[];
}

/** `together`: each statement is its own write, but all wait for the disk once. `inside`: one transaction's. */
export type SqliteRequest =
  | { readonly mode: 'together' | 'inside'; readonly statements: readonly SqliteStatement[] }
  /** The owner's sign of life. */
  | { readonly mode: 'beat' }
  /** Nothing is to be written any more. */
  | { readonly mode: 'stop'; readonly problem: string };

export interface SqliteFailure {
  readonly message: string;
  /** SQLite's extended result code. */
  readonly code: number;
  /** Why nothing is written any more, when that is so from now on. */
  readonly stopped?: string;
}

export interface SqliteResult {
  readonly rows: Record<string, unknown>[];
  readonly changes?: number;
}

export type SqliteOutcome = SqliteResult | { readonly failure: SqliteFailure };

/** First comes one of these, telling whether the file could be opened; then a list of outcomes for each request. */
export type SqliteOpened = { readonly opened: true } | { readonly failure: SqliteFailure };

export interface SqliteThreadSettings {
  readonly file: string;
  /** Whether the process has the file as its own, and looks after it. */
  readonly isOwned: boolean;
  readonly busyTimeoutMs: number;
  readonly cachedStatementsMax: number;
}

interface Waiting<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

interface Job extends Waiting<SqliteResult> {
  readonly statement: SqliteStatement;
}

/** Somebody who wants the connection alone. */
interface Claim extends Waiting<void> {
  readonly isClaim: true;
}

const kinds: Readonly<Record<number, DatabaseErrorKind>> = {
  5: 'contention',
  6: 'contention',
  1555: 'unique',
  2067: 'unique',
  787: 'foreignKey',
  1299: 'notNull',
  275: 'check',
  // No access, no more memory, an error of the disk, damage, no room, no such file, another file.
  ...Object.fromEntries([3, 7, 8, 10, 11, 13, 14, 26].map((code) => [code, 'failed' as const])),
};

const readOnly = 8;

const gone = () => new DatabaseError('closed', 'the database is closed');

export class SqliteConnection {
  readonly #worker: Worker;
  readonly #opened: Promise<void>;
  readonly #line: (Job | Claim)[] = [];
  /** Whom the thread's next answers are for, oldest first. */
  readonly #asked: Waiting<SqliteOutcome[]>[] = [];
  #isClaimed = false;
  #isBusy = false;
  #end: Error | undefined;
  #failures = 0;
  /** Why nothing is written any more. */
  #stopped: string | undefined;

  constructor(settings: SqliteThreadSettings) {
    this.#worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), { workerData: settings });
    this.#opened = new Promise((resolve, reject) => {
      this.#worker.once('message', (opened: SqliteOpened) => {
        if ('failure' in opened) return reject(this.#errorOf(opened.failure));
        this.#worker.on('message', (outcomes: SqliteOutcome[]) => this.#asked.shift()?.resolve(outcomes));
        resolve();
      });
      this.#worker.once('error', reject);
      this.#worker.once('exit', () => reject(gone()));
    });
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(gone()));
  }

  /** Settles when the file is open, or says why it is not. */
  opened(): Promise<void> {
    return this.#opened;
  }

  /** One statement of its own: when it is answered, what it wrote is on the disk. */
  run(statement: SqliteStatement): Promise<SqliteResult> {
    return new Promise((resolve, reject) => this.#enqueue({ statement, resolve, reject }));
  }

  /** Waits until the connection belongs to the caller alone, who must release it. */
  claim(): Promise<void> {
    return new Promise((resolve, reject) => this.#enqueue({ isClaim: true, resolve, reject }));
  }

  release(): void {
    this.#isClaimed = false;
    void this.#serve();
  }

  /** For whoever has claimed the connection. */
  async runInside(statement: SqliteStatement): Promise<SqliteResult> {
    const [outcome] = await this.#ask({ mode: 'inside', statements: [statement] });
    return this.#resultOf(outcome as SqliteOutcome);
  }

  /** The same for what begins a transaction and the first statement in it; `hasBegun` is called unless it has not. */
  async beginWith(
    beginning: SqliteStatement,
    first: SqliteStatement,
    hasBegun: () => void,
  ): Promise<SqliteResult> {
    const [begun, outcome] = await this.#ask({ mode: 'inside', statements: [beginning, first] });
    this.#resultOf(begun as SqliteOutcome);
    hasBegun();
    return this.#resultOf(outcome as SqliteOutcome);
  }

  /** A small write and a look at the files, between the transactions of others; rejects with what is wrong. */
  async beat(): Promise<void> {
    await this.claim();
    try {
      const [outcome] = await this.#ask({ mode: 'beat' });
      this.#resultOf(outcome as SqliteOutcome);
    } finally {
      this.release();
    }
  }

  /** Nothing is written from now on, not even by transactions that are under way. */
  async stop(problem: string): Promise<void> {
    this.#stopped ??= problem;
    await this.#ask({ mode: 'stop', problem });
  }

  get stopped(): string | undefined {
    return this.#stopped;
  }

  /** How often the database itself was to blame. */
  get failures(): number {
    return this.#failures;
  }

  async close(): Promise<void> {
    if (this.#end) return;
    const closed = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#end = gone();
    for (const waiting of this.#line.splice(0)) waiting.reject(this.#end);
    // What was asked already is answered before this message is read.
    this.#worker.postMessage('close');
    await closed;
  }

  #enqueue(waiting: Job | Claim): void {
    if (this.#end) return waiting.reject(this.#end);
    if (this.#line.length >= databaseLimits.waitingMax)
      return waiting.reject(new DatabaseError('contention', 'too many statements wait for the database'));
    this.#line.push(waiting);
    void this.#serve();
  }

  async #serve(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (!this.#isClaimed && this.#line.length > 0) {
      const [first] = this.#line as [Job | Claim];
      if ('isClaim' in first) {
        this.#line.shift();
        this.#isClaimed = true;
        first.resolve();
      } else await this.#serveBatch();
    }
    this.#isBusy = false;
  }

  async #serveBatch(): Promise<void> {
    const claim = this.#line.findIndex((waiting) => 'isClaim' in waiting);
    const count = Math.min(claim === -1 ? this.#line.length : claim, databaseLimits.batchStatementsMax);
    const jobs = this.#line.splice(0, count) as Job[];
    try {
      const outcomes = await this.#ask({ mode: 'together', statements: jobs.map((job) => job.statement) });
      for (const [index, job] of jobs.entries()) {
        const outcome = outcomes[index] as SqliteOutcome;
        if ('failure' in outcome) job.reject(this.#errorOf(outcome.failure));
        else job.resolve(outcome);
      }
    } catch (error) {
      for (const job of jobs) job.reject(error as Error);
    }
  }

  #ask(request: SqliteRequest): Promise<SqliteOutcome[]> {
    if (this.#end) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => {
      this.#asked.push({ resolve, reject });
      this.#worker.postMessage(request);
    });
  }

  #fail(error: Error): void {
    this.#end ??= error;
    for (const waiting of this.#asked.splice(0)) waiting.reject(this.#end);
    for (const waiting of this.#line.splice(0)) waiting.reject(this.#end);
  }

  #resultOf(outcome: SqliteOutcome): SqliteResult {
    if ('failure' in outcome) throw this.#errorOf(outcome.failure);
    return outcome;
  }

  #errorOf({ message, code, stopped }: SqliteFailure): DatabaseError {
    this.#stopped ??= stopped;
    const isStopped = this.#stopped !== undefined && (code & 0xff) === readOnly;
    const kind = code < 0 ? 'failed' : (kinds[code] ?? kinds[code & 0xff] ?? 'other');
    const error = new DatabaseError(kind, isStopped ? (this.#stopped as string) : message, `SQLITE_${code}`);
    if (isDatabaseFailing(error)) this.#failures += 1;
    return error;
  }
}
