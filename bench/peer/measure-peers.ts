/**
 * Peers under the same load generator as our node, one request a transfer. Installed on first use into a folder of their
 * own, with their own lock file.
 */
import { spawn } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Turns } from '@symbolon/host/work/turns';
import { type Child, startChild } from '../child.ts';
import type { LoadOrder, LoadResult } from '../http-load.ts';
import { readBodies } from '../ledger/transfers.ts';
import { install } from '../peer-packages.ts';
import { note, whole } from '../print.ts';
import { median, mediansOf, nowMs, type Plan, percentile, perSecond } from '../statistics.ts';
import { anvilPeers } from './anvil.ts';
import { hardhatPeers } from './hardhat.ts';
import {
  type Call,
  type MeasureBeside,
  type Peer,
  type PeerResult,
  type PeerRound,
  peerFolder,
  peerSenders,
} from './peer.ts';
import { type PeerProcess, startPeer } from './peer-process.ts';

/** As in token.sol and sign-calls.mjs. */
const balanceOfSelector = '0x70a08231';
const tokenUnitsOfEach = 10n ** 18n;

const warmUp = 1_024;
export const peerRounds = 5;

/** What a peer is asked to do: transfers of its coin, or of an ERC-20 token that the first request deploys. */
const works = {
  coin: { fileName: 'peer-transfers', deployments: 0 },
  token: { fileName: 'peer-token-calls', deployments: 1 },
} as const;
type Work = keyof typeof works;

export interface PeersOptions {
  readonly cache: string;
  readonly isQuick: boolean;
  readonly work: Work;
}

export const peersBeside =
  ({ cache, isQuick, work }: PeersOptions): MeasureBeside =>
  async (turns) => {
    install(peerFolder, 'hardhat and anvil into bench/peer/node_modules');
    const peers = [...hardhatPeers(), ...anvilPeers()].map((peer) => ({
      ...peer,
      perRound: isQuick ? peer.perRound / 4 : peer.perRound,
    }));
    const most = warmUp + peerRounds * Math.max(...peers.map(({ perRound }) => perRound));
    const file = await turns.run(() => prepareTransfers(cache, most, work));
    return Promise.all(peers.map((peer) => measurePeer(peer, { file, work, turns })));
  };

async function measurePeer(
  peer: Peer,
  { file, work, turns }: { readonly file: string; readonly work: Work; readonly turns: Turns },
): Promise<PeerResult> {
  const plan: Plan = { warmUp, rounds: peerRounds, perRound: peer.perRound };
  const transfers = plan.warmUp + plan.rounds * plan.perRound;
  const { deployments } = works[work];
  const node = await turns.run(() => startPeer(peer));
  const load = startChild(new URL('../http-load.ts', import.meta.url));
  try {
    const deployed = await turns.run(async () => {
      await peer.setUp(node.call);
      return work === 'token' ? deployToken(peer, node.call, file) : undefined;
    });
    const measured: PeerRound[] = [];
    let blocks = 0;
    for (let round = -1; round < plan.rounds; round++) {
      const from = deployments + (round < 0 ? 0 : plan.warmUp + round * plan.perRound);
      const to = from + (round < 0 ? plan.warmUp : plan.perRound);
      const result = await turns.run(async () => {
        node.resume();
        const blocksBefore = await countBlocks(node.call);
        const result = await runRound({ peer, node, load }, { file, from, to });
        blocks += (await countBlocks(node.call)) - blocksBefore;
        if (peer.minesBehind) node.pause();
        return result;
      });
      if (round >= 0) measured.push(result);
    }
    node.resume();
    const mined = (await countMined(node.call)) - deployments;
    if (deployed) await checkToken(peer, node.call, deployed);
    return {
      name: peer.name,
      version: peer.version,
      rounds: measured,
      transfersPerBlock: mined / blocks,
      minedShare: mined / transfers,
      rssBytes: node.usage().rssBytes,
      ...mediansOf(measured, 'rate', 'p50Ms', 'p99Ms', 'cpuUsPerTransfer'),
    };
  } finally {
    await Promise.all([node.end(), load.end()]);
  }
}

async function runRound(
  { peer, node, load }: { readonly peer: Peer; readonly node: PeerProcess; readonly load: Child },
  place: Pick<LoadOrder, 'file' | 'from' | 'to'>,
): Promise<PeerRound> {
  const transfers = place.to - place.from;
  const order: LoadOrder = {
    ...place,
    port: node.port,
    path: '/',
    connections: peerSenders,
    expect: '"result":"0x',
  };
  await load.call('prepare', order);
  const before = node.usage();
  const { sentAt, answeredAt, failures, firstFailure } = await load.call<LoadResult>('run', order);
  await peer.untilMined(node.call);
  const endedAt = nowMs();
  const after = node.usage();
  if (failures > 0)
    throw new Error(`${peer.name} refused ${failures} transfers, the first with:\n${firstFailure}`);
  const waits = Array.from(answeredAt, (at, index) => at - sentAt[index]);
  return {
    rate: perSecond(transfers, endedAt - sentAt[0]),
    p50Ms: median(waits),
    p99Ms: percentile(waits, 0.99),
    cpuUsPerTransfer: ((after.cpuMs - before.cpuMs) * 1_000) / transfers,
  };
}

/** Sends the first request of the file; the answer is the hash of its transaction. */
async function deployToken(peer: Peer, call: Call, file: string): Promise<string> {
  const [body] = await readBodies(file, { from: 0, to: 1 });
  const hash = await call<string>('eth_sendRawTransaction', ...JSON.parse(body).params);
  await peer.untilMined(call);
  return hash;
}

const countBlocks = async (call: Call): Promise<number> => Number(await call('eth_blockNumber'));

/** How many transactions of all senders are in blocks. */
async function countMined(call: Call): Promise<number> {
  const senders = await call<string[]>('eth_accounts');
  const nonces = await Promise.all(senders.map((sender) => nonceOf(call, sender)));
  return nonces.reduce((sum, nonce) => sum + nonce, 0);
}

const nonceOf = async (call: Call, sender: string): Promise<number> =>
  Number(await call('eth_getTransactionCount', sender, 'latest'));

/**
 * A call of an address without code succeeds too: whether the sender that deployed the token has paid a unit with each
 * of its transactions since. A peer may be mining meanwhile.
 */
async function checkToken(peer: Peer, call: Call, deployed: string): Promise<void> {
  const { from, contractAddress: to } = await call<{ from: string; contractAddress: string }>(
    'eth_getTransactionReceipt',
    deployed,
  );
  const data = `${balanceOfSelector}${from.slice(2).padStart(64, '0')}`;
  const least = (await nonceOf(call, from)) - 1;
  const paid = Number(tokenUnitsOfEach - BigInt(await call<string>('eth_call', { to, data }, 'latest')));
  const most = (await nonceOf(call, from)) - 1;
  if (paid === 0 || paid < least || paid > most)
    throw new Error(`${peer.name}: the first sender paid ${paid} units with ${most} transfers`);
}

async function prepareTransfers(cache: string, count: number, work: Work): Promise<string> {
  const file = join(cache, `${works[work].fileName}-${count}-v1.jsonl`);
  if (existsSync(file)) return file;
  note(`signing ${whole(count)} ${work} transfers for the peers`);
  const unfinished = `${file}.part`;
  await runScript(['sign-calls.mjs', work, String(count)], createWriteStream(unfinished));
  await rename(unfinished, file);
  return file;
}

/** Runs one of the scripts here to its end; its output goes to a stream. */
async function runScript(args: string[], output: NodeJS.WritableStream): Promise<void> {
  const child = spawn(process.execPath, args, { cwd: peerFolder, stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.pipe(output);
  const ended = new Promise((resolve) => output.once('finish', resolve));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  await ended;
  if (code !== 0) throw new Error(`${args[0]} ended with code ${code}`);
}
