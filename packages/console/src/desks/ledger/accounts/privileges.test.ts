import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlOf } from './privileges.ts';

const address = 'alice';

test('a plain account is signed for by its own key', () => {
  const priv = { master_weight: 1, thresholds: { tx_threshold: 1 } };
  assert.equal(controlOf({ address, priv }).kind, 'ownKey');
});

test('a contract, and an account whose weights do not reach the threshold, are signed for by nobody', () => {
  assert.equal(
    controlOf({ address, priv: { master_weight: 0, thresholds: { tx_threshold: 1 } } }).kind,
    'nobody',
  );
  const priv = {
    master_weight: 1,
    signers: [{ address: 'bob', weight: 1 }],
    thresholds: { tx_threshold: 3 },
  };
  assert.equal(controlOf({ address, priv }).kind, 'nobody');
});

test('several sign together, each with its weight', () => {
  const priv = {
    master_weight: 2,
    signers: [{ address: 'bob', weight: 1 }, null],
    thresholds: { tx_threshold: 3, type_thresholds: [{ type: 7, threshold: 2 }] },
  };
  assert.deepEqual(controlOf({ address, priv }), {
    kind: 'shared',
    needed: 3n,
    signers: [
      { address: 'alice', weight: 2n },
      { address: 'bob', weight: 1n },
    ],
    types: [{ type: 7, needed: 2n }],
  });
});
