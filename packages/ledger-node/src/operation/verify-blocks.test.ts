/**
 * What verification demands of a block besides that its transactions lead to it: a proposer may have bent the rules.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { blockLimits, operationLimits } from '@symbolon/core/limits/consensus';
import { PbftProofSchema, PbftSchema } from '@symbolon/core/proto/ledger_pb';
import type { Chain } from '../chain/chain.ts';
import { verifyLedgerSignature } from '../signatures/ed25519.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { person, validatorPerson } from '../testing/people.ts';
import { openTestChain, type TestTransaction, testRules, verified } from '../testing/test-chain.ts';
import { verifyChain } from './verify-chain.ts';

const rules = testRules();
const pay = operation('payCoin', { destAddress: person('somebody').address, amount: 1n });
const pays = (count: number, from = 1): TestTransaction[] =>
  Array.from({ length: count }, (_, index) => ({ nonce: BigInt(from + index), operations: [pay] }));

/** A block that its validator signs, whatever its transactions and its time. */
async function close(chain: Chain, orders: readonly TestTransaction[], closeTime: bigint): Promise<void> {
  const prepared = await chain.prepare(orders.map(verified), closeTime);
  assert.equal(prepared.executed.transactions.length, orders.length);
  const { header } = prepared.closed;
  const pbft = create(PbftSchema, {
    commit: { sequence: header.seq, valueDigest: header.consensusValueHash },
  });
  const signData = validatorPerson.sign(toBinary(PbftSchema, pbft));
  const signature = { publicKey: validatorPerson.publicKey, signData };
  const proof = create(PbftProofSchema, { commits: [{ pbft, signature }] });
  await chain.commit(prepared, toBinary(PbftProofSchema, proof));
}

async function verifiedAfter(make: (chain: Chain) => Promise<void>) {
  const store = new MemoryStore();
  await make(await openTestChain(rules, store));
  return verifyChain({
    store,
    scratch: new MemoryStore(),
    rules,
    // What is asked here is not who signed.
    verify: async (key, signature, message) =>
      message.length > 400 || verifyLedgerSignature(key, signature, message),
  });
}

describe('a block that is signed and executed as it says', () => {
  test('holds when it closes after the one before', async () => {
    const done = await verifiedAfter(async (chain) => {
      await close(chain, pays(1), 1_000n);
      await close(chain, pays(1, 2), 1_001n);
    });
    assert.equal(done.blocks, 3n);
  });

  for (const [name, closeTime] of [
    ['at the same time as', 1_000n],
    ['before', 999n],
  ] as const) {
    test(`is refused when it closes ${name} the one before`, () =>
      assert.rejects(
        verifiedAfter(async (chain) => {
          await close(chain, pays(1), 1_000n);
          await close(chain, pays(1, 2), closeTime);
        }),
        /ChainDamaged: block 3 .*not after the block before it/,
      ));
  }

  test('is refused with more transactions than a block may have', () =>
    assert.rejects(
      verifiedAfter((chain) => close(chain, pays(blockLimits.transactionsMax + 1), 1_000n)),
      /ChainDamaged: block 2 .*it has 2001 transactions/,
    ));

  test('is refused with more bytes than a block may have', () => {
    const value = 'x'.repeat(operationLimits.metadataValueBytesMax);
    const count = Math.ceil(blockLimits.bytesMax / value.length);
    const orders = Array.from({ length: count }, (_, index) => ({
      nonce: BigInt(index + 1),
      operations: [operation('setMetadata', { key: 'k', value })],
    }));
    return assert.rejects(
      verifiedAfter((chain) => close(chain, orders, 1_000n)),
      /ChainDamaged: block 2 .*its transactions have \d+ bytes/,
    );
  });
});
