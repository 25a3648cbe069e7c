/**
 * A process of a test's own with which it talks by messages: asked, waited for, killed. What it writes to standard error
 * is kept for the message of whoever waits in vain. Child scripts that are hard to load can be forked ahead of time.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Owner } from './owner.ts';

interface Report {
  readonly kind: string;
}

/** What children report instead of anything else. */
export interface FailedReport {
  readonly kind: 'failed';
  readonly name?: string;
  readonly message: string;
}

export interface ConversationOptions {
  readonly execArgv?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

const patienceMs = 60_000;
const errorCharsMax = 10_000;

export class ChildConversation<Request extends object, Reported extends Report> {
  readonly #child: ChildProcess;
  #errors = '';
  #failure: FailedReport | undefined;
  /** How the process ended: the signal, or else its exit code. */
  readonly ended: Promise<NodeJS.Signals | number>;

  /** Begins to load; whatever becomes of it, the process ends with its owner. */
  constructor(owner: Owner, script: URL, { execArgv = [], env = process.env }: ConversationOptions = {}) {
    // Without the flags of the test run: they would make the child a test run as well.
    this.#child = fork(fileURLToPath(script), {
      execArgv: [...execArgv],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env,
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.#errors = (this.#errors + chunk).slice(-errorCharsMax);
    });
    this.#child.on('message', (report: Report) => {
      if (report.kind === 'failed') this.#failure = report as FailedReport;
    });
    this.ended = once(this.#child, 'exit').then(([code, signal]) => signal ?? code);
    owner.after(() => this.kill());
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** What the process wrote to standard error, the last of it. */
  get errors(): string {
    return this.#errors;
  }

  /** The reason when the child reported one. */
  get failure(): FailedReport | undefined {
    return this.#failure;
  }

  /** A process that is gone does not answer, which is how that shows. */
  send(request: Request): void {
    this.#child.send(request, () => {});
  }

  /** The next report of a kind. Rejects when the child fails, ends or says nothing for too long. */
  async next<Kind extends Reported['kind']>(kind: Kind): Promise<Extract<Reported, { kind: Kind }>> {
    const waiting = new AbortController();
    const { signal } = waiting;
    const silence = () => new Error(`the child does not say ${kind}: ${this.#errors}`);
    const timer = setTimeout(() => waiting.abort(silence()), patienceMs);
    try {
      for (;;) {
        const message = once(this.#child, 'message', { signal }).then(([report]) => report as Reported);
        const report = await Promise.race([message, this.ended]);
        message.catch(() => {});
        if (typeof report !== 'object') throw new Error(`the child ended with ${report}: ${this.#errors}`);
        if (report.kind === 'failed') throw new Error(`the child failed: ${describe(report)}`);
        if (report.kind === kind) return report as Extract<Reported, { kind: Kind }>;
      }
    } finally {
      clearTimeout(timer);
      waiting.abort();
    }
  }

  /** What a report says, or undefined when the process was killed on the way to it. */
  async unlessKilled<Answer>(report: Promise<Answer>): Promise<Answer | undefined> {
    return report.catch(async (error) => {
      // A child that is still there says nothing; it would be waited for in vain.
      const isOver = this.#child.exitCode !== null || this.#child.signalCode !== null;
      if (isOver && (await this.ended) === 'SIGKILL') return undefined;
      throw error;
    });
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}

function describe(report: unknown): string {
  const { name, message } = report as FailedReport;
  return name === undefined ? message : `${name}: ${message}`;
}
