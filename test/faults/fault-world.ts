/** Four validators with relays between them, payments under way, and what scenarios do to them. */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { cometHomeOf, ledgerFolderOf, nodeOf } from '@symbolon/cli/network/network-file';
import { pidOf, processParts } from '@symbolon/cli/network/processes';
import { consensusAddress } from '@symbolon/core/ledger/terms/validators';
import { sha256 } from '@symbolon/host/work/sha256';
import { type JsonObject, parseJson } from '@symbolon/wire/json/json';
import { ask, at, post } from '../support/http.ts';
import { type RunningNetwork, startNetwork } from '../support/networks.ts';
import type { Owner } from '../support/owner.ts';
import { hashOf, operations, signTransaction } from '../support/running-node.ts';
import { until } from '../support/until.ts';
import { NetworkChecker } from './checker.ts';
import { Payments, payee, payer } from './payments.ts';
import { PeerRelays } from './peer-relays.ts';

/** The validators that every scenario begins and ends with. */
export const founders: readonly number[] = [1, 2, 3, 4];
const payersCount = 6;
const payers = Array.from({ length: payersCount }, (_, index) => payer(index));
const supply = 100_000_000_000_000_000n;

export class FaultWorld {
  readonly network: RunningNetwork;
  readonly relays: PeerRelays;
  readonly payments: Payments;
  readonly #checker = new NetworkChecker();

  private constructor(network: RunningNetwork, relays: PeerRelays) {
    this.network = network;
    this.relays = relays;
    this.payments = new Payments(() => Promise.all(founders.map((node) => network.url(node))), payers);
  }

  static async start(owner: Owner): Promise<FaultWorld> {
    let relays: PeerRelays | undefined;
    const network = await startNetwork(owner, {
      beforeUp: async (facts) => {
        relays = await PeerRelays.between(owner, facts);
      },
    });
    const world = new FaultWorld(network, relays as PeerRelays);
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
    const facts = await this.network.facts();
    const { council, genesisAddress, nodes } = facts;
    const people = [...payers, payee].map(({ address }) => address);
    const blocks = await this.#checker.check({
      nodes: founders.map((node) => nodeOf(facts, node)),
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

  /** Who is to propose now, by the word of node 1. */
  async proposer(): Promise<number> {
    const { nodes } = await this.network.facts();
    const response = await fetch(`http://127.0.0.1:${nodes[0]?.ports.rpc}/consensus_state`);
    const state = parseJson(await response.text()) as JsonObject;
    const address = String(at(state, 'result', 'round_state', 'proposer', 'address'));
    const found = nodes.findIndex(({ publicKey }) => addressOf(publicKey) === address);
    return found === -1 ? 1 : found + 1;
  }

  /** Everything of a stopped node is gone but who it is, and what it has signed: that must never be lost. */
  async wipe(node: number): Promise<void> {
    const facts = await this.network.facts();
    const ledger = ledgerFolderOf(facts, nodeOf(facts, node));
    const data = path.join(cometHomeOf(facts, nodeOf(facts, node)), 'data');
    removeBut(ledger, ['genesis.json', 'node.json']);
    removeBut(data, ['priv_validator_state.json']);
  }

  /** Blocks with all founders, each as far as the others. */
  goOn = (blocks: number, nodes: readonly number[] = founders): Promise<number> =>
    this.network.goOn(blocks, nodes);
}

function removeBut(folder: string, kept: readonly string[]): void {
  for (const name of readdirSync(folder))
    if (!kept.includes(name)) rmSync(path.join(folder, name), { recursive: true });
}

const addressOf = (publicKey: string): string =>
  Buffer.from(consensusAddress(Buffer.from(publicKey, 'hex'), sha256))
    .toString('hex')
    .toUpperCase();
