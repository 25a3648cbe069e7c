/**
 * How long a node takes to open as its history grows: two sizes, ten times apart, opened in turn so that whatever else
 * the machine does meets both; then how long it takes until everything has been read through in the background.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { storePath } from '@symbolon/ledger-node/node/node-folder';
import type { Ready, Usage } from '../ledger/node-process.ts';
import { copyChain, folderBytes } from '../ledger/prepared-chain.ts';
import { startNode } from '../ledger/sizes.ts';
import { heading, mebibytes, note, oneDigit, printTable, targetRow, whole } from '../print.ts';
import { mediansOf, nowMs } from '../statistics.ts';
import { prepareHistory } from './history.ts';

const rounds = 5;
const megabyte = 1_000_000;

export interface StartupOptions {
  readonly cache: string;
  readonly scratch: string;
  readonly isQuick: boolean;
}

interface Opening extends Pick<Ready, 'openMs' | 'openCpuMs'> {
  readonly wallMs: number;
  readonly [name: string]: number;
}

interface ReadThrough {
  readonly seconds: number;
  readonly cpuMs: number;
}

export async function measureStartup({ cache, scratch, isQuick }: StartupOptions): Promise<void> {
  const sizes = isQuick ? [50 * megabyte, 500 * megabyte] : [1_000 * megabyte, 10_000 * megabyte];
  const folders: string[] = [];
  for (const bytes of sizes) folders.push(await prepareHistory(cache, bytes));
  const openings: Opening[][] = sizes.map(() => []);
  for (let round = 0; round < rounds; round++) {
    note(`opening, round ${round + 1} of ${rounds}`);
    for (const [size, folder] of folders.entries())
      openings[size].push(await measureOpening(folder, scratch));
  }
  const results = [];
  for (const [size, folder] of folders.entries()) {
    note(`reading through ${mebibytes(sizes[size])} MiB`);
    const bytes = await folderBytes(storePath(folder));
    const readThrough = await measureReadThrough(folder, scratch);
    results.push({ bytes, readThrough, ...mediansOf(openings[size], 'wallMs', 'openMs', 'openCpuMs') });
  }
  const [small, large] = results;
  heading(`Opening a node, medians of ${rounds}`);
  printTable(
    ['store MiB', 'wall ms', 'open ms', 'open CPU ms', 'read through s', 'its CPU ms/GB'],
    results.map(({ bytes, wallMs, openMs, openCpuMs, readThrough: { seconds, cpuMs } }) => [
      mebibytes(bytes),
      whole(wallMs),
      whole(openMs),
      whole(openCpuMs),
      oneDigit(seconds),
      whole((cpuMs * 1e9) / bytes),
    ]),
  );
  heading();
  printTable(
    ['target', 'measured', 'wanted', ''],
    [
      targetRow('open CPU, ten times the history', large.openCpuMs / small.openCpuMs, ['<=', 1.5], oneDigit),
      targetRow('open time, ten times the history', large.openMs / small.openMs, ['<=', 1.5], oneDigit),
    ],
  );
}

async function measureOpening(folder: string, scratch: string): Promise<Opening> {
  const { node, wallMs, openMs, openCpuMs } = await startNode(await copyChain(folder, scratch));
  await node.end();
  return { wallMs, openMs, openCpuMs };
}

/** From the first answer until the store has been read through, and what the whole node did for it meanwhile. */
async function measureReadThrough(folder: string, scratch: string): Promise<ReadThrough> {
  const { node, port } = await startNode(await copyChain(folder, scratch));
  const began = nowMs();
  const before = await node.call<Usage>('usage');
  const isChecked = async () =>
    /^store: ok$/m.test(await (await fetch(`http://127.0.0.1:${port}/readyz?verbose`)).text());
  while (!(await isChecked())) await sleep(500);
  const seconds = (nowMs() - began) / 1_000;
  const { cpuMs } = await node.call<Usage>('usage');
  await node.end();
  return { seconds, cpuMs: cpuMs - before.cpuMs };
}
