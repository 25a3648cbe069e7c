/**
 * A node in a process of its own, seen from the test: started on a folder, killed, waited for. Processes can be
 * loaded ahead of time, so that restarting a node a hundred times does not cost a hundred loads of its code.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { NodeOrder, NodeReport, NodeRequest } from './node-child.ts';

const childScript = fileURLToPath(new URL('./node-child.ts', import.meta.url));

/** How long a node may take to come up before the test calls it a hang. */
const startMsMax = 60_000;

export interface NodeAddresses {
  readonly httpUrl: string;
  readonly socketUrl: string;
}

/** Whether a request failed because there is no node any more. */
export const isGone = (error: unknown): boolean =>
  ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes((error as { code?: string }).code ?? '');

export class NodeProcess {
  readonly #child: ChildProcess;
  readonly #loaded: Promise<void>;
  #errors = '';
  /** How the process ended: the signal, or else its exit code. */
  readonly ended: Promise<NodeJS.Signals | number>;
  /** The reason when the node reported one. */
  failure: { readonly name: string; readonly message: string } | undefined;

  /** Begins to load; whatever becomes of it, the process ends with its test. */
  constructor(owner: Pick<TestContext, 'after'>, { flags = [] }: { flags?: readonly string[] } = {}) {
    // Without the flags of the test run: they would make the child a test run as well.
    const child = fork(childScript, { execArgv: [...flags], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.#errors = (this.#errors + chunk).slice(-10_000);
    });
    this.ended = once(child, 'exit').then(([code, signal]) => signal ?? code);
    this.#loaded = this.#next('loaded').then(() => undefined);
    // Whoever starts the node hears of it; a process that is never started may die unheard.
    this.#loaded.catch(() => {});
    child.on('message', (report: NodeReport) => {
      if (report.kind === 'failed') this.failure = report;
    });
    owner.after(() => this.kill());
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** What the process wrote to standard error, the last of it. */
  get errors(): string {
    return this.#errors;
  }

  /** Where the node listens; undefined when it died on the way. */
  async start(order: NodeOrder): Promise<NodeAddresses | undefined> {
    await this.#loaded;
    const up = this.#next('up');
    this.#send({ kind: 'serve', ...order });
    return up.catch(async (error) => {
      if ((await this.ended) === 'SIGKILL') return undefined;
      throw error;
    });
  }

  /** Starts a node that is expected to come up. */
  async mustStart(order: NodeOrder): Promise<NodeAddresses> {
    const addresses = await this.start(order);
    if (!addresses) throw new Error('the node was killed while it started');
    return addresses;
  }

  /** The memory in use; exact when the process has the flag `--expose-gc`. */
  async heapBytes(): Promise<number> {
    const measured = this.#next('measured');
    this.#send({ kind: 'measure' });
    return (await measured).heapBytes;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  /** A process that is gone does not answer, which is how that shows. */
  #send(request: NodeRequest): void {
    this.#child.send(request, () => {});
  }

  async #next<Kind extends NodeReport['kind']>(kind: Kind): Promise<Extract<NodeReport, { kind: Kind }>> {
    const waiting = new AbortController();
    const { signal } = waiting;
    const timer = setTimeout(() => waiting.abort(), startMsMax);
    try {
      for (;;) {
        const message = once(this.#child, 'message', { signal }).then(([report]) => report as NodeReport);
        const report = await Promise.race([message, this.ended]);
        message.catch(() => {});
        if (typeof report !== 'object') throw new Error(`the node ended with ${report}: ${this.#errors}`);
        if (report.kind === 'failed') throw new Error(`the node refused: ${report.name}: ${report.message}`);
        if (report.kind === kind) return report as Extract<NodeReport, { kind: Kind }>;
      }
    } finally {
      clearTimeout(timer);
      waiting.abort();
    }
  }
}
