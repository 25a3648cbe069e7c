/** The chain of a network: who validates when, what is kept of it, and that it comes out the same again. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toBinary } from '@bufbuild/protobuf';
import { BrokenInvariant } from '@symbolon/core/basics/assert';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { stateKeys } from '@symbolon/core/ledger/terms/state';
import { sortValidators, type ValidatorEntry, validatorSetOf } from '@symbolon/core/ledger/terms/validators';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { LedgerHeaderSchema, type MetadataEntry, type ValidatorSet } from '@symbolon/core/proto/ledger_pb';
import { MemoryStore } from '../testing/memory-store.ts';
import { person, richest } from '../testing/people.ts';
import { openTestChain, testRules, verified } from '../testing/test-chain.ts';
import {
  addNetworkBlock,
  evidenceOf,
  networkRules,
  setsValidators,
  validatorEntry,
} from '../testing/test-network.ts';
import type { Chain } from './chain.ts';
import { readBlock, readValidators } from './chain-reader.ts';

const rules = networkRules({ ann: 3, ben: 2, cat: 1 });
const people = ['ann', 'ben', 'cat', 'dan', 'eve'];
const first = sortValidators([validatorEntry('ann', 3), validatorEntry('ben', 2), validatorEntry('cat', 1)]);
const pay = (nonce: bigint) =>
  verified({
    nonce,
    operations: [operation('payCoin', { destAddress: person('somebody').address, amount: 5n })],
  });
const powersOf = ({ validators }: ValidatorSet) =>
  Object.fromEntries(validators.map((it) => [encodeHex(it.publicKey), it.pledgeCoinAmount]));
const storedEntry = (chain: Chain) =>
  chain.state.read(stateKeys.metadata(richest.address, 'validators')) as MetadataEntry;
const bytesOf = (chain: Chain) => encodeHex(toBinary(LedgerHeaderSchema, chain.head));

describe('the chain of a network', () => {
  test('begins with the council’s account and the genesis document’s validators', async () => {
    const chain = await openTestChain(rules);
    assert.equal(chain.accountCount, 1n);
    const council = person('council').address;
    const apart = await openTestChain(networkRules({}, { network: { council, validators: first } }));
    assert.equal(apart.accountCount, 2n);
    assert.equal(apart.state.account(council)?.balance, 0n);
    assert.deepEqual(chain.validators, validatorSetOf(first));
    assert.equal(storedEntry(chain).version, 1n);
    const same = networkRules({ cat: 1, ann: 3, ben: 2 });
    assert.equal(bytesOf(await openTestChain(same)), bytesOf(chain));
  });

  test('is another one with other powers, another council or none', async () => {
    const heads = new Set<string>();
    const validators = first;
    for (const other of [
      rules,
      networkRules({ ann: 3, ben: 2, cat: 2 }),
      networkRules({ ann: 3, ben: 2 }),
      networkRules({}, { network: { council: person('ann').address, validators } }),
      testRules({ validators: first.map(({ payTo }) => payTo) }),
    ])
      heads.add(bytesOf(await openTestChain(other)));
    assert.equal(heads.size, 5);
  });

  test('lets a change act two blocks later, and keeps every set that a header names', async () => {
    const store = new MemoryStore();
    const chain = await openTestChain(rules, store);
    const changed = sortValidators([...first.slice(1), validatorEntry('dan', 4)]);
    const { prepared } = await addNetworkBlock(chain, [setsValidators(changed, { nonce: 1n })]);
    assert.equal(prepared.validatorUpdates.length, 2);
    assert.deepEqual(chain.validators, validatorSetOf(first), 'block 3 is signed by the first ones');
    await addNetworkBlock(chain);
    assert.deepEqual(chain.validators, validatorSetOf(changed), 'block 4 is signed by the new ones');
    await addNetworkBlock(chain);
    for (const [seq, expected] of [first, first, changed, changed].entries()) {
      const { header } = readBlock(chain.rows, BigInt(seq + 1));
      assert.deepEqual(
        readValidators(chain.rows, header)?.validators.map((it) => it.address),
        validatorSetOf(expected).validators.map((it) => it.address),
      );
    }
    const again = await openTestChain(rules, store);
    assert.deepEqual(powersOf(again.validators), powersOf(validatorSetOf(changed)));
  });

  test('pays the proposer, records who that was, and has no proof inside', async () => {
    const chain = await openTestChain(rules);
    const proposer = person('cat').address;
    const { committed } = await addNetworkBlock(chain, [pay(1n)], { proposer });
    const fee = committed.executed.transactions[0].outcome.actualFee;
    assert.equal(chain.state.account(proposer)?.balance, fee);
    const { consensusValue, proof } = readBlock(chain.rows, 2n);
    assert.deepEqual([consensusValue?.proposer, proof.length], [proposer, 0]);
    await assert.rejects(chain.commit(await prepared(chain), Uint8Array.of(1)), BrokenInvariant);
  });

  test('cannot have a block without a proposer', async () => {
    const chain = await openTestChain(rules);
    await assert.rejects(chain.prepare([], 1_000n), BrokenInvariant);
  });

  test('keeps who misbehaved, and jails', async () => {
    const chain = await openTestChain(rules);
    const misbehavior = [evidenceOf(first[0], 1n)];
    const { prepared: block } = await addNetworkBlock(chain, [], { misbehavior });
    assert.deepEqual(
      block.validatorUpdates.map((it) => it.power),
      [0n],
    );
    assert.equal(readBlock(chain.rows, 2n).consensusValue?.misbehavior.length, 1);
    await addNetworkBlock(chain);
    assert.deepEqual(powersOf(chain.validators), powersOf(validatorSetOf(first.slice(1))));
  });
});

describe('what validators said of a block', () => {
  test('is noted afterwards and is in no hash', async () => {
    const store = new MemoryStore();
    const chain = await openTestChain(rules, store);
    await addNetworkBlock(chain);
    const before = bytesOf(chain);
    assert.equal(chain.readCommit(2n), undefined);
    await chain.noteCommit(2n, Uint8Array.of(1, 2));
    assert.deepEqual(chain.readCommit(2n), Uint8Array.of(1, 2));
    await chain.noteCommit(2n, Uint8Array.of(3));
    assert.deepEqual(chain.readCommit(2n), Uint8Array.of(3));
    await addNetworkBlock(chain);
    const plain = await openTestChain(rules);
    await addNetworkBlock(plain);
    assert.equal(bytesOf(plain), before);
    const again = await openTestChain(rules, store);
    assert.equal(again.head.seq, 3n);
    assert.deepEqual(again.readCommit(2n), Uint8Array.of(3));
  });

  test('is of a block that is there, and not of the first', async () => {
    const chain = await openTestChain(rules);
    await addNetworkBlock(chain);
    for (const seq of [-1n, 0n, 1n, 3n]) {
      await assert.rejects(chain.noteCommit(seq, Uint8Array.of(1)), BrokenInvariant);
      assert.equal(chain.readCommit(seq), undefined);
    }
  });
});

/** CometBFT, as far as it keeps sets of validators: what block H changes acts at H + 2. */
class CometSets {
  readonly #sets = new Map<bigint, Map<string, bigint>>();

  constructor(genesis: ValidatorSet) {
    const set = new Map(Object.entries(powersOf(genesis)));
    this.#sets.set(2n, set);
    this.#sets.set(3n, set);
  }

  at(height: bigint): Record<string, bigint> {
    return Object.fromEntries(this.#sets.get(height) ?? []);
  }

  finalized(height: bigint, updates: readonly { publicKey: Uint8Array; power: bigint }[]): void {
    const next = new Map(this.#sets.get(height + 1n));
    for (const { publicKey, power } of updates) {
      const key = encodeHex(publicKey);
      if (power > 0n) next.set(key, power);
      else assert(next.delete(key), 'CometBFT stops when somebody leaves who is not there');
    }
    assert(next.size > 0, 'CometBFT stops when nobody is left');
    this.#sets.set(height + 2n, next);
  }
}

/** Numbers that are made up, the same ones in every run. */
function* madeUp(seed: number): Generator<number, never> {
  for (let value = seed; ; value = (value * 48_271) % 2_147_483_647) yield value;
}

describe('CometBFT and the chain', () => {
  for (const seed of [1, 2, 3]) {
    test(`agree on who signs which block, whatever the council does and whoever misbehaves (${seed})`, async () => {
      const chain = await openTestChain(rules);
      const comet = new CometSets(chain.validators);
      const numbers = madeUp(seed);
      const pick = (below: number) => numbers.next().value % below;
      const anyEntries = (): ValidatorEntry[] => {
        const some = people.filter(() => pick(2) === 0);
        return sortValidators(
          (some.length > 0 ? some : ['ann']).map((name) => validatorEntry(name, 1 + pick(5))),
        );
      };
      let nonce = 0n;
      for (let block = 0; block < 40; block++) {
        assert.deepEqual(powersOf(chain.validators), comet.at(chain.head.seq + 1n));
        const transactions = pick(2) ? [setsValidators(anyEntries(), { nonce: nonce + 1n })] : [];
        const accused = people.filter(() => pick(4) === 0).map((name) => validatorEntry(name, 1));
        const misbehavior = accused.map((entry) => evidenceOf(entry, chain.head.seq));
        const { committed, prepared: made } = await addNetworkBlock(chain, transactions, { misbehavior });
        nonce += BigInt(committed.executed.transactions.length);
        comet.finalized(committed.header.seq, made.validatorUpdates);
      }
      assert(nonce > 5n);
    });
  }
});

async function prepared(chain: Chain) {
  const proposer = chain.validators.validators[0].address;
  return chain.prepare([], chain.head.closeTime + 1n, { proposer });
}
