/**
 * A node and a service in a process of their own, seen from the test: started on a folder, asked, killed, waited for.
 * What the platform compiles is kept for the next process, because starting is most of what these tests do.
 */
import type { DemoDocument } from '@symbolon/demo/file';
import { ChildConversation } from '../support/child-conversation.ts';
import type { Owner } from '../support/owner.ts';
import type { ChildReport, ChildRequest, ServiceOrder } from './crash-child.ts';

const childScript = new URL('./crash-child.ts', import.meta.url);

export class CrashProcess {
  readonly #child: ChildConversation<ChildRequest, ChildReport>;
  readonly #loaded: Promise<unknown>;

  constructor(owner: Owner, compiled: string) {
    const env = { ...process.env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compiled };
    this.#child = new ChildConversation(owner, childScript, { env });
    this.#loaded = this.#child.next('loaded');
    // Whoever starts it hears of it; a process that is never started may die unheard.
    this.#loaded.catch(() => undefined);
  }

  /** How the process ended: the signal, or else its exit code. */
  get ended(): Promise<NodeJS.Signals | number> {
    return this.#child.ended;
  }

  /** Where it is, and who the people are; undefined when it was killed on the way. */
  async start(order: ServiceOrder): Promise<{ url: string; demo: DemoDocument } | undefined> {
    await this.#loaded;
    const up = this.#child.next('up');
    this.#child.send({ kind: 'serve', ...order });
    return this.#child.unlessKilled(up);
  }

  /** What does not agree between store and ledger. */
  async audit(): Promise<readonly string[]> {
    const audited = this.#child.next('audited');
    this.#child.send({ kind: 'audit' });
    return (await audited).wrong;
  }

  /** Has the ledger stall; resolves when it is back. */
  async stall(ms: number): Promise<void> {
    const flowing = this.#child.next('flowing');
    this.#child.send({ kind: 'stall', ms });
    await flowing;
  }

  /** Ends it in an orderly way. */
  async close(): Promise<void> {
    this.#child.send({ kind: 'close' });
    await this.ended;
  }

  kill(): Promise<void> {
    return this.#child.kill();
  }
}
