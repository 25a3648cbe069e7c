/**
 * A network of one validator: a real node in this process and a real CometBFT beside it, with keys and folders of their
 * own. Either can be ended and started again by itself.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findComet } from '@symbolon/cli/network/comet-program';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { cometChainId } from '@symbolon/ledger-node/drivers/comet/handshake';
import {
  cometGenesis,
  peerIdOf,
  type TrustedStart,
  writeCometHome,
} from '@symbolon/ledger-node/node/comet-home';
import { publicKeyOf } from '@symbolon/ledger-node/signatures/ed25519';
import { type JsonObject, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { freePorts } from './free-ports.ts';
import type { Owner } from './owner.ts';
import { person } from './people.ts';
import { makeChain, type NodeOrder, type RunningNode, runningNodeOf, serveFolder } from './running-node.ts';
import { tempFolder } from './temp-folder.ts';
import { until } from './until.ts';

export const councilPerson = person('council');
export const payeePerson = person('payee of the validator');
/** The key with which the one validator signs. */
export const validatorKey = person('validator of the network');
interface ValidatorFacts {
  readonly publicKey: string;
  readonly power: number;
}
const factsOf = ({ signer }: CometOrder): ValidatorFacts => ({
  publicKey: signer?.publicKey ?? encodeHex(publicKeyOf(validatorKey.seed)),
  power: 10,
});

export interface CometNode {
  /** The node as it runs now. */
  node: RunningNode;
  readonly folder: string;
  readonly home: string;
  readonly rpcUrl: string;
  /** Where other CometBFTs find this one. */
  readonly peer: string;
  /** With which the node is served. */
  readonly config: JsonObject;
  /** The chain id that the genesis document makes. */
  readonly chainId: string;
  height(): bigint;
  startNode(): Promise<void>;
  stopNode(): Promise<void>;
  startComet(): void;
  /** Ends CometBFT and waits for it. */
  stopComet(signal?: NodeJS.Signals): Promise<void>;
  /** Waits until CometBFT has ended by itself. */
  cometEnded(): Promise<void>;
  /** What CometBFT has printed. */
  cometLog(): string;
  rpc(method: string, params?: JsonObject): Promise<JsonObject>;
}

export interface CometOrder extends NodeOrder {
  /** Changes the genesis document of CometBFT. */
  readonly cometGenesis?: (genesis: JsonObject) => JsonObject;
  /** Members of CometBFT's sections of `config.toml`. */
  readonly timeoutCommitMs?: number;
  /** Who signs in the place of a key in CometBFT's home: the key, raw in hex, and the socket. */
  readonly signer?: { readonly publicKey: string; readonly address: string };
  /** The network that it joins without validating; it begins with a snapshot where a block to trust is given. */
  readonly joins?: {
    readonly network: CometNode;
    readonly trust?: { readonly height: string; readonly hash: string };
  };
}

/** Both run, and the first block is made. */
export async function startCometNode(owner: Owner, order: CometOrder = {}): Promise<CometNode> {
  const network = await prepareCometNode(owner, order);
  await network.startNode();
  network.startComet();
  await until('the first block', () => network.height() > 1n);
  return network;
}

export async function prepareCometNode(owner: Owner, order: CometOrder = {}): Promise<CometNode> {
  const binary = await findComet();
  const [abciPort, rpcPort, p2pPort] = (await freePorts(3)) as [string, string, string];
  const folder = tempFolder(owner);
  const home = path.join(tempFolder(owner), 'cometbft');
  await makeChain(folder, order);
  makeNetwork(folder, factsOf(order));
  const rpcUrl = `http://127.0.0.1:${rpcPort}`;
  const seed = order.joins ? person(`joining ${folder}`).seed : validatorKey.seed;
  const abci = `tcp://127.0.0.1:${abciPort}`;
  const config = {
    ...order.config,
    cometbft: { ...(order.config?.cometbft as JsonObject), abci, rpc: rpcUrl },
  };
  let served: Awaited<ReturnType<typeof serveFolder>> | undefined;
  let comet: ChildProcess | undefined;
  let printed = '';
  const network: CometNode = {
    node: undefined as unknown as RunningNode,
    folder,
    home,
    rpcUrl,
    peer: `${peerIdOf(seed)}@127.0.0.1:${p2pPort}`,
    config,
    chainId: '',
    height: () => network.node.served.node.chain.head.seq,
    async startNode() {
      served = await serveFolder(folder, config);
      network.node = runningNodeOf(served.served, folder, served.logged);
    },
    async stopNode() {
      await served?.served.close();
      served = undefined;
    },
    startComet() {
      const child = spawn(binary, ['start', '--home', home], { stdio: ['ignore', 'pipe', 'pipe'] });
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text));
      comet = child;
    },
    async stopComet(signal = 'SIGKILL') {
      if (!comet || comet.exitCode !== null || comet.signalCode !== null) return;
      const ended = once(comet, 'exit');
      comet.kill(signal);
      await ended;
    },
    async cometEnded() {
      await until('the end of CometBFT', () => comet?.exitCode !== null || comet.signalCode !== null);
    },
    cometLog: () => printed,
    async rpc(method, params = {}) {
      const body = stringifyJson({ jsonrpc: '2.0', id: 1, method, params });
      const response = await fetch(rpcUrl, { method: 'POST', body });
      return parseJson(await response.text()) as JsonObject;
    },
  };
  owner.after(async () => {
    await network.stopComet();
    await network.stopNode();
  });
  // The chain's first block names the chain.
  await network.startNode();
  Object.assign(network, { chainId: cometChainId(network.node.served.node.chain.head) });
  await network.stopNode();
  await writeCometHome(home, {
    name: order.joins ? 'joining' : 'validator',
    abci,
    rpcPort: Number(rpcPort),
    p2pPort: Number(p2pPort),
    peers: order.joins ? [order.joins.network.peer] : [],
    genesis: genesisOf(order, network.chainId),
    ...(order.signer ? { signer: order.signer.address } : { validatorSeed: seed }),
    peerSeed: seed,
    commitMs: order.timeoutCommitMs ?? 100,
    stateSync: stateSyncOf(order),
  });
  return network;
}

/** The genesis document of a network, in the place of one of a node that is alone. */
function makeNetwork(folder: string, facts: ValidatorFacts): void {
  const file = path.join(folder, 'genesis.json');
  const { validators: _, ...document } = parseJson(readFileSync(file, 'utf8')) as JsonObject;
  const validator = { ...facts, payTo: payeePerson.address };
  const network = { council: councilPerson.address, validators: [validator] };
  writeFileSync(file, stringifyJson({ ...document, network }));
}

/** Of the network that is joined, or of one that has this validator alone. */
function genesisOf(order: CometOrder, chainId: string): string {
  const { joins, cometGenesis: change } = order;
  if (joins) return readFileSync(path.join(joins.network.home, 'config/genesis.json'), 'utf8');
  const genesis = cometGenesis(chainId, [{ ...factsOf(order), name: '' }], new Date(Date.now() - 1_000));
  return stringifyJson(change?.(genesis) ?? genesis);
}

function stateSyncOf({ joins }: CometOrder): TrustedStart | undefined {
  if (!joins?.trust) return undefined;
  const { network, trust } = joins;
  return { rpcServers: [network.rpcUrl, network.rpcUrl], ...trust };
}
