import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { int64Max, weightMax } from '../../limits/consensus.ts';
import { AccountSchema } from '../../proto/ledger_pb.ts';
import { createTestLedger } from '../testing/test-ledger.ts';
import { isAuthorized, thresholdOf, weightOf } from './authorize.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const { account, address } = createTestLedger({ sha256 });
const [alice, bob, carol, dave] = ['alice', 'bob', 'carol', 'dave'].map(address);

const shared = account('alice', 0n, {
  masterWeight: 3n,
  signers: [
    { address: bob, weight: 2n },
    { address: carol, weight: weightMax },
  ],
  thresholds: { txThreshold: 4n, typeThresholds: [{ type: 7, threshold: 2n }] },
});
const signedBy = (...addresses: string[]) => new Set(addresses);

describe('weights', () => {
  it('count the account’s own key and its signers, nobody else', () => {
    assert.equal(weightOf(shared, signedBy()), 0n);
    assert.equal(weightOf(shared, signedBy(alice)), 3n);
    assert.equal(weightOf(shared, signedBy(bob)), 2n);
    assert.equal(weightOf(shared, signedBy(dave)), 0n);
    assert.equal(weightOf(shared, signedBy(alice, bob, carol, dave)), 5n + weightMax);
  });

  it('a master weight of 0 leaves the signers', () => {
    const handedOver = account('alice', 0n, {
      masterWeight: 0n,
      signers: [{ address: bob, weight: 1n }],
      thresholds: { txThreshold: 1n },
    });
    assert.equal(isAuthorized(handedOver, signedBy(alice)), false);
    assert.equal(isAuthorized(handedOver, signedBy(bob)), true);
  });
});

describe('thresholds', () => {
  it('an operation type may have its own; everything else needs the transaction’s', () => {
    assert.equal(thresholdOf(shared), 4n);
    assert.equal(thresholdOf(shared, 7), 2n);
    assert.equal(thresholdOf(shared, 9), 4n);
  });

  it('a type threshold of 0 is none', () => {
    const thresholds = { txThreshold: 4n, typeThresholds: [{ type: 7, threshold: 0n }] };
    assert.equal(thresholdOf(account('alice', 0n, { thresholds }), 7), 4n);
  });

  it('are reached exactly or not at all', () => {
    assert.equal(isAuthorized(shared, signedBy(alice)), false);
    assert.equal(isAuthorized(shared, signedBy(alice, bob)), true);
    assert.equal(isAuthorized(shared, signedBy(bob)), false);
    assert.equal(isAuthorized(shared, signedBy(bob), 7), true);
    assert.equal(isAuthorized(shared, signedBy(dave), 7), false);
    assert.equal(isAuthorized(shared, signedBy(alice), 7), true);
  });

  it('of 0 ask for no signature; the largest is out of reach for one weight', () => {
    const open = account('alice', 0n, { masterWeight: 1n, thresholds: { txThreshold: 0n } });
    assert.equal(isAuthorized(open, signedBy()), true);
    const shut = account('alice', 0n, { masterWeight: weightMax, thresholds: { txThreshold: int64Max } });
    assert.equal(isAuthorized(shut, signedBy(alice)), false);
  });

  it('an account without privileges asks for nothing and has no weight', () => {
    const bare = create(AccountSchema, { address: alice });
    assert.equal(weightOf(bare, signedBy(alice)), 0n);
    assert.equal(thresholdOf(bare, 7), 0n);
  });
});

describe('another signature', () => {
  it('never takes authority away', () => {
    const names = ['alice', 'bob', 'carol', 'dave', 'erin'];
    const weight = fc.bigInt({ min: 0n, max: 5n });
    const arbitrary = fc.record({
      masterWeight: weight,
      weights: fc.array(weight, { maxLength: 4 }),
      threshold: fc.bigInt({ min: 0n, max: 12n }),
      signers: fc.subarray(names),
      further: fc.constantFrom(...names),
    });
    fc.assert(
      fc.property(arbitrary, ({ masterWeight, weights, threshold, signers, further }) => {
        const ours = account('alice', 0n, {
          masterWeight,
          signers: weights.map((each, index) => ({ address: address(names[index + 1]), weight: each })),
          thresholds: { txThreshold: threshold },
        });
        const before = isAuthorized(ours, signedBy(...signers.map(address)));
        const after = isAuthorized(ours, signedBy(...[...signers, further].map(address)));
        assert(after || !before);
      }),
    );
  });
});
