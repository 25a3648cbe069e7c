/**
 * A chain of random contract calls, the same for the same seed: a token, a bank that calls the token, a worker that
 * computes, and one that breaks every rule it can. Half of the inputs are wrong. What comes out is boiled down to
 * one line a block, so that two ways of executing can be compared.
 */
import { hash } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { VerifiedTransaction } from '@symbolon/core/ledger/execution/apply-transaction';
import { contractCode } from '@symbolon/core/ledger/testing/contract-ledger';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { PbftProofSchema, PbftSchema, TransactionEnvStoreSchema } from '@symbolon/core/proto/ledger_pb';
import type { Chain, CommittedBlock, PreparedBlock } from '@symbolon/ledger-node/chain/chain';
import { keyFormat, person, richest, validatorPerson } from '@symbolon/ledger-node/testing/people';
import { type TestTransaction, verified } from '@symbolon/ledger-node/testing/test-chain';
import { createRandom, type Random } from '../crash/seeded-random.ts';

export const callsMax = 10_000;
const callsPerBlock = 200;

/** What a block came to: enough to see any difference, small enough to send. */
export interface BlockSummary {
  readonly hash: string;
  readonly root: string;
  readonly records: string;
  /** Gas of the contracts of every transaction, in order. */
  readonly gas: readonly string[];
}

const token = contractCode({
  top: `function balance(address) { const found = Chain.load("b/" + address); return found === false ? "0" : found; }`,
  init: 'Chain.store("b/" + Chain.msg.sender, "1000000"); return true;',
  main: `const order = JSON.parse(input);
    const from = balance(Chain.msg.sender);
    Utils.assert(Utils.stoI64Check(order.value) && Utils.int64Compare(order.value, "0") > 0, "value");
    Utils.assert(Utils.addressCheck(order.to), "to");
    if (order.method === "mint") {
      Chain.store("b/" + order.to, Utils.int64Add(balance(order.to), order.value));
      return balance(order.to);
    }
    Utils.assert(Utils.int64Compare(from, order.value) >= 0, "balance of " + from);
    Chain.store("b/" + Chain.msg.sender, Utils.int64Sub(from, order.value));
    Chain.store("b/" + order.to, Utils.int64Add(balance(order.to), order.value));
    Chain.tlog("transfer", Chain.msg.sender, order.to, order.value);
    return true;`,
  query: 'return balance(input);',
});

const bank = (tokenAddress: string, library: string) =>
  contractCode({
    main: `const order = JSON.parse(input);
      const before = Chain.contractQuery("${tokenAddress}", Chain.thisAddress);
      if (order.method === "back") { Chain.payCoin(Chain.msg.sender, order.value, "", "back"); return true; }
      if (order.method === "borrow") { return Chain.delegateCall("${library}", input); }
      const answer = Chain.contractCall("${tokenAddress}", true, "0", input);
      Chain.store("last", String(answer) + "/" + before.result + "/" + Chain.block.number);
      Chain.tlog("bank", typeof answer, before.error === true);
      return answer;`,
  });

const worker = contractCode({
  top: `function down(n) { return n < 1 ? 0 : down(n - 1) + 1; }`,
  main: `const order = JSON.parse(input);
    let text = "";
    let i = 0;
    const kept = new Map();
    const turns = order.turns;
    while (i < turns) { i += 1; text += String(i * 7919 % 1000) + ","; kept.set(text.length, i); }
    const sorted = text.split(",").sort();
    const found = text.replace(/(\\d)\\1/g, "<$1>").length;
    const hash = Utils.sha256(text, 1);
    const wide = Utils.int256Pow("3", String(turns));
    Chain.store("w" + turns % 10, JSON.stringify([sorted[0], found, kept.size, down(turns), hash, wide, Chain.getBlockHash(1)]));
    return hash;`,
  query: 'return input;',
});

const chaos = contractCode({
  top: 'function down(n) { return down(n + 1) + 1; }',
  main: `const order = JSON.parse(input);
    Chain.store("chaos", input);
    switch (order.method) {
    case "throw": throw new RangeError(order.value);
    case "text": throw order.value;
    case "deep": return down(0);
    case "endless": while (true) { order.value += ""; }
    case "large": return "x".repeat(order.turns * 1000000).length > 0;
    case "many": while (order.turns > 0) { order.turns -= 1; Chain.tlog("t", order.turns); } return true;
    case "wrong": Chain.store(order.turns, order.value); return true;
    case "pay": Chain.payCoin(order.to, order.value); return true;
    case "issue": Chain.issueAsset(order.value, String(order.turns)); return true;
    case "make": return Chain.contractCreate("0", 0, "\\"use strict\\"; function init(i) { Chain.store(\\"i\\", i); return i; }", order.value);
    case "del": Chain.del(order.value); return true;
    default: return order.nothing.at.all;
    }`,
  query: 'while (true) { input += ""; }',
});

const people = Array.from({ length: 20 }, (_, index) => person(`caller ${index}`));
const contractAt = (index: number) => keyFormat.addressOfText(`${richest.address}-1-${index}`);

/** The first block: people with Gas, and the contracts. */
function setUp(): TestTransaction[] {
  const made = (payload: string, initBalance = 0n) =>
    operation('createAccount', {
      contract: { payload },
      priv: { thresholds: { txThreshold: 1n } },
      initBalance,
    });
  const contracts = [
    made(token),
    made(bank(contractAt(0), contractAt(2)), 10n ** 9n),
    made(worker),
    made(chaos, 10n ** 6n),
  ];
  const funded = people.map(({ address }) =>
    operation('payCoin', { destAddress: address, amount: 10n ** 14n }),
  );
  return [{ nonce: 1n, feeLimit: 10n ** 9n, operations: [...contracts, ...funded] }];
}

const amounts = ['1', '5', '100', '0', '-1', '01', 'many', '9223372036854775807', '', '1000000'];

function randomInput(random: Random, contract: number): string {
  const to = random.chance(0.8)
    ? random.pick(people).address
    : random.pick(['nobody', '', contractAt(0), '😀']);
  const value = random.pick(amounts);
  if (random.chance(0.05)) return random.pick(['', 'not JSON', '{}', '[]', 'null', '{"method":']);
  if (contract === 0)
    return JSON.stringify({ method: random.pick(['mint', 'transfer', 'transfer']), to, value });
  if (contract === 1) {
    const method = random.pick(['mint', 'transfer', 'back', 'borrow', 'mint']);
    return JSON.stringify({ method, to, value, turns: random.below(40) });
  }
  if (contract === 2)
    return JSON.stringify({ turns: random.chance(0.9) ? random.below(60) : random.pick([-1, 1.5, 300]) });
  // What takes long comes seldom: this is not about speed.
  const seldom = random.chance(0.02);
  const method = seldom
    ? random.pick(['endless', 'many', 'large', 'deep'])
    : random.pick(['throw', 'text', 'wrong', 'pay', 'issue', 'make', 'del', 'other', 'deep']);
  return JSON.stringify({
    method,
    to,
    value: random.pick([...amounts, 'chaos']),
    turns: seldom ? random.pick([1, 40, 513]) : random.below(5),
  });
}

/** All blocks: the set-up first, then the calls. Not signed yet, because that takes longer than making them up. */
export function randomBlocks(seed: number, calls = callsMax): TestTransaction[][] {
  const random = createRandom(seed);
  const nonces = new Map<string, bigint>();
  const blocks = [setUp()];
  for (let made = 0; made < calls; made += callsPerBlock) {
    const block: TestTransaction[] = [];
    while (block.length < Math.min(callsPerBlock, calls - made)) {
      const source = random.pick(people);
      const nonce = (nonces.get(source.address) ?? 0n) + 1n;
      nonces.set(source.address, nonce);
      const contract = random.pick([0, 0, 0, 1, 1, 2, 3]);
      const input = randomInput(random, contract);
      const amount = BigInt(random.pick([0, 0, 0, 1, 1000]));
      const feeLimit = random.chance(0.97) ? 20_000_000n : 1_000n;
      const pay = operation('payCoin', { destAddress: contractAt(contract), amount, input });
      block.push({ source, nonce, feeLimit, operations: [pay] });
    }
    blocks.push(block);
  }
  return blocks;
}

export const signBlock = (orders: readonly TestTransaction[]): VerifiedTransaction[] => orders.map(verified);

/** A block with the proof that a validator gives. */
export async function addProvenBlock(
  chain: Chain,
  transactions: readonly VerifiedTransaction[],
): Promise<BlockSummary> {
  const prepared = await chain.prepare(transactions, chain.head.closeTime + 1_000_000n);
  return summarize(await chain.commit(prepared, proofOf(prepared)));
}

function proofOf({ closed: { header } }: PreparedBlock): Uint8Array {
  const pbft = create(PbftSchema, {
    roundNumber: 1n,
    type: 2,
    commit: { sequence: header.seq, valueDigest: header.consensusValueHash },
    chainId: header.chainId,
  });
  const signature = {
    publicKey: validatorPerson.publicKey,
    signData: validatorPerson.sign(toBinary(PbftSchema, pbft)),
  };
  return toBinary(PbftProofSchema, create(PbftProofSchema, { commits: [{ pbft, signature }] }));
}

function summarize({ header, executed }: CommittedBlock): BlockSummary {
  const bytes = executed.records.map((record) => toBinary(TransactionEnvStoreSchema, record));
  return {
    hash: encodeHex(header.hash),
    root: encodeHex(header.accountTreeHash),
    records: hash('sha256', Buffer.concat(bytes), 'hex'),
    gas: executed.transactions.map(({ outcome }) => String(outcome.contractGas)),
  };
}
