/**
 * A network of one validator: a real node in this process and a real CometBFT beside it, with keys and folders of their
 * own. Either can be ended and started again by itself.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { cometChainId } from '@symbolon/ledger-node/drivers/comet/handshake';
import { publicKeyOf } from '@symbolon/ledger-node/signatures/ed25519';
import { type JsonObject, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { cometBinary } from './comet-binary.ts';
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
  const binary = await cometBinary();
  const [abciPort, rpcPort, p2pPort] = (await freePorts(3)) as [string, string, string];
  const folder = tempFolder(owner);
  const home = tempFolder(owner);
  await makeChain(folder, order);
  makeNetwork(folder);
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
    peer: `${addressOf(seed).toLowerCase()}@127.0.0.1:${p2pPort}`,
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
  writeCometHome(home, { abci, rpcPort, p2pPort, seed, order, chainId: network.chainId });
  return network;
}

/** The genesis document of a network, in the place of one of a node that is alone. */
function makeNetwork(folder: string): void {
  const file = path.join(folder, 'genesis.json');
  const { validators: _, ...document } = parseJson(readFileSync(file, 'utf8')) as JsonObject;
  const publicKey = encodeHex(publicKeyOf(validatorKey.seed));
  const validator = { publicKey, power: 10, payTo: payeePerson.address };
  const network = { council: councilPerson.address, validators: [validator] };
  writeFileSync(file, stringifyJson({ ...document, network }));
}

function writeCometHome(
  home: string,
  {
    abci,
    rpcPort,
    p2pPort,
    seed,
    chainId,
    order,
  }: { abci: string; rpcPort: string; p2pPort: string; seed: Uint8Array; chainId: string; order: CometOrder },
): void {
  for (const folder of ['config', 'data']) mkdirSync(path.join(home, folder));
  const put = (file: string, content: JsonObject | string): void =>
    writeFileSync(path.join(home, file), typeof content === 'string' ? content : stringifyJson(content, 2), {
      mode: 0o600,
    });
  const address = addressOf(seed);
  const pubKey = typedKey('PubKey', publicKeyOf(seed));
  const privKey = typedKey('PrivKey', Buffer.concat([seed, publicKeyOf(seed)]));
  put('config/priv_validator_key.json', { address, pub_key: pubKey, priv_key: privKey });
  put('config/node_key.json', { priv_key: privKey });
  put('data/priv_validator_state.json', { height: '0', round: 0, step: 0 });
  const genesis: JsonObject = {
    genesis_time: new Date(Date.now() - 1_000).toISOString(),
    chain_id: chainId,
    initial_height: '2',
    consensus_params: {
      block: { max_bytes: '20971520', max_gas: '-1' },
      evidence: { max_age_num_blocks: '100000', max_age_duration: '172800000000000', max_bytes: '1048576' },
      validator: { pub_key_types: ['ed25519'] },
      version: { app: '0' },
      abci: { vote_extensions_enable_height: '0' },
    },
    validators: [
      {
        address: addressOf(validatorKey.seed),
        pub_key: typedKey('PubKey', publicKeyOf(validatorKey.seed)),
        power: '10',
        name: '',
      },
    ],
    app_hash: '',
  };
  const first = order.joins?.network;
  if (first)
    copyFileSync(path.join(first.home, 'config/genesis.json'), path.join(home, 'config/genesis.json'));
  else put('config/genesis.json', order.cometGenesis?.(genesis) ?? genesis);
  put(
    'config/config.toml',
    `proxy_app = "${abci}"
log_level = "info"
[rpc]
laddr = "tcp://127.0.0.1:${rpcPort}"
max_body_bytes = 4000000
[p2p]
laddr = "tcp://127.0.0.1:${p2pPort}"
pex = false
allow_duplicate_ip = true
addr_book_strict = false
persistent_peers = "${first?.peer ?? ''}"
[mempool]
max_tx_bytes = 1100000
[consensus]
timeout_commit = "${order.timeoutCommitMs ?? 100}ms"
[tx_index]
indexer = "null"
${stateSync(order)}`,
  );
}

function stateSync({ joins }: CometOrder): string {
  if (!joins?.trust) return '';
  const { network, trust } = joins;
  return `[statesync]
enable = true
rpc_servers = "${network.rpcUrl},${network.rpcUrl}"
trust_height = ${trust.height}
trust_hash = "${trust.hash}"
trust_period = "168h0m0s"
discovery_time = "5s"
`;
}

/** How CometBFT names the owner of a key. */
const addressOf = (seed: Uint8Array): string =>
  createHash('sha256').update(publicKeyOf(seed)).digest().subarray(0, 20).toString('hex').toUpperCase();

const typedKey = (kind: 'PubKey' | 'PrivKey', bytes: Uint8Array): JsonObject => ({
  type: `tendermint/${kind}Ed25519`,
  value: Buffer.from(bytes).toString('base64'),
});
