/**
 * The process that `first-start.test.ts` starts and that dies on the way: it makes a node's folder, or opens the
 * store of one for the first time and writes the first block. It dies at a counted file operation, or a moment
 * after the work began, killed from a thread of its own while LevelDB is busy.
 */
import { Worker } from 'node:worker_threads';
import { LedgerNode } from '@symbolon/ledger-node/node/node';
import { openNodeFolder, soloValidator, storePath } from '@symbolon/ledger-node/node/node-folder';
import { LevelStore } from '@symbolon/ledger-node/store/level-store';
import { makeChain } from '../support/running-node.ts';
import { dieAtChange, type LastWords } from './dying-files.ts';

export interface FirstStart {
  readonly what: 'makeFolder' | 'openStore';
  readonly folder: string;
  /** Which file operation is the last one; 0 for none. */
  readonly change: number;
  readonly lastWords: LastWords;
  /** How long after the beginning the process dies; undefined for never. */
  readonly microseconds?: number;
}

const { what, folder, change, lastWords, microseconds } = JSON.parse(process.argv[2] as string) as FirstStart;

/** Spins, because no timer is this exact, and kills the whole process. */
const killer = `
  const { workerData } = require('node:worker_threads');
  const state = new Int32Array(workerData.shared);
  Atomics.store(state, 0, 1);
  Atomics.notify(state, 0);
  Atomics.wait(state, 1, 0);
  const end = process.hrtime.bigint() + BigInt(workerData.microseconds) * 1000n;
  while (process.hrtime.bigint() < end);
  process.kill(process.pid, 'SIGKILL');
`;

/** Answers the function that starts the countdown. */
function prepareKiller(): () => void {
  if (microseconds === undefined) return () => {};
  const state = new Int32Array(new SharedArrayBuffer(8));
  new Worker(killer, { eval: true, workerData: { shared: state.buffer, microseconds } }).unref();
  Atomics.wait(state, 0, 0);
  return () => {
    Atomics.store(state, 1, 1);
    Atomics.notify(state, 1);
  };
}

const countDown = prepareKiller();
dieAtChange(change, lastWords);
countDown();
if (what === 'makeFolder') await makeChain(folder);
else {
  const opened = await openNodeFolder(folder);
  const { rules } = opened;
  const validator = soloValidator(opened);
  const store = await LevelStore.open(storePath(folder));
  const settings = { signatureWorkers: 0 };
  const node = await LedgerNode.open({ store, rules, validator, settings, onFailure: () => {} });
  await node.close();
}
