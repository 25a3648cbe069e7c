/**
 * A node in a process of its own, seen from the test: started on a folder, killed, waited for. Processes can be
 * loaded ahead of time, so that restarting a node a hundred times does not cost a hundred loads of its code.
 */
import { ChildConversation, type FailedReport } from '../support/child-conversation.ts';
import type { Owner } from '../support/owner.ts';
import type { NodeOrder, NodeReport, NodeRequest } from './node-child.ts';

const childScript = new URL('./node-child.ts', import.meta.url);

export interface NodeAddresses {
  readonly httpUrl: string;
  readonly socketUrl: string;
}

/** Whether a request failed because there is no node any more. */
export const isGone = (error: unknown): boolean =>
  ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes((error as { code?: string }).code ?? '');

export class NodeProcess {
  readonly #child: ChildConversation<NodeRequest, NodeReport>;
  readonly #loaded: Promise<unknown>;

  constructor(owner: Owner, { flags = [] }: { flags?: readonly string[] } = {}) {
    this.#child = new ChildConversation(owner, childScript, { execArgv: flags });
    this.#loaded = this.#child.next('loaded');
    // Whoever starts the node hears of it; a process that is never started may die unheard.
    this.#loaded.catch(() => {});
  }

  get pid(): number {
    return this.#child.pid;
  }

  get errors(): string {
    return this.#child.errors;
  }

  /** How the process ended: the signal, or else its exit code. */
  get ended(): Promise<NodeJS.Signals | number> {
    return this.#child.ended;
  }

  /** The reason when the node reported one. */
  get failure(): FailedReport | undefined {
    return this.#child.failure;
  }

  /** Where the node listens; undefined when it died on the way. */
  async start(order: NodeOrder): Promise<NodeAddresses | undefined> {
    await this.#loaded;
    const up = this.#child.next('up');
    this.#child.send({ kind: 'serve', ...order });
    return this.#child.unlessKilled(up);
  }

  /** Starts a node that is expected to come up. */
  async mustStart(order: NodeOrder): Promise<NodeAddresses> {
    const addresses = await this.start(order);
    if (!addresses) throw new Error('the node was killed while it started');
    return addresses;
  }

  /** The memory in use; exact when the process has the flag `--expose-gc`. */
  async heapBytes(): Promise<number> {
    const measured = this.#child.next('measured');
    this.#child.send({ kind: 'measure' });
    return (await measured).heapBytes;
  }

  kill(): Promise<void> {
    return this.#child.kill();
  }
}
