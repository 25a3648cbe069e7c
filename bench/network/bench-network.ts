/**
 * Two networks of validators on this machine, alike but for the application behind CometBFT: the ledger as its operators
 * run it, and the key-value store that CometBFT brings along. Both have the same settings of CometBFT.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findComet } from '@symbolon/cli/network/comet-program';
import { chooseNodePorts } from '@symbolon/cli/network/free-ports';
import { cometHomeOf, readNetwork } from '@symbolon/cli/network/network-file';
import { type ProcessPart, pidOf } from '@symbolon/cli/network/processes';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { cometGenesis, peerIdOf, writeCometHome } from '@symbolon/ledger-node/node/comet-home';
import { publicKeyOf } from '@symbolon/ledger-node/signatures/ed25519';
import { stringifyJson } from '@symbolon/wire/json/json';
import { endWithUs } from '../child.ts';
import { fillNetwork } from './filled-network.ts';
import { heightAt } from './height.ts';

/** Where load goes, and how a reply looks that takes it on. */
export interface LoadPlace {
  readonly port: number;
  readonly path: string;
  readonly expect: string;
}

export interface BenchNetwork {
  /** One for each validator. */
  readonly places: readonly LoadPlace[];
  /** Of the first validator's CometBFT. */
  readonly rpcPort: number;
  /** Every CometBFT of it, and every node beside one. */
  readonly comets: readonly number[];
  readonly nodes: readonly number[];
  end(): Promise<void>;
}

export interface NetworkTerms {
  readonly validators: number;
  /** How long validators wait after a block. */
  readonly commitMs: number;
  readonly flags: readonly string[];
}

/** So many may wait in each CometBFT: more than one round hands in, so that none is refused. */
const waitingMax = 100_000;

function widen(home: string): void {
  const file = path.join(home, 'config', 'config.toml');
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(/^\[mempool\]$/m, `[mempool]\nsize = ${waitingMax}\ncache_size = ${waitingMax}`),
  );
}

const program = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));

/** As `symbolon network init` makes it, or with so many accounts beside. */
export async function startLedgerNetwork(
  dir: string,
  terms: NetworkTerms,
  accounts?: number,
): Promise<BenchNetwork> {
  const { validators, commitMs, flags } = terms;
  const environment = { ...process.env, SYMBOLON_COMETBFT: await findComet() };
  const run = async (...words: readonly string[]): Promise<void> => {
    const said = [...flags, program, 'network', ...words, '--dir', dir];
    await promisify(execFile)(process.execPath, said, { env: environment });
  };
  await run('init', '--validators', String(validators), '--block-ms', String(commitMs));
  const network = await readNetwork(dir);
  for (const node of network.nodes) widen(cometHomeOf(network, node));
  if (accounts !== undefined) await fillNetwork(network, accounts);
  // Whatever ends the benchmark ends its network.
  const end = (): Promise<void> => run('stop');
  try {
    await run('up', '--detach');
    const pidsOf = async (part: ProcessPart): Promise<number[]> => {
      const pids = await Promise.all(network.nodes.map((node) => pidOf(network, node, part)));
      return pids.filter((pid) => pid !== undefined);
    };
    return {
      places: network.nodes.map(({ ports }) => ({
        port: ports.http,
        path: '/submitTransaction',
        expect: '"success_count":1',
      })),
      rpcPort: network.nodes[0]?.ports.rpc as number,
      comets: await pidsOf('cometbft'),
      nodes: await pidsOf('ledger'),
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** CometBFT's own application, in its own process and in memory. */
const kvstore = 'kvstore';
const startMs = 60_000;

export async function startKvstoreNetwork(
  dir: string,
  { validators, commitMs }: NetworkTerms,
): Promise<BenchNetwork> {
  const comet = await findComet();
  mkdirSync(dir, { recursive: true });
  const ports = await chooseNodePorts(validators);
  const made = ports.map((own, index) => ({
    name: `validator-${index + 1}`,
    ports: own,
    validatorSeed: randomBytes(32),
    peerSeed: randomBytes(32),
  }));
  const power = 10;
  const known = made.map(({ name, validatorSeed }) => ({
    name,
    publicKey: encodeHex(publicKeyOf(validatorSeed)),
    power,
  }));
  const genesis = stringifyJson(cometGenesis('bench-kvstore', known, new Date()), 2);
  const children: ChildProcess[] = [];
  for (const { name, ports: own, validatorSeed, peerSeed } of made) {
    const home = path.join(dir, name);
    await writeCometHome(home, {
      name,
      abci: kvstore,
      rpcPort: own.rpc,
      p2pPort: own.p2p,
      peers: made
        .filter((other) => other.name !== name)
        .map((other) => `${peerIdOf(other.peerSeed)}@127.0.0.1:${other.ports.p2p}`),
      genesis,
      validatorSeed,
      peerSeed,
      commitMs,
    });
    widen(home);
    children.push(spawn(comet, ['start', '--home', home], { stdio: ['ignore', 'ignore', 'inherit'] }));
  }
  const exited = children.map(endWithUs);
  const rpcPort = made[0]?.ports.rpc as number;
  const end = async (): Promise<void> => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(exited);
  };
  const deadline = performance.now() + startMs;
  while (!((await heightAt(rpcPort)) > 2)) {
    if (performance.now() > deadline) {
      await end();
      throw new Error('the network of the key-value store makes no blocks');
    }
    await sleep(100);
  }
  return {
    places: made.map(({ ports: own }) => ({ port: own.rpc, path: '/', expect: '"code":0' })),
    rpcPort,
    comets: children.flatMap(({ pid }) => pid ?? []),
    nodes: [],
    end,
  };
}
