/**
 * The thread of the index: blocks come in and are added, questions come in and are answered between. It has a store of
 * its own, which is made anew whenever it is not what it should be.
 */
import { rm } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '@symbolon/core/basics/assert';
import { checkExecutionHost } from '../chain/execution-host.ts';
import { explorerLimits } from '../limits/node-limits.ts';
import { LevelStore } from '../store/level-store.ts';
import { StoreCorrupt, StoreFormatMismatch } from '../store/store-errors.ts';
import { ExplorerIndex, type Reached, readReach } from './explorer-index.ts';
import { type BlockRows, parseBlockRows } from './fed-block.ts';
import { answerFromIndex } from './index-queries.ts';
import { type FromThread, type IndexThreadData, rulesOfThread, type ToThread } from './thread-messages.ts';

assert(parentPort !== null, 'runs as a worker');
const port = parentPort;
const data = workerData as IndexThreadData;

checkExecutionHost();

const rules = rulesOfThread(data);
const tell = (message: FromThread): void => port.postMessage(message);

interface OpenIndex {
  readonly store: LevelStore;
  readonly index: ExplorerIndex;
}

async function openIndex({ beginAgain }: { beginAgain: boolean }): Promise<OpenIndex> {
  if (beginAgain) await rm(data.folder, { recursive: true, force: true });
  const { cacheBytes, writeBufferBytes } = explorerLimits;
  const store = await LevelStore.open(data.folder, {
    cacheBytes,
    writeBufferBytes,
    tables: 'checkedAsRead',
    // A power cut may take its last writes: they are made again.
    isScratch: true,
  }).catch((error) => {
    if (beginAgain || !(error instanceof StoreCorrupt || error instanceof StoreFormatMismatch)) throw error;
    return undefined;
  });
  if (!store) return openIndex({ beginAgain: true });
  const reached: Reached | undefined = readReach(store);
  if (reached) return { store, index: new ExplorerIndex(store, rules, reached) };
  await store.close();
  return openIndex({ beginAgain: true });
}

let turnBegan = performance.now();
async function pause(): Promise<void> {
  if (performance.now() - turnBegan < explorerLimits.turnMs) return;
  await nextTurn();
  turnBegan = performance.now();
}

let open = await openIndex(data);
tell({ kind: 'reached', reached: open.index.reached });

async function addBlocks(blocks: readonly BlockRows[]): Promise<void> {
  turnBegan = performance.now();
  for (const block of blocks) await open.index.add(parseBlockRows(block), pause);
  tell({ kind: 'reached', reached: open.index.reached });
}

async function beginAgain(): Promise<void> {
  await Promise.allSettled(questions);
  await open.store.close();
  open = await openIndex({ beginAgain: true });
  tell({ kind: 'reached', reached: open.index.reached });
}

async function close(): Promise<void> {
  await Promise.allSettled(questions);
  await open.store.close();
  port.close();
}

const questions = new Set<Promise<void>>();

async function answer({ number, question, headSeq }: Extract<ToThread, { kind: 'ask' }>): Promise<void> {
  try {
    const { name, request } = question;
    const text = await answerFromIndex(open.store, name, { request, headSeq } as never);
    tell({ kind: 'answer', number, answer: text });
  } catch (error) {
    tell({ kind: 'broken', number, problem: String(error) });
  }
}

/** What changes the index happens one after the other; questions are answered meanwhile. */
let work = Promise.resolve();
const inTurn = (step: () => Promise<void>): void => {
  // What fails here ends the thread, and its owner makes another.
  work = work.then(step);
};

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'blocks':
      return inTurn(() => addBlocks(message.blocks));
    case 'beginAgain':
      return inTurn(beginAgain);
    case 'close':
      return inTurn(close);
    case 'ask': {
      const answering = answer(message).finally(() => questions.delete(answering));
      questions.add(answering);
    }
  }
});
