/** Four validators and the ways between them, payments under way, and what scenarios do to them. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findComet } from '@symbolon/cli/network/comet-program';
import { removeBlocks } from '@symbolon/cli/network/further-node';
import {
  cometHomeOf,
  ledgerFolderOf,
  type Network,
  type NetworkNode,
  nodeOf,
} from '@symbolon/cli/network/network-file';
import { validatorPowers } from '@symbolon/cli/network/observing';
import { pidOf, processParts } from '@symbolon/cli/network/processes';
import { consensusAddress } from '@symbolon/core/ledger/terms/validators';
import { sha256 } from '@symbolon/host/work/sha256';
import { type JsonObject, parseJson } from '@symbolon/wire/json/json';
import { ask, at, post } from '../support/http.ts';
import { type RunningNetwork, startNetwork } from '../support/networks.ts';
import type { Owner } from '../support/owner.ts';
import { hashOf, operations, signTransaction } from '../support/running-node.ts';
import { type Ended, symbolon } from '../support/symbolon-process.ts';
import { until } from '../support/until.ts';
import { NetworkChecker } from './checker.ts';
import { LyingAbci } from './lying-abci.ts';
import { newerProgram } from './newer-program.ts';
import { Payments, payee, payer } from './payments.ts';
import type { LinkFault, PeerWays } from './peer-ways.ts';
import type { WaysHere } from './ways-here.ts';

/** The validators that every scenario begins and ends with. */
export const founders: readonly number[] = [1, 2, 3, 4];
const payersCount = 6;
const payers = Array.from({ length: payersCount }, (_, index) => payer(index));
const supply = 100_000_000_000_000_000n;

/** The one whose node can be made to lie to its CometBFT. */
export const liar = 4;

export class FaultWorld {
  readonly #owner: Owner;
  readonly network: RunningNetwork;
  readonly ways: PeerWays;
  readonly #lying: LyingAbci;
  readonly payments: Payments;
  readonly #checker = new NetworkChecker();
  /** The validator that comes and goes, once it was made. */
  fifth: number | undefined;
  #twin: number | undefined;
  #upgrades = 0;

  private constructor(owner: Owner, network: RunningNetwork, { ways, lying }: Between) {
    this.#owner = owner;
    this.network = network;
    this.ways = ways;
    this.#lying = lying;
    this.payments = new Payments(() => Promise.all(founders.map((node) => network.url(node))), payers);
  }

  static async start(owner: Owner, here: WaysHere): Promise<FaultWorld> {
    let between: Between | undefined;
    const network = await startNetwork(owner, {
      beforeUp: async (facts) => {
        const ways = await here.between(owner, facts, await findComet());
        between = { ways, lying: await standBetween(owner, facts, nodeOf(facts, liar)) };
        return ways.comet;
      },
    });
    const world = new FaultWorld(owner, network, between as Between);
    await world.#fundPayers();
    return world;
  }

  async #fundPayers(): Promise<void> {
    const owner = this.network.genesis;
    const item = signTransaction(
      {
        source_address: owner.address,
        nonce: 1,
        fee_limit: 10_000_000n,
        gas_price: 1,
        operations: [...payers, payee].map(({ address }) =>
          operations.createAccount(address, 10_000_000_000n),
        ),
      },
      [owner],
    );
    const url = await this.network.url(1);
    await post(url, 'submitTransaction', { items: [item] });
    await until('accounts that pay', async () => {
      const reply = await ask(url, 'getTransactionHistory', { hash: hashOf(item) });
      return at(reply, 'result', 'transactions', 0, 'error_code') === 0;
    });
  }

  /** All payments are settled, the founders have the same block, and everything holds. */
  async check(): Promise<{ readonly blocks: number; readonly payments: number }> {
    await this.payments.end();
    const height = (await this.network.goOn(2, founders)) - 1;
    const { council, genesisAddress, nodes } = await this.network.facts();
    const status = await this.network.status();
    const people = [...payers, payee].map(({ address }) => address);
    const blocks = await this.#checker.check({
      nodes: founders.map((index) => ({
        node: nodes[index - 1] as NetworkNode,
        first: status.nodes[index - 1]?.first ?? 0,
      })),
      height,
      owners: [council, genesisAddress, ...people, ...nodes.map(({ payTo }) => payTo)],
      supply,
      acknowledged: this.payments.acknowledged,
    });
    return { blocks, payments: this.payments.acknowledged.length };
  }

  /** The processes of a node hear of nothing, or go on. */
  async signal(node: number, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const facts = await this.network.facts();
    for (const part of processParts) {
      const pid = await pidOf(facts, nodeOf(facts, node), part);
      if (pid !== undefined) process.kill(pid, signal);
    }
  }

  /** Answers how to ask how many packets were lost by it. */
  async harm(node: number, fault: LinkFault): Promise<() => Promise<number>> {
    if (!this.ways.harm) throw new Error(`the ways between nodes here cannot be made ${fault}`);
    return this.ways.harm(node, fault);
  }

  /** Who is to propose now, by the word of node 1. */
  async proposer(): Promise<number> {
    const { nodes } = await this.network.facts();
    const response = await fetch(`http://127.0.0.1:${nodes[0]?.ports.rpc}/consensus_state`);
    const state = parseJson(await response.text()) as JsonObject;
    const address = String(at(state, 'result', 'round_state', 'proposer', 'address'));
    const found = nodes.findIndex(({ publicKey }) => addressOf(publicKey) === address);
    return found === -1 ? 1 : found + 1;
  }

  /** A stopped node has lost everything but who it is, and what it has signed: that must never be lost. */
  async wipe(node: number): Promise<void> {
    const facts = await this.network.facts();
    await removeBlocks(facts, nodeOf(facts, node));
  }

  /** The node of the liar answers a wrong app hash, after which it proposes. Answers for which block that was. */
  async lie(): Promise<bigint> {
    const { publicKey } = nodeOf(await this.network.facts(), liar);
    return this.#lying.lie(addressOf(publicKey));
  }

  /** In which round a block was agreed on: 0 where the first who had the turn was listened to. */
  async roundOf(block: bigint): Promise<number> {
    const { nodes } = await this.network.facts();
    const response = await fetch(`http://127.0.0.1:${nodes[0]?.ports.rpc}/commit?height=${block}`);
    const commit = parseJson(await response.text()) as JsonObject;
    return Number(at(commit, 'result', 'signed_header', 'commit', 'round'));
  }

  /** Runs a node that votes with the key of another one, until what is answered is called. */
  async startTwin(of: number): Promise<() => Promise<void>> {
    const known = this.#twin === undefined ? [] : [String(this.#twin), '--yes'];
    const { node } = await this.network.command(['join', ...known]);
    const twin = Number(node);
    this.#twin = twin;
    const facts = await this.network.facts();
    const keyOf = (one: number): string =>
      path.join(cometHomeOf(facts, nodeOf(facts, one)), 'config', 'priv_validator_key.json');
    const own = readFileSync(keyOf(twin));
    const vote = async (key: Buffer): Promise<void> => {
      await this.network.command(['stop', String(twin)]);
      writeFileSync(keyOf(twin), key);
    };
    await vote(readFileSync(keyOf(of)));
    await this.network.command(['start', String(twin)]);
    return () => vote(own);
  }

  /** Whether a node has power, by the word of node 1. */
  async validates(node: number): Promise<boolean> {
    const facts = await this.network.facts();
    const powers = await validatorPowers(nodeOf(facts, 1));
    return powers?.has(nodeOf(facts, node).publicKey) === true;
  }

  /** A program that is newer than all before it. */
  newerProgram(): { readonly version: string; readonly program: string } {
    this.#upgrades += 1;
    const version = `0.1.${this.#upgrades}`;
    return { version, program: newerProgram(this.#owner, version) };
  }

  /** The program of the checkout, until it ends. */
  async startNode(node: number): Promise<Ended> {
    const facts = await this.network.facts();
    const folder = ledgerFolderOf(facts, nodeOf(facts, node));
    return symbolon(this.#owner, ['node', 'start', '--data', folder]);
  }

  /** A node that is slow to answer has not ended, and one that still has blocks is waited for. */
  async untilEnded(node: number): Promise<void> {
    const facts = await this.network.facts();
    const hasEnded = async () => (await pidOf(facts, nodeOf(facts, node), 'ledger')) === undefined;
    for (let height: number | undefined = 0; !(await hasEnded()); ) {
      const before: number | undefined = height;
      await until(`the end of node ${node}, which has ${before}`, async () => {
        height = await this.network.heightOf(node);
        return (height ?? 0) > (before ?? 0) || hasEnded();
      });
    }
  }

  /** Which program a node runs, by its own word. */
  async versionOf(node: number): Promise<string> {
    return String(at(await ask(await this.network.url(node), 'hello'), 'overlay_version'));
  }

  /** Blocks with all founders, each as far as the others. */
  goOn = (blocks: number, nodes: readonly number[] = founders): Promise<number> =>
    this.network.goOn(blocks, nodes);
}

interface Between {
  readonly ways: PeerWays;
  readonly lying: LyingAbci;
}

async function standBetween(owner: Owner, network: Network, node: NetworkNode): Promise<LyingAbci> {
  const lying = await LyingAbci.before(owner, node.ports.abci, founders.length);
  const file = path.join(cometHomeOf(network, node), 'config', 'config.toml');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/^proxy_app = .*$/m, `proxy_app = "${lying.address}"`));
  return lying;
}

const addressOf = (publicKey: string): string =>
  Buffer.from(consensusAddress(Buffer.from(publicKey, 'hex'), sha256))
    .toString('hex')
    .toUpperCase();
