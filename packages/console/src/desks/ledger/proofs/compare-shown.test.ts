import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareShown, type ShownEntry } from './compare-shown.ts';
import type { ProvenEntry } from './proof-steps.ts';

const account = (balance: bigint, nonce = 1n, { control = 'own', contract = '' } = {}) =>
  ({ kind: 'account', balance, nonce, control, contract }) as const;
const compared = (
  proven: ProvenEntry | undefined,
  answered: ShownEntry,
  { shown = answered, isSameBlock = true }: { shown?: ShownEntry; isSameBlock?: boolean } = {},
) => compareShown({ proven, answered, shown, isSameBlock, isOutdated: false });

test('a node that answers otherwise than it proves for the same block contradicts itself', () => {
  assert.equal(compared(account(5n), account(5_000n)), 'differs');
  assert.equal(compared(account(5n), account(5n, 2n)), 'differs');
  assert.equal(compared(account(5n), account(5n, 1n, { control: 'own and another' })), 'differs');
  assert.equal(compared(account(5n), account(5n, 1n, { contract: 'other code' })), 'differs');
  assert.equal(compared(account(5n), undefined), 'differs');
  assert.equal(compared(undefined, account(5n)), 'differs');
  assert.equal(
    compared({ kind: 'metadata', value: 'a', version: 1n }, { kind: 'metadata', value: 'b' }),
    'differs',
  );
  // Also where the page still has the right one from before.
  assert.equal(compared(account(5n), account(9n), { shown: account(5n) }), 'differs');
});

test('what is shown is proven, or newer than the proof, or not to be compared', () => {
  assert.equal(compared(account(5n), account(5n)), 'same');
  assert.equal(compared(undefined, undefined), 'same');
  assert.equal(compared(account(5n), account(5n), { shown: account(6n) }), 'since');
  assert.equal(compared(account(5n), account(6n), { isSameBlock: false }), 'unclear');
  assert.equal(compared(account(5n), account(5n), { isSameBlock: false }), 'same');
});
