import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { operationTypes } from '../ledger/operations/index.ts';
import { int64Max } from '../limits.ts';
import { TransactionSchema } from '../proto/ledger_pb.ts';
import {
  type CustodyPolicy,
  type CustodyUse,
  countUse,
  dayOf,
  defaultPolicy,
  isOperationName,
  isRefused,
  judgeMessage,
  judgeTransaction,
  noUse,
  operationNames,
} from './custody-policy.ts';

const address = 'own';
const nowMs = 1_800_000_000_000;
type Draft = MessageInitShape<typeof TransactionSchema>;

const pay = (amount: bigint) => ({ type: operationTypes.payCoin, payCoin: { destAddress: 'other', amount } });
const judge = (draft: Draft, policy: Partial<CustodyPolicy> = {}) =>
  judgeTransaction(create(TransactionSchema, { sourceAddress: address, ...draft }), {
    address,
    policy: { ...defaultPolicy, ...policy },
    nowMs,
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
    assert.equal(
      judge({ operations: [{ type: 9, setPrivilege: {} }] }, { operations: ['setPrivilege'] }).kind,
      'allowed',
    );
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
  assert.deepEqual(judgeMessage(defaultPolicy, nowMs), { kind: 'allowed', amount: 0n });
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
        const next = countUse(policy, use, amount);
        const fits =
          (dailyAmountMax === null || use.amount + amount <= dailyAmountMax) &&
          (dailyCountMax === null || use.count < dailyCountMax);
        assert.equal(!isRefused(next), fits);
        if (!isRefused(next)) use = next;
      }
    }),
  );
});

test('days begin at midnight of UTC', () => {
  const midnight = Date.parse('2027-01-02T00:00:00Z');
  assert.equal(dayOf(midnight), dayOf(midnight - 1) + 1);
  assert.equal(dayOf(midnight + 86_399_999), dayOf(midnight));
});
