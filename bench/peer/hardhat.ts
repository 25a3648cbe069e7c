/**
 * The anchor: a hardhat node from npm under the same load generator, one request a transfer. Not equal work: it
 * runs the EVM, mines a block for each transaction and keeps everything in memory; ours batches blocks and has
 * them on disk. Installed on first use into a folder of its own, with its own lock file.
 */
import { spawn } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from '../child.ts';
import type { LoadOrder, LoadResult } from '../http-load.ts';
import { install, versionIn } from '../peer-packages.ts';
import { note, whole } from '../print.ts';
import { median, mediansOf, nowMs, type Plan, percentile, perSecond } from '../statistics.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const startTimeoutMs = 60_000;

/** One connection for each of its accounts, so that every account's nonces arrive in order. */
const connections = 64;

/** As in token.sol and sign-calls.mjs. */
const balanceOfSelector = '0x70a08231';
const tokenUnitsOfEach = 10n ** 18n;

export interface PeerRound {
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuUsPerTransfer: number;
}

export interface PeerResult extends PeerRound {
  readonly version: string;
  readonly rounds: readonly PeerRound[];
  readonly rssBytes: number;
}

/** What it is asked to do: transfers of its coin, or of an ERC-20 token that the first request deploys. */
const works = {
  coin: { fileName: 'hardhat-transfers', deployments: 0 },
  token: { fileName: 'hardhat-token-calls', deployments: 1 },
} as const;

export interface NamedPeer {
  readonly name: string;
  readonly result: PeerResult;
}

/** As it comes, and without its log of every call, which takes a third of its time. */
export async function measurePeers(
  cache: string,
  isQuick: boolean,
  work: keyof typeof works,
): Promise<NamedPeer[]> {
  const plan = { warmUp: 256, perRound: isQuick ? 256 : 1_024, rounds: 3 };
  const measure = (isLogging: boolean) => measureHardhat(cache, plan, { isLogging, work });
  return [
    { name: 'as it comes', result: await measure(true) },
    { name: 'without its log', result: await measure(false) },
  ];
}

async function measureHardhat(
  cache: string,
  plan: Plan,
  { isLogging, work }: { readonly isLogging: boolean; readonly work: keyof typeof works },
): Promise<PeerResult> {
  install(folder, 'hardhat into bench/peer/node_modules');
  const { deployments } = works[work];
  const transfers = plan.warmUp + plan.rounds * plan.perRound;
  const file = await prepareTransfers(cache, transfers, work);
  const port = await freePort();
  const hardhat = startHardhat(port);
  const load = startChild(new URL('../http-load.ts', import.meta.url));
  try {
    await untilListening(port);
    if (!isLogging) await callHardhat(port, 'hardhat_setLoggingEnabled', [false]);
    note(`hardhat ${isLogging ? 'as it comes' : 'without its log'}: ${work} transfers over HTTP`);
    if (deployments > 0) await runRound(hardhat, load, { port, file, from: 0, to: deployments });
    const rounds: PeerRound[] = [];
    for (let round = -1; round < plan.rounds; round++) {
      const from = deployments + (round < 0 ? 0 : plan.warmUp + round * plan.perRound);
      const to = from + (round < 0 ? plan.warmUp : plan.perRound);
      const measured = await runRound(hardhat, load, { port, file, from, to });
      if (round >= 0) rounds.push(measured);
    }
    if (work === 'token') await checkToken(port, transfers);
    const { rssBytes } = await hardhat.call<Usage>('usage');
    const version = versionIn(folder, 'hardhat');
    return { version, rounds, rssBytes, ...mediansOf(rounds, 'rate', 'p50Ms', 'p99Ms', 'cpuUsPerTransfer') };
  } finally {
    await Promise.all([hardhat.end(), load.end()]);
  }
}

interface Usage {
  readonly cpuMs: number;
  readonly rssBytes: number;
}

async function runRound(
  hardhat: Child,
  load: Child,
  place: Pick<LoadOrder, 'port' | 'file' | 'from' | 'to'>,
): Promise<PeerRound> {
  const transfers = place.to - place.from;
  const order: LoadOrder = { ...place, path: '/', connections, expect: '"result":"0x' };
  await load.call('prepare', order);
  const before = await hardhat.call<Usage>('usage');
  const { sentAt, answeredAt, failures, firstFailure } = await load.call<LoadResult>('run', order);
  const after = await hardhat.call<Usage>('usage');
  if (failures > 0)
    throw new Error(`hardhat refused ${failures} transfers, the first with:\n${firstFailure}`);
  const waits = Array.from(answeredAt, (at, index) => at - sentAt[index]);
  return {
    // Mined before it answers, so the last answer is the end.
    rate: perSecond(transfers, Math.max(...answeredAt) - sentAt[0]),
    p50Ms: median(waits),
    p99Ms: percentile(waits, 0.99),
    cpuUsPerTransfer: ((after.cpuMs - before.cpuMs) * 1_000) / transfers,
  };
}

function startHardhat(port: number): Child {
  return startChild(new URL('./node_modules/hardhat/internal/cli/bootstrap.js', import.meta.url), {
    args: ['node', '--hostname', '127.0.0.1', '--port', String(port)],
    flags: ['--import', new URL('./hardhat-usage.ts', import.meta.url).href],
    folder,
    // Neither questions nor messages to its makers.
    env: { CI: 'true', HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' },
    isQuiet: true,
  });
}

async function untilListening(port: number): Promise<void> {
  const began = nowMs();
  for (;;) {
    try {
      await callHardhat(port, 'eth_chainId', []);
      return;
    } catch (error) {
      if (nowMs() - began > startTimeoutMs) throw new Error('hardhat does not start', { cause: error });
      await sleep(200);
    }
  }
}

/** A call of an address without code succeeds too: whether the first sender has paid a unit for each transfer. */
async function checkToken(port: number, transfers: number): Promise<void> {
  const block = await callHardhat<{ transactions: string[] }>(port, 'eth_getBlockByNumber', ['0x1', false]);
  const receipt = await callHardhat<{ from: string; contractAddress: string }>(
    port,
    'eth_getTransactionReceipt',
    [block.transactions[0]],
  );
  const data = `${balanceOfSelector}${receipt.from.slice(2).padStart(64, '0')}`;
  const balance = await callHardhat<string>(port, 'eth_call', [{ to: receipt.contractAddress, data }]);
  const paid = tokenUnitsOfEach - BigInt(balance);
  if (paid !== BigInt(transfers / connections)) throw new Error(`hardhat's first sender paid ${paid} units`);
}

async function callHardhat<Result>(port: number, method: string, params: unknown[]): Promise<Result> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers });
  const { error, result } = (await reply.json()) as { error?: { message: string }; result: Result };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function prepareTransfers(cache: string, count: number, work: keyof typeof works): Promise<string> {
  const { fileName } = works[work];
  const file = join(cache, `${fileName}-${count}-v1.jsonl`);
  if (existsSync(file)) return file;
  note(`signing ${whole(count)} ${work} transfers for hardhat`);
  const unfinished = `${file}.part`;
  await runScript(['sign-calls.mjs', work, String(count)], createWriteStream(unfinished));
  await rename(unfinished, file);
  return file;
}

/** Runs one of the scripts here to its end; its output goes to a stream. */
async function runScript(args: string[], output: NodeJS.WritableStream): Promise<void> {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.pipe(output);
  const ended = new Promise((resolve) => output.once('finish', resolve));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  await ended;
  if (code !== 0) throw new Error(`${args[0]} ended with code ${code}`);
}
