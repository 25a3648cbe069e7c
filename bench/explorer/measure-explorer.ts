/**
 * The explorer at a million transactions: how long a page of each list takes over HTTP, and what keeping the index costs
 * whoever makes blocks. The same transfers go to a node with the index and to one without, in turn.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { explorerPath, storePath } from '@symbolon/ledger-node/node/node-folder';
import { parseJson } from '@symbolon/wire/json/json';
import type { Usage } from '../ledger/node-process.ts';
import { copyChain, folderBytes } from '../ledger/prepared-chain.ts';
import { runDirect } from '../ledger/rounds.ts';
import { type SizeOptions, startNode } from '../ledger/sizes.ts';
import { prepareTransfers } from '../ledger/transfers.ts';
import { heading, mebibytes, note, oneDigit, print, printTable, targetRow, whole } from '../print.ts';
import { median, percentile } from '../statistics.ts';
import { busyAddress, prepareFundedChain, prepareTransferChain } from './transfer-chain.ts';

const pageMsMax = 100;
const pagesOfList = 200;
const accounts = 10_000;
const turns = 3;

interface Reply {
  readonly result: { readonly next_cursor: string | null } & Readonly<Record<string, unknown>>;
}

async function ask(port: number, path: string): Promise<{ readonly ms: number; readonly reply: Reply }> {
  const began = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/${path}`);
  const text = await response.text();
  const ms = performance.now() - began;
  const reply = parseJson(text) as unknown as Reply & { error_code: number };
  if (reply.error_code !== 0) throw new Error(`${path}: ${text.slice(0, 200)}`);
  return { ms, reply };
}

/** Page after page from the newest on, and from the beginning when it has ended. */
async function timeList(port: number, path: string): Promise<number[]> {
  const times: number[] = [];
  let cursor: string | null = null;
  while (times.length < pagesOfList) {
    const { ms, reply }: Awaited<ReturnType<typeof ask>> = await ask(
      port,
      cursor ? `${path}&cursor=${cursor}` : path,
    );
    times.push(ms);
    cursor = reply.result.next_cursor;
  }
  return times;
}

/** Of one thing each: effects, searches. */
async function timeEach(port: number, paths: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const path of paths) times.push((await ask(port, path)).ms);
  return times;
}

async function measurePages(folder: string) {
  const { node, port } = await startNode(folder, [], { withIndex: true });
  try {
    await ask(port, 'getTransactions?limit=1');
    const { reply } = await ask(port, 'getTransactions?limit=200');
    const hashes = (reply.result.transactions as { hash: string }[]).map(({ hash }) => hash);
    const lists = [
      'getTransactions?limit=50',
      'getTransactions?limit=200',
      'getTransactions?failed=true&limit=200',
      `getAccountTransactions?address=${busyAddress}&limit=200`,
      'getAccounts?limit=200',
      'getLedgerFigures?limit=200',
    ];
    const results: { name: string; times: number[]; cpuMs: number }[] = [];
    const measure = async (name: string, time: () => Promise<number[]>): Promise<void> => {
      const before = await node.call<Usage>('usage');
      const times = await time();
      const after = await node.call<Usage>('usage');
      results.push({ name, times, cpuMs: (after.cpuMs - before.cpuMs) / times.length });
    };
    for (const path of lists) await measure(path.replace(busyAddress, '…'), () => timeList(port, path));
    const effects = hashes.map((hash) => `getTransactionEffects?hash=${hash}`);
    const beginnings = hashes.map((hash) => `searchLedger?q=${hash.slice(0, 6)}`);
    await measure('getTransactionEffects', () => timeEach(port, effects));
    await measure('searchLedger, 6 digits', () => timeEach(port, beginnings));
    return results;
  } finally {
    await node.end();
  }
}

interface LoadResult {
  readonly cpuUs: number;
  readonly mainCpuUs: number;
  /** CPU time that was spent after the last block, by whoever was behind. */
  readonly afterwardsUs: number;
  readonly rate: number;
  readonly rssBytes: number;
}

async function measureLoad(
  folder: string,
  file: string,
  withIndex: boolean,
  options: SizeOptions,
): Promise<LoadResult> {
  const { warmUp, perRound, rounds, inFlightMax } = options;
  const { node, port } = await startNode(folder, [], { withIndex });
  try {
    if (withIndex) await untilIndexed(port);
    const direct = await runDirect(node, { file, warmUp, perRound, rounds }, inFlightMax);
    const before = await node.call<Usage>('usage');
    if (withIndex) await untilIndexed(port);
    const after = await node.call<Usage>('usage');
    return {
      cpuUs: direct.cpuUsPerTransfer,
      mainCpuUs: direct.mainCpuUsPerTransfer,
      afterwardsUs: ((after.cpuMs - before.cpuMs) * 1_000) / (warmUp + perRound * rounds),
      rate: direct.rate,
      rssBytes: after.rssBytesMax,
    };
  } finally {
    await node.end();
  }
}

async function untilIndexed(port: number): Promise<void> {
  for (;;) {
    const { reply } = await ask(port, 'getTransactions?limit=1');
    if (reply.result.indexed_seq === reply.result.head_seq) return;
    await sleep(100);
  }
}

export async function measureExplorer({
  isQuick,
  ...options
}: SizeOptions & { readonly isQuick: boolean }): Promise<void> {
  const { cache, scratch, warmUp, perRound, rounds } = options;
  const transfers = isQuick ? 20_000 : 1_000_000;
  const { folder, indexCpuUs } = await prepareTransferChain(cache, transfers);
  const [chainBytes, indexBytes] = [
    await folderBytes(storePath(folder)),
    await folderBytes(explorerPath(folder)),
  ];
  note('pages');
  const pages = await measurePages(await copyChain(folder, scratch));
  heading(`Pages of an explorer at ${whole(transfers)} transactions, over HTTP, ms`);
  printTable(
    ['', 'pages', 'CPU', 'p50', 'p95', 'most'],
    pages.map(({ name, times, cpuMs }) => [
      name,
      whole(times.length),
      oneDigit(cpuMs),
      oneDigit(median(times)),
      oneDigit(percentile(times, 0.95)),
      oneDigit(percentile(times, 1)),
    ]),
  );
  print(`the chain takes ${mebibytes(chainBytes)} MiB, its index ${mebibytes(indexBytes)} MiB`);
  if (indexCpuUs !== undefined)
    print(`adding a transaction to the index took ${whole(indexCpuUs)} us of CPU`);

  const file = await prepareTransfers(cache, accounts, warmUp + rounds * perRound);
  const results: { withIndex: LoadResult[]; without: LoadResult[] } = { withIndex: [], without: [] };
  for (let turn = 0; turn < turns; turn++) {
    note(`transfers with and without the index, ${turn + 1} of ${turns}`);
    for (const name of ['without', 'withIndex'] as const) {
      const funded = await prepareFundedChain(scratch, accounts);
      results[name].push(await measureLoad(funded, file, name === 'withIndex', options));
    }
  }
  heading(`Making blocks of transfers, ${turns} nodes each, medians`);
  const row = (name: string, all: readonly LoadResult[]): string[] => {
    const of = (pick: (result: LoadResult) => number): number => median(all.map(pick));
    return [
      name,
      whole(of(({ cpuUs }) => cpuUs)),
      whole(of(({ mainCpuUs }) => mainCpuUs)),
      whole(of(({ afterwardsUs }) => afterwardsUs)),
      whole(of(({ rate }) => rate)),
      mebibytes(of(({ rssBytes }) => rssBytes)),
    ];
  };
  printTable(
    ['', 'CPU us', 'main thread', 'afterwards', 'a second', 'MiB'],
    [row('without the index', results.without), row('with it', results.withIndex)],
  );
  const worst = Math.max(...pages.map(({ times }) => percentile(times, 0.95)));
  heading('Aims');
  printTable(['', 'seen', 'aim', ''], [targetRow('p95 of a page, ms', worst, ['<=', pageMsMax])]);
}
