/**
 * The node's side of the index: starts its thread, hands it the blocks that it has not seen, a slice at a time and after
 * they are on disk, and puts questions to it. Whatever becomes of the thread, the chain goes on: an index that fails is
 * made anew, and if that fails as well, the node answers that it has none.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { equalBytes } from '@symbolon/core/basics/bytes';
import { type LedgerRefusal, refuse } from '@symbolon/core/ledger/terms/codes';
import type { LedgerHeader } from '@symbolon/core/proto/ledger_pb';
import type { Log } from '@symbolon/host/telemetry/log';
import type { IndexTotals } from '@symbolon/wire/ledger/explorer/replies';
import { findBase, findBlock } from '../chain/chain-reader.ts';
import { executionStackMb, explorerLimits } from '../limits/node-limits.ts';
import type { LedgerNode } from '../node/node.ts';
import type { Reached } from './explorer-index.ts';
import { type BlockRows, readBlockRows } from './fed-block.ts';
import { type FromThread, type IndexQuestion, type ToThread, threadDataOf } from './thread-messages.ts';

export interface Explorer {
  /** How far the index reaches and what it has counted; undefined while there is none. */
  readonly totals: IndexTotals | undefined;
  ask(question: IndexQuestion): Promise<string | LedgerRefusal>;
  close(): Promise<void>;
}

const switchedOff = refuse('notFound', 'this node keeps no index: its setting explorer is false');
const givenUp = refuse('internalError', 'the index of this node has failed; the log says why');
const broken = refuse('internalError', 'the index could not answer; the log says why');
const tooBusy = refuse('timeout', 'the index has too much to answer: ask again');

const begunLater = ({ seq }: LedgerHeader): LedgerRefusal =>
  refuse(
    'notFound',
    `this node begins with a snapshot of block ${seq} and keeps no index: ask a node that has been there from the first block on`,
  );

/** Of a node that keeps no index. */
export const noExplorer: Explorer = {
  totals: undefined,
  ask: async () => switchedOff,
  close: async () => {},
};

export interface ExplorerOrder {
  readonly node: LedgerNode;
  readonly folder: string;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

type Answer = (answer: string | LedgerRefusal) => void;

export class ThreadedExplorer implements Explorer {
  readonly #order: ExplorerOrder;
  readonly #questions = new Map<number, Answer>();
  readonly #startTimer: NodeJS.Timeout;
  readonly #unwatch: () => void;
  #worker: Worker | undefined;
  #ended: Promise<void> = Promise.resolve();
  #reached: Reached | undefined;
  /** The thread has got blocks, or was told to begin again, and has not answered yet. */
  #isFeeding = false;
  /** When the thread got its last blocks, and how long these took. */
  #fedAtMs = 0;
  #tookMs = 0;
  #restarts = 0;
  #asked = 0;
  #state: 'running' | 'failed' | 'closed' = 'running';
  /** Whoever waits for the index to reach a block. */
  #progress = Promise.withResolvers<void>();

  constructor(order: ExplorerOrder) {
    this.#order = order;
    this.#startTimer = setTimeout(() => this.#start(), explorerLimits.startDelayMs);
    this.#startTimer.unref();
    this.#unwatch = order.node.watch({ block: () => void this.#feed() });
  }

  get totals(): IndexTotals | undefined {
    return this.#base ? undefined : this.#reached?.totals;
  }

  /** An index of a part of the chain would say wrong things of all of it. */
  get #base(): LedgerHeader | undefined {
    return findBase(this.#order.node.chain.rows);
  }

  async ask(question: IndexQuestion): Promise<string | LedgerRefusal> {
    const base = this.#base;
    if (base) return begunLater(base);
    if (this.#state !== 'running') return givenUp;
    if (this.#questions.size >= explorerLimits.questionsMax) return tooBusy;
    const { promise, resolve } = Promise.withResolvers<string | LedgerRefusal>();
    this.#asked++;
    const number = this.#asked;
    this.#questions.set(number, resolve);
    const late = setTimeout(() => resolve(tooBusy), explorerLimits.answerMsMax);
    try {
      this.#start();
      const headSeq = this.#order.node.chain.head.seq;
      await this.#untilReached(headSeq);
      this.#tell({ kind: 'ask', number, question, headSeq });
      return await promise;
    } finally {
      clearTimeout(late);
      this.#questions.delete(number);
    }
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    clearTimeout(this.#startTimer);
    this.#unwatch();
    this.#progress.resolve();
    for (const answer of this.#questions.values()) answer(givenUp);
    // Never from outside: it may be loading native code.
    this.#tell({ kind: 'close' });
    await this.#ended;
  }

  #start(beginAgain = false): void {
    if (this.#worker || this.#state !== 'running' || this.#base) return;
    const { node, folder } = this.#order;
    const worker = new Worker(new URL('./explorer-thread.ts', import.meta.url), {
      execArgv: [],
      name: 'explorer',
      workerData: threadDataOf(node.chain.rules, { folder, beginAgain }),
      resourceLimits: { stackSizeMb: executionStackMb },
    });
    worker.unref();
    this.#worker = worker;
    this.#isFeeding = true;
    const ended = Promise.withResolvers<void>();
    this.#ended = ended.promise;
    let problem: unknown;
    worker.on('message', (message: FromThread) => this.#hear(message));
    worker.once('error', (error) => {
      problem = error;
    });
    worker.once('exit', (code) => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#fallen(problem ?? new Error(`the thread of the index ended with code ${code}`));
      ended.resolve();
    });
  }

  /** The thread is gone: by a defect, or because the disk is full, or the index damaged. */
  #fallen(error: unknown): void {
    if (this.#state !== 'running') return;
    this.#reached = undefined;
    for (const answer of this.#questions.values()) answer(broken);
    const { log } = this.#order;
    this.#restarts++;
    if (this.#restarts > explorerLimits.restartsMax) {
      this.#state = 'failed';
      this.#progress.resolve();
      log.error({ err: error }, 'the index of the explorer failed again: the node goes on without it');
      return;
    }
    log.warn({ err: error }, 'the index of the explorer failed and is made anew');
    this.#start(true);
  }

  #tell(message: ToThread): void {
    this.#worker?.postMessage(message);
  }

  #hear(message: FromThread): void {
    if (message.kind === 'reached') {
      this.#isFeeding = false;
      this.#tookMs = performance.now() - this.#fedAtMs;
      this.#accept(message.reached);
      return;
    }
    const answer = this.#questions.get(message.number);
    if (message.kind === 'answer') return answer?.(message.answer);
    this.#order.log.error({ problem: message.problem }, 'the index of the explorer could not answer');
    answer?.(broken);
  }

  /** What the thread has is gone on from, if it is of this chain: looked at when the thread has opened it. */
  #accept(reached: Reached): void {
    if (!this.#reached && !this.#isOfThisChain(reached)) {
      this.#order.log.info('the index of the explorer is of another chain and is made anew');
      this.#isFeeding = true;
      return this.#tell({ kind: 'beginAgain' });
    }
    this.#reached = reached;
    const { resolve } = this.#progress;
    this.#progress = Promise.withResolvers();
    resolve();
    void this.#feed();
  }

  #isOfThisChain({ totals: { seq }, hash }: Reached): boolean {
    if (seq === 0n) return true;
    const block = findBlock(this.#order.node.chain.rows, seq);
    return block !== undefined && equalBytes(block.header.hash, hash);
  }

  /** The next blocks, if there are any and the thread is free for them. */
  async #feed(): Promise<void> {
    const { chain } = this.#order.node;
    const from = (this.#reached?.totals.seq ?? 0n) + 1n;
    if (this.#isFeeding || !this.#reached || from > chain.head.seq || this.#base) return;
    this.#isFeeding = true;
    try {
      await this.#untilQuiet();
      const blocks = await chain.rows.ofOneHead((rows) =>
        readSlice(from, chain.head.seq, (seq) => readBlockRows(rows, seq)),
      );
      const buffers = blocks.flatMap(({ block, validators, records }) =>
        [block, validators, records].map(({ buffer }) => buffer as ArrayBuffer),
      );
      this.#fedAtMs = performance.now();
      this.#worker?.postMessage({ kind: 'blocks', blocks } satisfies ToThread, buffers);
    } catch (error) {
      // The chain's own readers meet the same damage, and it is theirs to say.
      if (this.#state === 'running')
        this.#order.log.error({ err: error }, 'a block for the index of the explorer cannot be read');
    }
  }

  /** Whoever makes blocks of many transactions comes first. */
  async #untilQuiet(): Promise<void> {
    const { restFactor, busyQueueMin, busyWaitMs, busyLookMs } = explorerLimits;
    const { queue } = this.#order.node;
    const restedMs = performance.now() - this.#fedAtMs - this.#tookMs;
    const restMs = Math.min(this.#tookMs * restFactor, busyWaitMs) - restedMs;
    if (this.#fedAtMs > 0 && restMs > 1) await sleep(restMs, undefined, { ref: false });
    for (let waited = 0; waited < busyWaitMs && queue.size > busyQueueMin; waited += busyLookMs) {
      if (this.#state !== 'running') return;
      await sleep(busyLookMs, undefined, { ref: false });
    }
  }

  /** Somebody who has just seen a block expects to find it; but an index that is being made is not waited for. */
  async #untilReached(seq: bigint): Promise<void> {
    const { answerMsMax, catchUpMs, catchUpBlocksMax } = explorerLimits;
    if (!this.#reached) await this.#progressWithin(answerMsMax);
    const deadline = performance.now() + catchUpMs;
    for (;;) {
      const missing = seq - (this.#reached?.totals.seq ?? seq);
      const leftMs = deadline - performance.now();
      if (missing <= 0n || missing > BigInt(catchUpBlocksMax) || leftMs <= 0) return;
      await this.#progressWithin(leftMs);
    }
  }

  async #progressWithin(ms: number): Promise<void> {
    const ending = new AbortController();
    const { signal } = ending;
    await Promise.race([this.#progress.promise, sleep(ms, undefined, { signal }).catch(() => undefined)]);
    ending.abort();
  }
}

/** Blocks from one number on: as many as go to the thread together. */
export async function readSlice(
  from: bigint,
  to: bigint,
  read: (seq: bigint) => Promise<BlockRows>,
): Promise<BlockRows[]> {
  const { sliceRecordsMax, sliceBytesMax, sliceBlocksMax } = explorerLimits;
  const blocks: BlockRows[] = [];
  let records = 0;
  let bytes = 0;
  for (let seq = from; seq <= to; seq++) {
    const block = await read(seq);
    blocks.push(block);
    records += block.recordLengths.length;
    bytes += block.records.length;
    if (records >= sliceRecordsMax || bytes >= sliceBytesMax || blocks.length >= sliceBlocksMax) break;
  }
  return blocks;
}
