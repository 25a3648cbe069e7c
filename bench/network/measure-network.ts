/**
 * Transfers through validators on this machine, beside CometBFT's own key-value store with as many validators: what is
 * committed in a second, and the CPU time of all processes for one. Both share the cores with everything else.
 */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../child.ts';
import type { LoadOrder, LoadResult } from '../http-load.ts';
import { readBodies } from '../ledger/transfers.ts';
import { watchOthers } from '../machine.ts';
import { usageOf } from '../peer/peer-process.ts';
import { note, whole } from '../print.ts';
import { nowMs, perSecond } from '../statistics.ts';
import {
  type BenchNetwork,
  type NetworkTerms,
  startKvstoreNetwork,
  startLedgerNetwork,
} from './bench-network.ts';
import { heightAt } from './height.ts';
import { type BodyFiles, networkBytesOf, pairFiles, transferFiles } from './network-bodies.ts';
import { recordFigures } from './network-figures.ts';
import { type NetworkResult, type NetworkRound, printResults } from './report.ts';

export interface NetworkBenchOptions {
  readonly cache: string;
  readonly scratch: string;
  readonly isQuick: boolean;
  readonly flags: readonly string[];
  readonly validators: readonly number[];
  readonly accounts: readonly number[];
  readonly withPeer: boolean;
  /** Whether what was measured is kept in the repository, and drawn. */
  readonly isRecorded: boolean;
}

const connections = 64;
const rounds = 3;
const commitMs = 250;

export async function measureNetwork(options: NetworkBenchOptions): Promise<void> {
  const results: NetworkResult[] = [];
  for (const accounts of options.accounts)
    for (const validators of options.validators)
      results.push(await measureBoth(options, { validators, accounts }));
  printResults(results, { rounds, connections, commitMs });
  if (options.isRecorded) recordFigures(results);
}

/** Rounds come in turn: the machine's minutes are everybody's. */
async function measureBoth(
  options: NetworkBenchOptions,
  { validators, accounts }: { readonly validators: number; readonly accounts: number },
): Promise<NetworkResult> {
  const { cache, scratch, isQuick, flags } = options;
  const place = path.join(scratch, `${validators}-${accounts}`);
  mkdirSync(place, { recursive: true });
  const perRound = Math.ceil((isQuick ? 2_000 : 12_000) / validators);
  const order = {
    cache,
    scratch: place,
    validators,
    connections,
    accounts,
    perValidator: (rounds + 1) * perRound,
  };
  const transfers = await transferFiles(order);
  const [example = ''] = await readBodies(transfers.files[0] as string, { from: 0, to: 1 });
  const pairs = pairFiles(order, networkBytesOf(example));
  const terms: NetworkTerms = { validators, commitMs, flags };
  note(`${validators} validators: the ledger with ${whole(accounts)} accounts, and the key-value store`);
  const ledger = await startLedgerNetwork(path.join(place, 'ledger'), terms, accounts);
  try {
    if (!options.withPeer)
      return { validators, accounts, ...(await inTurn({ ledger }, { ledger: transfers }, perRound)) };
    const kvstore = await startKvstoreNetwork(path.join(place, 'kvstore'), terms);
    try {
      const files = { ledger: transfers, kvstore: pairs };
      return { validators, accounts, ...(await inTurn({ ledger, kvstore }, files, perRound)) };
    } finally {
      await kvstore.end();
    }
  } finally {
    await ledger.end();
    rmSync(place, { recursive: true, force: true });
  }
}

type Subject = 'ledger' | 'kvstore';

async function inTurn(
  networks: Readonly<Partial<Record<Subject, BenchNetwork>>>,
  files: Readonly<Partial<Record<Subject, BodyFiles>>>,
  perRound: number,
): Promise<Record<Subject, NetworkRound[]>> {
  const measured: Record<Subject, NetworkRound[]> = { ledger: [], kvstore: [] };
  const all = Object.entries(networks) as [Subject, BenchNetwork][];
  for (let round = 0; round <= rounds; round++) {
    const range = { from: round * perRound, to: (round + 1) * perRound };
    for (const [name, network] of all) {
      const others = all.flatMap(([, other]) => (other === network ? [] : other));
      for (const other of others) signalAll(other, 'SIGSTOP');
      const taken = await measureRound(network, files[name] as BodyFiles, range);
      for (const other of others) signalAll(other, 'SIGCONT');
      // The first warms up.
      if (round > 0) measured[name].push(taken);
      await sleep(2 * commitMs);
    }
  }
  return measured;
}

/** The one whose turn it is not takes no processor. */
function signalAll({ nodes, comets }: BenchNetwork, signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of [...nodes, ...comets]) process.kill(pid, signal);
}

async function measureRound(
  network: BenchNetwork,
  { files }: BodyFiles,
  range: { readonly from: number; readonly to: number },
): Promise<NetworkRound> {
  const { places, rpcPort, nodes, comets } = network;
  const loads = places.map(() => startChild(new URL('../http-load.ts', import.meta.url)));
  try {
    const orders = places.map(
      (place, at): LoadOrder => ({ ...place, ...range, file: files[at] as string, connections }),
    );
    await Promise.all(loads.map((load, at) => load.call('prepare', orders[at])));
    const base = await heightAt(rpcPort);
    const count = places.length * (range.to - range.from);
    const [nodesBefore, cometsBefore] = [cpuMsOf(nodes), cpuMsOf(comets)];
    const others = watchOthers();
    const began = nowMs();
    const [results, committed] = await Promise.all([
      Promise.all(loads.map((load, at) => load.call<LoadResult>('run', orders[at]))),
      untilCommitted(rpcPort, base, count),
    ]);
    const failed = results.find(({ failures }) => failures > 0);
    if (failed) throw new Error(`${failed.failures} were refused, the first with:\n${failed.firstFailure}`);
    const [nodesMs, cometsMs] = [cpuMsOf(nodes) - nodesBefore, cpuMsOf(comets) - cometsBefore];
    const loadMs = results.reduce((sum, result) => sum + result.cpuMs, 0);
    return {
      rate: perSecond(count, committed.atMs - began),
      cpuUs: ((nodesMs + cometsMs) * 1_000) / count,
      nodesUs: (nodesMs * 1_000) / count,
      perBlock: count / committed.blocks,
      memoryMiB: memoryMiBOf([...nodes, ...comets]) / places.length,
      othersShare: others(nodesMs + cometsMs + loadMs),
    };
  } finally {
    await Promise.all(loads.map((load) => load.end()));
  }
}

const pollMs = 25;
/** So many blocks CometBFT tells of at once. */
const blocksAtOnce = 20;
const patienceMs = 600_000;

/** When so many transactions were in blocks after one, and in how many of these. */
async function untilCommitted(
  rpcPort: number,
  base: number,
  count: number,
): Promise<{ readonly atMs: number; readonly blocks: number }> {
  const deadline = nowMs() + patienceMs;
  let seen = base;
  let found = 0;
  let blocks = 0;
  while (nowMs() < deadline) {
    const height = await heightAt(rpcPort);
    if (height > seen) {
      const to = Math.min(height, seen + blocksAtOnce);
      const url = `http://127.0.0.1:${rpcPort}/blockchain?minHeight=${seen + 1}&maxHeight=${to}`;
      const { result } = (await (await fetch(url)).json()) as {
        result: { block_metas: { num_txs: string }[] };
      };
      for (const { num_txs } of result.block_metas) {
        found += Number(num_txs);
        if (Number(num_txs) > 0) blocks += 1;
      }
      seen = to;
      if (found >= count) return { atMs: nowMs(), blocks };
    } else await sleep(pollMs);
  }
  throw new Error(`${found} of ${count} transactions are in blocks`);
}

const cpuMsOf = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + usageOf(pid).cpuMs, 0);

const memoryMiBOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + usageOf(pid).rssBytes, 0) / 2 ** 20;
