/**
 * How the nodes of a network are: what runs, how far each is, and whether those that answer have the same block. Every
 * node is asked by itself, and one that does not answer keeps no other from being shown.
 */

import { parseHex } from '@symbolon/core/basics/bytes';
import { consensusAddress } from '@symbolon/core/ledger/terms/validators';
import { sha256 } from '@symbolon/host/work/sha256';
import { CometRpc, type RpcAnswer } from '@symbolon/ledger-node/drivers/comet/comet-rpc';
import { isJsonObject, type JsonObject } from '@symbolon/wire/json/json';
import { type DueUpgrade, dueUpgrade } from './due-upgrade.ts';
import { ledgerUrlOf, type Network, type NetworkNode, rpcUrlOf } from './network-file.ts';
import { type ProcessPart, processParts, runningParts, sinceStartMs } from './processes.ts';

/** `starting`: does not answer yet; `slow`: answered long ago, runs, and does not answer in time. */
export type NodeState = 'runs' | 'catching up' | 'starting' | 'slow' | 'half down' | 'stopped';

export interface NodeLook {
  readonly node: NetworkNode;
  readonly state: NodeState;
  /** Which of its processes run. */
  readonly running: readonly ProcessPart[];
  /** The newest block of CometBFT, and that of the node. */
  readonly height: number | undefined;
  readonly block: number | undefined;
  /** The first block that CometBFT has: of a node that began with a snapshot, the one after it. */
  readonly first: number | undefined;
  /** How many blocks the furthest node is ahead. */
  readonly lag: number | undefined;
  readonly peers: number | undefined;
  /** In the header of its newest block: of the state that the block before led to. */
  readonly appHash: string | undefined;
  /** Its power as a validator, by the word of the furthest node; 0 of one that only follows. */
  readonly power: number | undefined;
  /** It answers and has caught up, or it runs and has signed the newest block: blocks can count on it. */
  readonly isThere: boolean;
  /** The planned upgrade at whose block it has stopped. */
  readonly due: DueUpgrade | undefined;
}

/** The newest block that all that answer have. */
export interface SharedBlock {
  readonly height: number;
  readonly isSame: boolean;
  readonly nodes: readonly { readonly name: string; readonly hash: string; readonly appHash: string }[];
}

export interface NetworkLook {
  readonly nodes: readonly NodeLook[];
  readonly agreement: SharedBlock | undefined;
  /** Of the validators, those that are there; undefined where nobody can say. */
  readonly power: PowerShare | undefined;
}

export interface PowerShare {
  readonly present: number;
  readonly whole: number;
}

/** Whether blocks are made with so much of the power. */
export const isQuorum = ({ present, whole }: PowerShare): boolean => 3 * present > 2 * whole;

export const hasQuorum = ({ power }: NetworkLook): boolean => power !== undefined && isQuorum(power);

/** Which process of a node has ended, where the other one runs. */
export const endedPart = ({ running }: Pick<NodeLook, 'running'>): ProcessPart | undefined =>
  running.length === 1 ? processParts.find((part) => !running.includes(part)) : undefined;

export async function lookAtNetwork(network: Network): Promise<NetworkLook> {
  const looked = await Promise.all(network.nodes.map((node) => lookAtNode(network, node)));
  const heights = looked.flatMap(({ height }) => height ?? []);
  const highest = Math.max(0, ...heights);
  const [furthest] = answering(looked).toSorted((left, right) => right.height - left.height);
  const powers = furthest && (await validatorPowers(furthest.node));
  // One that runs and does not answer in time is there all the same, if it signs.
  const isUnclear = furthest && looked.some(({ state }) => state === 'slow');
  const signing = isUnclear ? await signersOfNewest(furthest.node, network.commitMs) : new Set<string>();
  const nodes = looked.map((look) => ({
    ...look,
    lag: look.height === undefined ? undefined : highest - look.height,
    power: powers ? (powers.get(look.node.publicKey) ?? 0) : look.power,
    isThere: look.state === 'runs' || (look.state === 'slow' && signing.has(addressOf(look.node))),
  }));
  return { nodes, agreement: await agreementOf(nodes), power: powers && shareOf(nodes, powers) };
}

function shareOf(nodes: readonly NodeLook[], powers: ReadonlyMap<string, number>): PowerShare {
  const there = nodes.filter(({ isThere }) => isThere);
  return {
    present: summed(there.map(({ node }) => powers.get(node.publicKey) ?? 0)),
    whole: summed([...powers.values()]),
  };
}

const resultOf = (answer: RpcAnswer | undefined): JsonObject | undefined =>
  answer && 'result' in answer ? answer.result : undefined;

const below = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>(
    (found, name) => (isJsonObject(found as never) ? (found as JsonObject)[name] : undefined),
    value,
  );

const numberOf = (value: unknown): number | undefined =>
  /^\d{1,15}$/.test(String(value)) ? Number(value) : undefined;
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.toLowerCase() : undefined;

/** Nobody waits longer for one node of many. */
const patienceMs = 4_000;
/** One that does not answer so long after its start is starting no more. */
const startingMs = 60_000;

async function asked<Answer>(
  ask: (rpc: CometRpc) => Promise<Answer>,
  node: NetworkNode,
): Promise<Answer | undefined> {
  const rpc = new CometRpc(rpcUrlOf(node));
  const timer = setTimeout(() => rpc.close(), patienceMs);
  return ask(rpc)
    .catch(() => undefined)
    .finally(() => clearTimeout(timer));
}

async function lookAtNode(network: Network, node: NetworkNode): Promise<Omit<NodeLook, 'lag' | 'isThere'>> {
  const running = await runningParts(network, node);
  const calls = ['status', 'net_info'].map((method) => ({ method, params: {} }));
  const [answers, block, due, sinceMs] = await Promise.all([
    running.includes('cometbft') ? asked((rpc) => rpc.callAll(calls), node) : undefined,
    running.includes('ledger') ? blockOf(node) : undefined,
    // A plan that cannot be read ends the node, whose log says so.
    dueUpgrade(network, node).catch(() => undefined),
    sinceStartMs(network, node),
  ]);
  const [status, peers] = (answers ?? []).map(resultOf);
  const height = numberOf(below(status, 'sync_info', 'latest_block_height'));
  const isBehind = below(status, 'sync_info', 'catching_up') === true;
  const answersBoth = height !== undefined && block !== undefined;
  return {
    node,
    running,
    state: stateOf({ running, answersBoth, isBehind, isNew: sinceMs < startingMs }),
    height,
    block,
    first: numberOf(below(status, 'sync_info', 'earliest_block_height')),
    peers: numberOf(below(peers, 'n_peers')),
    appHash: textOf(below(status, 'sync_info', 'latest_app_hash')),
    power: numberOf(below(status, 'validator_info', 'voting_power')),
    due,
  };
}

function stateOf({
  running,
  answersBoth,
  isBehind,
  isNew,
}: Pick<NodeLook, 'running'> & { answersBoth: boolean; isBehind: boolean; isNew: boolean }): NodeState {
  if (running.length === 0) return 'stopped';
  if (running.length < processParts.length) return 'half down';
  if (!answersBoth) return isNew ? 'starting' : 'slow';
  return isBehind ? 'catching up' : 'runs';
}

async function blockOf(node: NetworkNode): Promise<number | undefined> {
  try {
    const response = await fetch(`${ledgerUrlOf(node)}/getLedger`, {
      signal: AbortSignal.timeout(patienceMs),
    });
    return numberOf(below(await response.json(), 'result', 'header', 'seq'));
  } catch {
    return undefined;
  }
}

/** Those that have a block which was agreed on. */
const answering = <Look extends Pick<NodeLook, 'height'>>(nodes: readonly Look[]) =>
  nodes.filter((look): look is Look & { readonly height: number } => (look.height ?? 0) > 1);

/** What each node that has a block says of it. */
export async function blockOnNodes(nodes: readonly NetworkNode[], height: number): Promise<SharedBlock> {
  const said = await Promise.all(
    nodes.map(async (node) => {
      const params = { height: String(height) };
      const answer = resultOf(await asked((rpc) => rpc.call('commit', params), node));
      const hash = textOf(below(answer, 'signed_header', 'commit', 'block_id', 'hash'));
      const appHash = textOf(below(answer, 'signed_header', 'header', 'app_hash'));
      return hash === undefined || appHash === undefined ? [] : [{ name: node.name, hash, appHash }];
    }),
  );
  const known = said.flat();
  return {
    height,
    nodes: known,
    isSame: new Set(known.map(({ hash, appHash }) => hash + appHash)).size <= 1,
  };
}

async function agreementOf(nodes: readonly NodeLook[]): Promise<SharedBlock | undefined> {
  const here = answering(nodes);
  if (here.length === 0) return undefined;
  const lowest = Math.min(...here.map(({ height }) => height));
  return blockOnNodes(
    here.map(({ node }) => node),
    lowest,
  );
}

const addressOf = ({ publicKey }: NetworkNode): string =>
  Buffer.from(consensusAddress(parseHex(publicKey) as Uint8Array, sha256)).toString('hex');

/** A block that is older says nothing of who is there now. */
const freshMs = 10_000;

/** Who has signed the newest block, where that is a new one: by CometBFT's addresses in hex. */
async function signersOfNewest(node: NetworkNode, commitMs: number): Promise<ReadonlySet<string>> {
  const answer = resultOf(await asked((rpc) => rpc.call('commit', {}), node));
  const time = Date.parse(String(below(answer, 'signed_header', 'header', 'time')));
  const signatures = below(answer, 'signed_header', 'commit', 'signatures');
  const isFresh = Date.now() - time < freshMs + 2 * commitMs;
  if (!isFresh || !Array.isArray(signatures)) return new Set();
  return new Set(signatures.flatMap((one) => textOf(below(one, 'validator_address')) ?? []));
}

export const summed = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Who signs the next block by the word of a node, with which power: by raw keys in hex. */
export async function validatorPowers(node: NetworkNode): Promise<ReadonlyMap<string, number> | undefined> {
  const answer = await asked((rpc) => rpc.call('validators', { page: '1', per_page: '100' }), node);
  const list = below(resultOf(answer), 'validators');
  if (!Array.isArray(list)) return undefined;
  return new Map(
    list.flatMap((one): [string, number][] => {
      const key = below(one, 'pub_key', 'value');
      return typeof key === 'string'
        ? [[Buffer.from(key, 'base64').toString('hex'), numberOf(below(one, 'voting_power')) ?? 0]]
        : [];
    }),
  );
}
