/**
 * Transfers through validators on this machine, beside CometBFT's own key-value store with as many validators: what is
 * committed in a second, and the CPU time of all processes for one. Both share the cores with everything else.
 */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../child.ts';
import type { LoadOrder, LoadResult } from '../http-load.ts';
import { senders } from '../ledger/people.ts';
import { readBodies } from '../ledger/transfers.ts';
import { watchOthers } from '../machine.ts';
import { usageOf } from '../peer/peer-process.ts';
import { heading, note, oneDigit, printTable, targetRow, twoDigits, whole } from '../print.ts';
import { median, nowMs, perSecond } from '../statistics.ts';
import {
  type BenchNetwork,
  heightAt,
  type NetworkTerms,
  startKvstoreNetwork,
  startLedgerNetwork,
} from './bench-network.ts';
import { type BodyFiles, fundingBodies, networkBytesOf, pairFiles, transferFiles } from './network-bodies.ts';

export interface NetworkBenchOptions {
  readonly cache: string;
  readonly scratch: string;
  readonly isQuick: boolean;
  readonly flags: readonly string[];
  readonly validators: readonly number[];
  readonly accounts: readonly number[];
}

const connections = 64;
const rounds = 3;
const commitMs = 1_000;

interface NetworkRound {
  readonly rate: number;
  readonly cpuUsPerTransaction: number;
  readonly perBlock: number;
  readonly othersShare: number;
}

interface NetworkResult {
  readonly validators: number;
  readonly accounts: number;
  readonly ledger: readonly NetworkRound[];
  readonly kvstore: readonly NetworkRound[];
}

export async function measureNetwork(options: NetworkBenchOptions): Promise<void> {
  const results: NetworkResult[] = [];
  for (const accounts of options.accounts)
    for (const validators of options.validators)
      results.push(await measureBoth(options, { validators, accounts }));
  printResults(results);
}

/** Rounds come in turn: the machine's minutes are everybody's. */
async function measureBoth(
  options: NetworkBenchOptions,
  { validators, accounts }: { readonly validators: number; readonly accounts: number },
): Promise<NetworkResult> {
  const { cache, scratch, isQuick, flags } = options;
  const place = path.join(scratch, `${validators}-${accounts}`);
  mkdirSync(place, { recursive: true });
  const perRound = Math.ceil((isQuick ? 2_000 : 16_000) / validators);
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
  const ledger = await startLedgerNetwork(path.join(place, 'ledger'), terms);
  try {
    await fund(ledger, fundingBodies(ledger.genesisKey, Math.max(accounts, senders)), place);
    const kvstore = await startKvstoreNetwork(path.join(place, 'kvstore'), terms);
    try {
      const measured: { ledger: NetworkRound[]; kvstore: NetworkRound[] } = { ledger: [], kvstore: [] };
      for (let round = 0; round <= rounds; round++) {
        const range = { from: round * perRound, to: (round + 1) * perRound };
        for (const [name, network, files] of [
          ['ledger', ledger, transfers],
          ['kvstore', kvstore, pairs],
        ] as const) {
          pauseAll(name === 'ledger' ? kvstore : ledger, 'SIGSTOP');
          const taken = await measureRound(network, files, range);
          pauseAll(name === 'ledger' ? kvstore : ledger, 'SIGCONT');
          // The first warms up.
          if (round > 0) measured[name].push(taken);
          await sleep(2 * commitMs);
        }
      }
      return { validators, accounts, ...measured };
    } finally {
      await kvstore.end();
    }
  } finally {
    await ledger.end();
    rmSync(place, { recursive: true, force: true });
  }
}

/** The one whose turn it is not takes no processor. */
function pauseAll({ pids }: BenchNetwork, signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) process.kill(pid, signal);
}

/** Accounts are made one transaction after the other: they are all of one sender. */
async function fund(
  { places, rpcPort }: BenchNetwork,
  bodies: readonly string[],
  place: string,
): Promise<void> {
  note(`${whole(bodies.length)} transactions make the accounts of ${path.basename(place)}`);
  const [first] = places;
  const base = await heightAt(rpcPort);
  for (const body of bodies) {
    const response = await fetch(`http://127.0.0.1:${first?.port}/submitTransaction`, {
      method: 'POST',
      body,
    });
    const text = await response.text();
    if (!text.includes('"success_count":1')) throw new Error(`an account was not made: ${text}`);
  }
  await untilCommitted(rpcPort, base, bodies.length);
}

async function measureRound(
  network: BenchNetwork,
  { files }: BodyFiles,
  range: { readonly from: number; readonly to: number },
): Promise<NetworkRound> {
  const { places, rpcPort, pids } = network;
  const loads = places.map(() => startChild(new URL('../http-load.ts', import.meta.url)));
  try {
    const orders = places.map(
      (place, at): LoadOrder => ({ ...place, ...range, file: files[at] as string, connections }),
    );
    await Promise.all(loads.map((load, at) => load.call('prepare', orders[at])));
    const base = await heightAt(rpcPort);
    const count = places.length * (range.to - range.from);
    const cpuBefore = cpuMsOf(pids);
    const others = watchOthers();
    const began = nowMs();
    const [results, committed] = await Promise.all([
      Promise.all(loads.map((load, at) => load.call<LoadResult>('run', orders[at]))),
      untilCommitted(rpcPort, base, count),
    ]);
    const failed = results.find(({ failures }) => failures > 0);
    if (failed) throw new Error(`${failed.failures} were refused, the first with:\n${failed.firstFailure}`);
    const cpuMs = cpuMsOf(pids) - cpuBefore;
    const loadMs = results.reduce((sum, result) => sum + result.cpuMs, 0);
    return {
      rate: perSecond(count, committed.atMs - began),
      cpuUsPerTransaction: (cpuMs * 1_000) / count,
      perBlock: count / committed.blocks,
      othersShare: others(cpuMs + loadMs),
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

const medianOf = (taken: readonly NetworkRound[], name: keyof NetworkRound): number =>
  median(taken.map((round) => round[name]));

function printResults(results: readonly NetworkResult[]): void {
  heading(
    `Committed in a second, from the first request until the last is in a block; ${rounds} rounds each, in turn, ${connections} connections`,
    `to each validator, ${whole(commitMs)} ms after a block. All validators, and the load, share the cores above.`,
  );
  printTable(
    [
      'accounts',
      'validators',
      'ledger/s',
      'each round',
      'tx/block',
      'us CPU/tx',
      'kvstore/s',
      'each round',
      'us CPU/tx',
      'ratio',
      'others %',
    ],
    results.map(({ accounts, validators, ledger, kvstore }) => [
      whole(accounts),
      String(validators),
      whole(medianOf(ledger, 'rate')),
      ledger.map(({ rate }) => whole(rate)).join(' / '),
      whole(medianOf(ledger, 'perBlock')),
      whole(medianOf(ledger, 'cpuUsPerTransaction')),
      whole(medianOf(kvstore, 'rate')),
      kvstore.map(({ rate }) => whole(rate)).join(' / '),
      whole(medianOf(kvstore, 'cpuUsPerTransaction')),
      twoDigits(medianOf(ledger, 'rate') / medianOf(kvstore, 'rate')),
      oneDigit(100 * Math.max(medianOf(ledger, 'othersShare'), medianOf(kvstore, 'othersShare'))),
    ]),
  );
  const four = results.find(({ validators }) => validators === 4);
  if (!four) return;
  heading();
  printTable(
    ['target', 'here', 'wanted', ''],
    [
      targetRow(
        'transfers/s of four validators ÷ those of the key-value store',
        medianOf(four.ledger, 'rate') / medianOf(four.kvstore, 'rate'),
        ['>=', 0.7],
        twoDigits,
      ),
    ],
  );
}
