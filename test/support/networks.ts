/** A network of validators as an operator has it: made, run and asked by the real commands, each node two processes. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findComet } from '@symbolon/cli/network/comet-program';
import { cometHomeOf, genesisKeyFile, type Network, readNetwork } from '@symbolon/cli/network/network-file';
import { blockOnNodes, type SharedBlock } from '@symbolon/cli/network/observing';
import { given } from '@symbolon/core/basics/plain-values';
import { isJsonObject, type JsonObject, parseJson } from '@symbolon/wire/json/json';
import { at } from './http.ts';
import type { Owner } from './owner.ts';
import { keyFormat, type Person, personOf } from './people.ts';
import { symbolon } from './symbolon-process.ts';
import { tempFolder } from './temp-folder.ts';
import { until } from './until.ts';

/** `network status --json`. */
export interface NetworkStatus extends JsonObject {
  quorum: boolean;
  nodes: NodeStatus[];
}

export interface NodeStatus extends JsonObject {
  node: number;
  state: string;
  height: number | null;
  first: number | null;
  power: number | null;
  ledger: string;
}

export interface RunningNetwork {
  readonly dir: string;
  /** Has every coin at first. */
  readonly genesis: Person;
  /** A `network` command with `--json`; one that fails unexpectedly fails the test. */
  command(words: readonly string[], options?: CommandOptions): Promise<JsonObject>;
  status(): Promise<NetworkStatus>;
  facts(): Promise<Network>;
  /** The block of a node, however the others are. */
  heightOf(node: number): Promise<number | undefined>;
  /** Waits until the nodes have a block that is so much further than the newest of them now. */
  goOn(blocks: number, nodes: readonly number[]): Promise<number>;
  /** What nodes say of a block. */
  blockOn(height: number, nodes: readonly number[]): Promise<SharedBlock>;
  url(node: number): Promise<string>;
}

export interface CommandOptions {
  readonly exits?: number;
  /** Another one than that of the checkout. */
  readonly program?: string | undefined;
}

export interface NetworkTestOrder {
  readonly validators?: number;
  readonly blockMs?: number;
  /** How long validators wait for one that is away. */
  readonly waitMs?: number;
  /** Changes what was made before it runs for the first time; may answer what is to run as CometBFT. */
  readonly beforeUp?: (network: Network) => Promise<string | undefined>;
}

export async function startNetwork(
  owner: Owner,
  { validators = 4, blockMs = 200, waitMs = 1_000, beforeUp }: NetworkTestOrder = {},
): Promise<RunningNetwork> {
  const dir = path.join(tempFolder(owner), 'network');
  let comet = await findComet();
  const network = networkIn(owner, dir, () => comet);
  await network.command(['init', '--validators', String(validators), '--block-ms', String(blockMs)]);
  owner.after(async () => void (await symbolon(owner, ['network', 'kill', '--dir', dir])));
  const facts = await network.facts();
  for (const node of facts.nodes)
    setWait(path.join(cometHomeOf(facts, node), 'config', 'config.toml'), waitMs);
  comet = (await beforeUp?.(facts)) ?? comet;
  await network.command(['up', '--detach']);
  await until('blocks of all nodes', async () => {
    const status = await network.status();
    return status.nodes.every(({ state, height }) => state === 'runs' && (height ?? 0) > 2);
  });
  return network;
}

/** Validators of one machine need not wait as long as CometBFT does by itself for a proposal of one that is away. */
const setWait = (settings: string, waitMs: number): void => {
  const waits = ['propose', 'prevote', 'precommit'].map((what) => `timeout_${what} = "${waitMs}ms"`);
  const text = readFileSync(settings, 'utf8');
  writeFileSync(settings, text.replace(/^\[consensus\]$/m, ['[consensus]', ...waits].join('\n')));
};

/** Any exit code is right where none is expected. */
const whatever = -1;

function networkIn(owner: Owner, dir: string, comet: () => string): RunningNetwork {
  const facts = () => readNetwork(dir);
  const nodesOf = async (numbers: readonly number[]) => {
    const { nodes } = await facts();
    return nodes.filter((_, index) => numbers.includes(index + 1));
  };
  /** Each block has the whole patience: whoever goes on is not waited for in vain, however slow the machine is. */
  const reach = async (node: number, target: number): Promise<void> => {
    for (let height = 0; height < target; ) {
      const before = height;
      height = await until(`block ${target} on node ${node}, which has ${before}`, async () => {
        const next = (await network.heightOf(node)) ?? 0;
        return next > before && next;
      });
    }
  };
  const network: RunningNetwork = {
    dir,
    get genesis() {
      const text = readFileSync(genesisKeyFile(dir), 'utf8').trim();
      return personOf(keyFormat.parsePrivateKey(text) as Uint8Array);
    },
    facts,
    async command([name = '', ...words], { exits = 0, program } = {}) {
      const said = ['network', name, ...words, '--dir', dir, '--json'];
      const { code, out, err } = await symbolon(
        owner,
        said,
        { SYMBOLON_COMETBFT: comet() },
        given({ program }),
      );
      if (exits !== whatever && code !== exits)
        throw new Error(`network ${name} ${words.join(' ')} ended with ${code}: ${err}${out}`);
      const answer = parseJson(out);
      if (!isJsonObject(answer)) throw new Error(`network ${name} said ${out}`);
      return answer;
    },
    status: async () => (await network.command(['status'], { exits: whatever })) as NetworkStatus,
    async url(node) {
      const [found] = await nodesOf([node]);
      return `http://127.0.0.1:${found?.ports.http}`;
    },
    async heightOf(node) {
      const url = `${await network.url(node)}/getLedger`;
      try {
        const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
        const seq = at(parseJson(await response.text()) as JsonObject, 'result', 'header', 'seq');
        return seq === undefined ? undefined : Number(seq);
      } catch {
        return undefined;
      }
    },
    async goOn(blocks, nodes) {
      const heights = nodes.map((node) => until('a height', () => network.heightOf(node)));
      const target = Math.max(...(await Promise.all(heights))) + blocks;
      for (const node of nodes) await reach(node, target);
      return target;
    },
    blockOn: async (height, nodes) => blockOnNodes(await nodesOf(nodes), height),
  };
  return network;
}
