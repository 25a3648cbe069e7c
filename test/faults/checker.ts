/**
 * What has to hold of a network whatever has happened to it: one chain on all nodes, as many coins as ever, every
 * account's transactions in the order of their nonces, and every acknowledged payment exactly once. Looks at every block
 * since the last time, on every node, over what the nodes serve.
 */
import assert from 'node:assert/strict';
import { ledgerUrlOf, type NetworkNode } from '@symbolon/cli/network/network-file';
import { blockOnNodes, type SharedBlock } from '@symbolon/cli/network/observing';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { ask, at } from '../support/http.ts';
import type { AcknowledgedPayment } from './payments.ts';

export interface ComparedNode {
  readonly node: NetworkNode;
  /** Before this one it has no blocks: it began with a snapshot. */
  readonly first: number;
}

export interface CheckedNetwork {
  /** Those that are compared; all of them have the block up to which is checked. */
  readonly nodes: readonly ComparedNode[];
  readonly height: number;
  /** Everybody who has coins. */
  readonly owners: readonly string[];
  readonly supply: bigint;
  readonly acknowledged: readonly AcknowledgedPayment[];
}

/** How many blocks are asked for side by side. */
const blocksAtOnce = 8;
const triesMax = 15;

export class NetworkChecker {
  /** The block of every transaction that a chain has had, by hash: of the whole past. */
  readonly #blockOf = new Map<string, number>();
  readonly #nonces = new Map<string, number>();
  #checked = 1;

  /** Answers how many blocks were looked at. */
  async check({ nodes, height, owners, supply, acknowledged }: CheckedNetwork): Promise<number> {
    const first = this.#checked + 1;
    for (let block = first; block <= height; block += blocksAtOnce) {
      const numbers = Array.from(
        { length: Math.min(blocksAtOnce, height - block + 1) },
        (_, at) => block + at,
      );
      const found = await Promise.all(numbers.map((number) => sameBlock(havingBlock(nodes, number), number)));
      for (const [at, transactions] of found.entries()) this.#take(numbers[at] as number, transactions);
      // A check that fails further on is not what the next one fails with.
      this.#checked = block + numbers.length - 1;
    }
    for (const { hash, sender, nonce } of acknowledged)
      assert.ok(this.#blockOf.has(hash), `payment ${nonce} of ${sender} was acknowledged and is in no block`);
    for (const { node } of nodes) assert.equal(await coinsOf(node, owners), supply, `coins on ${node.name}`);
    return height - first + 1;
  }

  #take(block: number, transactions: readonly JsonObject[]): void {
    for (const record of transactions) {
      const hash = String(record.hash);
      assert.ok(!this.#blockOf.has(hash), `${hash} is in block ${this.#blockOf.get(hash)} and in ${block}`);
      this.#blockOf.set(hash, block);
      const source = String(at(record, 'transaction', 'source_address'));
      const nonce = Number(at(record, 'transaction', 'nonce'));
      const before = this.#nonces.get(source) ?? 0;
      assert.ok(nonce > before, `block ${block}: ${source} has nonce ${nonce} after ${before}`);
      this.#nonces.set(source, nonce);
    }
  }
}

function havingBlock(nodes: readonly ComparedNode[], seq: number): readonly NetworkNode[] {
  const having = nodes.filter(({ first }) => first <= seq).map(({ node }) => node);
  assert.ok(having.length > 1, `block ${seq} is on ${having.length} nodes and can be compared with none`);
  return having;
}

/** Whoever is too busy to answer is asked again: an operator's look at a node waits for two seconds. */
async function agreementOn(nodes: readonly NetworkNode[], seq: number): Promise<SharedBlock> {
  for (let tries = 1; ; tries++) {
    const agreed = await blockOnNodes(nodes, seq);
    if (agreed.nodes.length === nodes.length || tries === triesMax) return agreed;
  }
}

/** The transactions of a block that is the same on all nodes, for the ledger and for CometBFT. */
async function sameBlock(nodes: readonly NetworkNode[], seq: number): Promise<readonly JsonObject[]> {
  const [agreed, ...views] = await Promise.all([
    agreementOn(nodes, seq),
    ...nodes.map(async (node) => {
      const url = ledgerUrlOf(node);
      const header = at(await ask(url, 'getLedger', { seq }), 'result', 'header') as JsonObject | undefined;
      assert.ok(header, `${node.name} has no block ${seq}`);
      const history = await ask(url, 'getTransactionHistory', { ledger_seq: seq });
      const transactions = (at(history, 'result', 'transactions') ?? []) as JsonObject[];
      assert.equal(transactions.length, Number(at(history, 'result', 'total_count') ?? 0));
      return { name: node.name, text: stringifyJson({ header, transactions }), transactions };
    }),
  ]);
  assert.equal(
    agreed.nodes.length,
    nodes.length,
    `block ${seq} of CometBFT is not on all nodes: ${stringifyJson({ ...agreed } as never)}`,
  );
  assert.ok(
    agreed.isSame,
    `block ${seq} is not the same for CometBFT: ${stringifyJson({ ...agreed } as never)}`,
  );
  const [first, ...others] = views as [(typeof views)[number], ...typeof views];
  for (const other of others)
    assert.equal(other.text, first.text, `block ${seq} on ${other.name} and ${first.name}`);
  return first.transactions;
}

async function coinsOf(node: NetworkNode, owners: readonly string[]): Promise<bigint> {
  const balances = owners.map(async (address) => {
    const reply = await ask(ledgerUrlOf(node), 'getAccountBase', { address });
    return BigInt(String(at(reply, 'result', 'balance') ?? 0));
  });
  return (await Promise.all(balances)).reduce((sum, balance) => sum + balance, 0n);
}
