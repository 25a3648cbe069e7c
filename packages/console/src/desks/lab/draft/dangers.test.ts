import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShownAccount } from '@symbolon/sdk/transactions/required-weights';
import type { JsonObject } from '@symbolon/wire/json/json';
import { transactionFromRecord } from '@symbolon/wire/ledger/transaction-json';
import { dangersOf } from './dangers.ts';

const account = (address: string, balance: number): [string, ShownAccount] => [
  address,
  {
    address,
    balance,
    priv: { master_weight: 1, thresholds: { tx_threshold: 1 } },
  } as unknown as ShownAccount,
];
const accounts = new Map([account('ada', 1_000)]);
const registries = { templates: 'templates', credentials: 'credentials' };

const dangers = (...operations: JsonObject[]) => {
  const made = transactionFromRecord({ source_address: 'ada', operations });
  assert.ok(!('error' in made));
  return dangersOf(made, accounts, registries);
};
const privilege = (body: JsonObject) => dangers({ type: 9, set_privilege: body });
const oren = { address: 'oren', weight: 1 };

test('an account that is given away is named, with who rules it then', () => {
  assert.deepEqual(privilege({ master_weight: '0', signers: [oren] }), [
    { kind: 'lost', address: 'ada', alone: ['oren'] },
  ]);
  assert.deepEqual(privilege({ signers: [{ address: 'oren', weight: 9 }], tx_threshold: '9' }), [
    { kind: 'shared', address: 'ada', alone: ['oren'] },
  ]);
  assert.deepEqual(privilege({ signers: [oren] }), [{ kind: 'joined', address: 'ada', alone: ['oren'] }]);
  assert.deepEqual(
    privilege({ signers: [oren], tx_threshold: '2', type_thresholds: [{ type: 7, threshold: 1 }] }),
    [{ kind: 'shared', address: 'ada', alone: ['oren'] }],
  );
});

test('others who can sign together are named, and what can never be signed again', () => {
  const bank = { address: 'bank', weight: 1 };
  assert.deepEqual(privilege({ master_weight: '2', tx_threshold: '2', signers: [oren, bank] }), [
    { kind: 'ruled', address: 'ada' },
  ]);
  assert.deepEqual(privilege({ type_thresholds: [{ type: 7, threshold: 9_000 }] }), [
    { kind: 'stuck', address: 'ada' },
  ]);
});

test('an account that nobody or everybody can sign for is named', () => {
  assert.deepEqual(privilege({ master_weight: '0' }), [{ kind: 'locked', address: 'ada' }]);
  assert.deepEqual(privilege({ tx_threshold: '0' }), [{ kind: 'open', address: 'ada' }]);
});

test('what changes nothing for the owner is no danger', () => {
  assert.deepEqual(privilege({ master_weight: '2' }), []);
  assert.deepEqual(
    privilege({ signers: [{ address: 'oren', weight: 1 }], master_weight: '2', tx_threshold: '2' }),
    [],
  );
  assert.deepEqual(dangers({ type: 7, pay_coin: { dest_address: 'oren', amount: 900 } }), []);
});

test('what was so before is no danger of this transaction', () => {
  const eve = { address: 'eve', weight: 1 };
  const ruled = new Map([
    [
      'ada',
      {
        address: 'ada',
        balance: 1_000,
        priv: { master_weight: 0, signers: [oren], thresholds: { tx_threshold: 1 } },
      } as unknown as ShownAccount,
    ],
  ]);
  const made = transactionFromRecord({
    source_address: 'ada',
    operations: [{ type: 9, set_privilege: { signers: [eve] } }],
  });
  assert.ok(!('error' in made));
  assert.deepEqual(dangersOf(made, ruled, registries), [{ kind: 'joined', address: 'ada', alone: ['eve'] }]);
});

test('a payment of nearly everything is named', () => {
  assert.deepEqual(dangers({ type: 7, pay_coin: { dest_address: 'oren', amount: 901 } }), [
    { kind: 'emptied', address: 'ada', paid: 901n, balance: 1_000n },
  ]);
});

test('what is said for good in the name of an account is named, also of one that the ledger does not have', () => {
  const revoke = { type: 7, pay_coin: { dest_address: 'credentials', input: '{"method":"revoke"}' } };
  assert.deepEqual(dangers(revoke), [{ kind: 'registry', address: 'ada', act: 'revoke' }]);
  assert.deepEqual(dangers({ ...revoke, source_address: 'nobody' }), [
    { kind: 'registry', address: 'nobody', act: 'revoke' },
  ]);
  assert.deepEqual(dangers({ type: 4, set_metadata: { key: 'did.log', value: '{}' } }), [
    { kind: 'didChange', address: 'ada' },
  ]);
});
