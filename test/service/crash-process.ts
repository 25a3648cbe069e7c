/**
 * A node and a service in a process of their own, seen from the test: started on a folder, asked, killed, waited for.
 * What the platform compiles is kept for the next process, because starting is most of what these tests do.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DemoDocument } from '@symbolon/credential-service/demo/demo-file';
import type { Owner } from '../support/owner.ts';
import type { ChildReport, ChildRequest, ServiceOrder } from './crash-child.ts';

const childScript = fileURLToPath(new URL('./crash-child.ts', import.meta.url));
const patienceMs = 60_000;

export class CrashProcess {
  readonly #child: ChildProcess;
  readonly #loaded: Promise<unknown>;
  #errors = '';
  /** How the process ended: the signal, or else its exit code. */
  readonly ended: Promise<NodeJS.Signals | number>;

  /** Begins to load; whatever becomes of it, the process ends with its owner. */
  constructor(owner: Owner, compiled: string) {
    // Without the flags of the test run: they would make the child a test run as well.
    const env = { ...process.env, NODE_COMPILE_CACHE: compiled };
    this.#child = fork(childScript, { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env });
    this.#child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.#errors = (this.#errors + chunk).slice(-10_000);
    });
    this.ended = once(this.#child, 'exit').then(([code, signal]) => signal ?? code);
    this.#loaded = this.#next('loaded');
    this.#loaded.catch(() => undefined);
    owner.after(() => this.kill());
  }

  /** Where it is, and who the people are; undefined when it was killed on the way. */
  async start(order: ServiceOrder): Promise<{ url: string; demo: DemoDocument } | undefined> {
    await this.#loaded;
    const up = this.#next('up');
    this.#send({ kind: 'serve', ...order });
    return up.catch(async (error) => {
      if ((await this.ended) === 'SIGKILL') return undefined;
      throw error;
    });
  }

  /** What does not agree between store and ledger. */
  async audit(): Promise<readonly string[]> {
    const audited = this.#next('audited');
    this.#send({ kind: 'audit' });
    return (await audited).wrong;
  }

  /** Ends it in an orderly way. */
  async close(): Promise<void> {
    this.#send({ kind: 'close' });
    await this.ended;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  /** A process that is gone does not answer, which is how that shows. */
  #send(request: ChildRequest): void {
    this.#child.send(request, () => {});
  }

  async #next<Kind extends ChildReport['kind']>(kind: Kind): Promise<Extract<ChildReport, { kind: Kind }>> {
    const waiting = new AbortController();
    const { signal } = waiting;
    const timer = setTimeout(() => waiting.abort(), patienceMs);
    try {
      for (;;) {
        const message = once(this.#child, 'message', { signal }).then(([report]) => report as ChildReport);
        const report = await Promise.race([message, this.ended]);
        message.catch(() => {});
        if (typeof report !== 'object') throw new Error(`the service ended with ${report}: ${this.#errors}`);
        if (report.kind === 'failed') throw new Error(`the service failed: ${report.message}`);
        if (report.kind === kind) return report as Extract<ChildReport, { kind: Kind }>;
      }
    } finally {
      clearTimeout(timer);
      waiting.abort();
    }
  }
}
