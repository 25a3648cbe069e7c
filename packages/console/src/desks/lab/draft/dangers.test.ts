import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShownAccount } from '@symbolon/sdk/transactions/required-weights';
import type { JsonObject } from '@symbolon/wire/json/json';
import { transactionFromRecord } from '@symbolon/wire/ledger/transaction-json';
import { loadAllWords } from '../../../words/catalogue.ts';
import { dangerText } from './danger-text.ts';
import { dangersOf } from './dangers.ts';
import { keyOfHolding } from './holdings.ts';

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

const gold = { kind: 'asset', issuer: 'mint', code: 'GOLD' } as const;
const coffee = { kind: 'token', contract: 'coffee' } as const;
const balances = new Map([
  [keyOfHolding('ada', gold), 100n],
  [keyOfHolding('ada', coffee), 100n],
]);

const dangers = (...operations: JsonObject[]) => {
  const made = transactionFromRecord({ source_address: 'ada', operations });
  assert.ok(!('error' in made));
  return dangersOf(made, accounts, registries, balances);
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
  assert.deepEqual(dangersOf(made, ruled, registries, balances), [
    { kind: 'joined', address: 'ada', alone: ['eve'] },
  ]);
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

const payGold = (amount: number, to = 'oren') => ({
  type: 3,
  pay_asset: { dest_address: to, asset: { key: { issuer: 'mint', code: 'GOLD' }, amount } },
});
const tell = (method: string, params: JsonObject, contract = 'coffee') => ({
  type: 7,
  pay_coin: { dest_address: contract, amount: 0, input: JSON.stringify({ method, params }) },
});
const transfer = (value: string, to = 'oren') => tell('transfer', { to, value });
const approve = (value: string, spender = 'oren') => tell('approve', { spender, value });

const taken = { kind: 'tokensTaken', address: 'ada', balance: 100n, paid: [], allowed: [] };
const share = (address: string, amount: bigint) => ({ address, amount });

test('nearly all of an asset or a token is named when it is handed over, in however many operations', () => {
  assert.deepEqual(dangers(payGold(90)), []);
  assert.deepEqual(dangers(payGold(60), payGold(40)), [
    { ...taken, holding: gold, paid: [share('oren', 100n)] },
  ]);
  assert.deepEqual(dangers(transfer('50')), []);
  assert.deepEqual(dangers(transfer('50'), transfer('41', 'eve')), [
    { ...taken, holding: coffee, paid: [share('oren', 50n), share('eve', 41n)] },
  ]);
  assert.deepEqual(dangers(transfer('100', 'ada'), payGold(100, 'ada')), [], 'to oneself');
});

test('who may take nearly all of a token afterwards is named', () => {
  const allowed = { ...taken, holding: coffee };
  assert.deepEqual(dangers(approve('9223372036854775807')), [
    { ...allowed, allowed: [share('oren', 9_223_372_036_854_775_807n)] },
  ]);
  assert.deepEqual(dangers(approve('45'), transfer('50', 'bank')), [
    { ...allowed, paid: [share('bank', 50n)], allowed: [share('oren', 45n)] },
  ]);
  assert.deepEqual(dangers(approve('50')), []);
  assert.deepEqual(dangers(approve('100'), approve('0')), [], 'taken back');
});

test('a text with characters that nobody sees, and a note that is no text, are named', () => {
  const input = '{"x":"\u202e\u200b","method":"stay"}';
  const call = { type: 7, pay_coin: { dest_address: 'shop', input } };
  assert.deepEqual(dangers(call), [{ kind: 'unseenText', address: 'ada', codes: ['U+202E', 'U+200B'] }]);
  const log = { type: 8, log: { topic: 'code', datas: ['if (a)\n\treturn b;'] } };
  assert.deepEqual(dangers(log), [], 'layout of code is seen');
  assert.deepEqual(dangers({ ...log, metadata: Buffer.from('pay\u2066me').toString('hex') }), [
    { kind: 'unseenText', address: 'ada', codes: ['U+2066'] },
  ]);
  assert.deepEqual(dangers({ ...log, metadata: 'ff00' }), [
    { kind: 'noteBytes', address: 'ada', hex: 'ff00' },
  ]);
});

test('what nobody can compare with what there is is named, too', () => {
  const unknown = { kind: 'tokensUnknown', address: 'ada' };
  assert.deepEqual(dangers(approve('many')), [{ ...unknown, holding: coffee }]);
  assert.deepEqual(dangers(tell('transfer', { to: 'oren', value: '1' }, 'tea')), [
    { ...unknown, holding: { kind: 'token', contract: 'tea' } },
  ]);
});

test('tokens are told as they are written, and what strangers call them in quotation marks', async () => {
  const { lab } = await loadAllWords('en');
  const told = (...operations: JsonObject[]) =>
    dangers(...operations).map((danger) =>
      dangerText(danger, {
        dangers: lab.dangers,
        language: 'en',
        nameOf: (address) => address,
        token: (contract) => (contract === 'coffee' ? { symbol: 'CUP', decimals: 1 } : undefined),
      }),
    );
  assert.deepEqual(told(payGold(100)), ['ada pays 100 “GOLD” of 100 “GOLD” to oren.']);
  assert.deepEqual(told(approve('1000')), ['Afterwards oren may take 100 “CUP” from ada, who has 10 “CUP”.']);
  assert.deepEqual(told(approve('45'), transfer('50', 'bank')), [
    'Of 10 “CUP” that ada has, bank gets 5 “CUP”, oren may take 4.5 “CUP” afterwards: 9.5 “CUP” in all.',
  ]);
});
