import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { dayOf } from '../basics/calendar.ts';
import { operationNames, operationTypes } from '../ledger/terms/operation-types.ts';
import { int64Max } from '../limits/consensus.ts';
import { TransactionSchema } from '../proto/ledger_pb.ts';
import {
  type CustodyPolicy,
  type CustodyUse,
  countUse,
  defaultPolicy,
  isOperationName,
  isRefused,
  judgeMessage,
  judgeTransaction,
  noUse,
} from './custody-policy.ts';

const address = 'own';
const nowMs = 1_800_000_000_000;
type Draft = MessageInitShape<typeof TransactionSchema>;

const pay = (amount: bigint) => ({ type: operationTypes.payCoin, payCoin: { destAddress: 'other', amount } });
const judge = (draft: Draft, policy: Partial<CustodyPolicy> = {}, isApproved = false) =>
  judgeTransaction(create(TransactionSchema, { sourceAddress: address, ...draft }), {
    address,
    policy: { ...defaultPolicy, ...policy },
    nowMs,
    isApproved,
  });
const whyNot = (draft: Draft, policy: Partial<CustodyPolicy> = {}): string => {
  const verdict = judge(draft, policy);
  return isRefused(verdict) ? verdict.why : assert.fail('it is allowed');
};

describe('a transaction of an account in custody', () => {
  test('costs what it pays and its fee limit', () => {
    const create_ = {
      type: operationTypes.createAccount,
      createAccount: { destAddress: 'x', initBalance: 7n },
    };
    assert.deepEqual(judge({ operations: [pay(5n), create_, pay(0n)], feeLimit: 100n }), {
      kind: 'allowed',
      amount: 112n,
      assets: new Map(),
    });
  });

  test('is of that account in every part', () => {
    assert.match(whyNot({ sourceAddress: 'another', operations: [pay(1n)] }), /not of this account/);
    assert.match(whyNot({ sourceAddress: '', operations: [pay(1n)] }), /not of this account/);
    const acting = { ...pay(1n), sourceAddress: 'another' };
    assert.match(whyNot({ operations: [pay(1n), acting] }), /operation 1: it acts for another account/);
    assert.equal(judge({ operations: [{ ...pay(1n), sourceAddress: address }] }).kind, 'allowed');
  });

  test('has operations that are known, allowed and nothing else besides', () => {
    assert.match(whyNot({ operations: [] }), /no operation/);
    assert.match(whyNot({ operations: [{ type: 5 }] }), /type 5 is unknown/);
    assert.match(whyNot({ operations: [{ type: 7 }] }), /not that of payCoin/);
    assert.match(whyNot({ operations: [{ ...pay(1n), type: 8 }] }), /not that of log/);
    assert.match(whyNot({ operations: [{ ...pay(1n), setPrivilege: {} }] }), /payCoin alone/);
    assert.match(whyNot({ operations: [{ ...pay(1n), setThreshold: {} }] }), /payCoin alone/);
    assert.match(whyNot({ operations: [{ type: 9, setPrivilege: {} }] }), /setPrivilege is not allowed/);
    assert.match(whyNot({ operations: [pay(1n)] }, { operations: ['log'] }), /payCoin is not allowed/);
  });

  test('takes an account over only with an approval besides the password', () => {
    for (const [name, type] of [
      ['setPrivilege', 9],
      ['upgradeContract', 10],
    ] as const) {
      const draft = { operations: [pay(1n), { type, [name]: {} }] };
      const policy = { operations: ['payCoin', name] as const };
      assert.match(whyNot(draft, policy), new RegExp(`operation 1: ${name} needs an approval`));
      assert.equal(judge(draft, policy, true).kind, 'allowed');
      assert.equal(judge(draft, {}, true).kind, 'forbidden', 'an approval does not replace the policy');
    }
  });

  test('takes an approval to change the identifier of the account, and none for other metadata', () => {
    const metadata = (key: string) => ({
      operations: [{ type: operationTypes.setMetadata, setMetadata: { key, value: 'x' } }],
    });
    assert.match(whyNot(metadata('did.log')), /operation 0: setMetadata of did\.log needs an approval/);
    assert.equal(judge(metadata('did.log'), {}, true).kind, 'allowed');
    assert.equal(judge(metadata('did.logs')).kind, 'allowed');
  });

  test('spends no amount that is negative or beyond all money', () => {
    assert.match(whyNot({ operations: [pay(-1n)] }), /negative/);
    assert.match(whyNot({ operations: [pay(1n)], feeLimit: -1n }), /negative/);
    assert.match(whyNot({ operations: [pay(int64Max), pay(1n)] }), /more than there can be/);
  });

  test('is refused from the moment on that the owner named', () => {
    const operations = [pay(1n)];
    assert.equal(judge({ operations }, { until: nowMs + 1 }).kind, 'allowed');
    assert.match(whyNot({ operations }, { until: nowMs }), /over/);
  });
});

test('messages are signed where the owner lets them', () => {
  assert.deepEqual(judgeMessage(defaultPolicy, nowMs), {
    kind: 'allowed',
    amount: 0n,
    assets: new Map(),
  });
  assert.equal(judgeMessage({ ...defaultPolicy, messages: false }, nowMs).kind, 'forbidden');
  assert.equal(judgeMessage({ ...defaultPolicy, until: 0 }, nowMs).kind, 'forbidden');
});

test('what takes an account over is not allowed unless the owner says so', () => {
  assert.ok(!defaultPolicy.operations.includes('setPrivilege'));
  assert.ok(!defaultPolicy.operations.includes('upgradeContract'));
  assert.equal(defaultPolicy.operations.length, operationNames.length - 2);
  for (const text of ['toString', '__proto__', 'PayCoin', '']) assert.ok(!isOperationName(text));
});

test('no order of signatures gets past a cap, and none below it is refused', () => {
  const amounts = fc.array(fc.bigInt({ min: 0n, max: 50n }), { maxLength: 30 });
  const cap = fc.option(fc.bigInt({ min: 0n, max: 300n }));
  const count = fc.option(fc.nat(20));
  fc.assert(
    fc.property(amounts, cap, count, (given, dailyAmountMax, dailyCountMax) => {
      const policy = { ...defaultPolicy, dailyAmountMax, dailyCountMax };
      let use: CustodyUse = noUse;
      for (const amount of given) {
        const next = countUse(policy, use, { amount, assets: new Map() });
        const fits =
          (dailyAmountMax === null || use.amount + amount <= dailyAmountMax) &&
          (dailyCountMax === null || use.count < dailyCountMax);
        assert.equal(!isRefused(next), fits);
        if (!isRefused(next)) use = next;
      }
    }),
  );
});

describe('tokens', () => {
  const issuer = 'issuerOfEuro';
  const euro = `EUR:${issuer}`;
  const send = (amount: bigint, code = 'EUR', input = '') => ({
    type: operationTypes.payAsset,
    payAsset: { destAddress: 'other', asset: { key: { code, issuer }, amount }, input },
  });
  const call = (input: string, amount = 0n) => ({
    type: operationTypes.payCoin,
    payCoin: { destAddress: 'token', amount, input },
  });
  const transfer = (value: string) => `{"method":"transfer","params":{"to":"x","value":"${value}"}}`;
  const capped = { dailyAmountMax: 100n, dailyAssetMax: { [euro]: 10n, token: 5n } };
  const movedBy = (...operations: Draft['operations'] & object) => {
    const verdict = judge({ operations }, capped);
    return isRefused(verdict) ? verdict.why : Object.fromEntries(verdict.assets);
  };

  test('are counted by asset and by contract, all operations together', () => {
    assert.deepEqual(movedBy(send(3n), send(4n), send(1n, 'USD')), { [euro]: 7n, [`USD:${issuer}`]: 1n });
    assert.deepEqual(movedBy(call(transfer('4')), call(transfer('1'))), { token: 5n });
    assert.deepEqual(movedBy(send(3n), call(transfer('2'), 7n)), { [euro]: 3n, token: 2n });
    const blank = { ...send(0n), payAsset: { destAddress: 'other', asset: { key: {}, amount: 0n } } };
    assert.deepEqual(movedBy(blank), {});
    assert.match(String(movedBy(send(-1n))), /negative/);
  });

  test('that a call moves nobody knows how many of are not moved where there are caps', () => {
    const unknown = [
      '{}',
      'x',
      transfer('-1'),
      transfer('1').replace('transfer', 'approve'),
      transfer('1').replace('transfer', 'transferFrom'),
      transfer('1').replace('}}', ',"value":"9"}}'),
      ` ${transfer('1')}`,
    ];
    for (const input of unknown) {
      assert.match(String(movedBy(call(input))), /what the contract would move is not known/, input);
      assert.match(String(movedBy(send(1n, 'EUR', input))), /is not known/, input);
      assert.equal(judge({ operations: [call(input)] }).kind, 'allowed', 'nothing is capped');
    }
  });

  test('have caps of their own, and without one none is moved', () => {
    const spend = (assets: Record<string, bigint>) => ({
      amount: 0n,
      assets: new Map(Object.entries(assets)),
    });
    const policy = { ...defaultPolicy, ...capped };
    const once = countUse(policy, noUse, spend({ [euro]: 6n, token: 5n }));
    assert.ok(!isRefused(once));
    assert.deepEqual(once, { amount: 0n, count: 1, assets: { [euro]: 6n, token: 5n } });
    assert.ok(!isRefused(countUse(policy, once, spend({ [euro]: 4n }))));
    assert.deepEqual(countUse(policy, once, spend({ [euro]: 5n })), {
      kind: 'capReached',
      why: `what may leave of ${euro} today is used up, or this would exceed it`,
    });
    for (const limited of [capped, { dailyAmountMax: 1n }, { dailyAssetMax: {} }]) {
      const other = countUse({ ...defaultPolicy, ...limited }, noUse, spend({ 'USD:x': 1n }));
      assert.ok(isRefused(other) && other.kind === 'forbidden');
    }
    assert.ok(!isRefused(countUse(defaultPolicy, noUse, spend({ 'USD:x': 1n }))));
  });
});

test('days begin at midnight of UTC', () => {
  const midnight = Date.parse('2027-01-02T00:00:00Z');
  assert.equal(dayOf(midnight), dayOf(midnight - 1) + 1);
  assert.equal(dayOf(midnight + 86_399_999), dayOf(midnight));
});
