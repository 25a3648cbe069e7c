import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { transactionFromRecord } from '@symbolon/wire/ledger/transaction-json';
import { shortfallOf } from './shortfall.ts';

const payment = (to: string, amount: number, source?: string): JsonObject => ({
  type: 7,
  ...(source !== undefined && { source_address: source }),
  pay_coin: { dest_address: to, amount },
});

function made(feeLimit: number, ...operations: JsonObject[]) {
  const read = transactionFromRecord({ source_address: 'ada', fee_limit: feeLimit, operations });
  assert.ok(!('error' in read));
  return read;
}

const balances = new Map([
  ['ada', 1_000n],
  ['oren', 5n],
]);
const short = (
  transaction: ReturnType<typeof made>,
  reserve = 0n,
  triggered = [] as (typeof transaction)[],
) => shortfallOf(transaction, triggered, { balances, reserve });

test('what is paid counts with the whole fee limit, which is lost', () => {
  assert.equal(short(made(10, payment('oren', 990))), undefined);
  assert.deepEqual(short(made(10, payment('oren', 500), payment('eve', 491))), {
    address: 'ada',
    balance: 1_000n,
    needed: 1_001n,
    lost: 10n,
  });
  assert.equal(short(made(10, { type: 1, create_account: { init_balance: 991 } }))?.needed, 1_001n);
});

test('a fee limit that cannot be paid costs nothing: it is not taken', () => {
  assert.deepEqual(short(made(1_001, payment('oren', 1))), {
    address: 'ada',
    balance: 1_000n,
    needed: 1_001n,
    lost: 0n,
  });
});

test('what must stay in an account is not there to be paid', () => {
  assert.equal(short(made(10, payment('oren', 980)), 10n), undefined);
  assert.equal(short(made(10, payment('oren', 981)), 10n)?.needed, 1_001n);
});

test('what an account is given before it pays is there to be paid', () => {
  assert.equal(short(made(10, payment('oren', 500), payment('eve', 505, 'oren'))), undefined);
  assert.equal(short(made(10, payment('eve', 505, 'oren'), payment('oren', 500)))?.address, 'oren');
  const back = made(0, payment('ada', 700));
  assert.equal(short(made(10, payment('eve', 900), payment('eve', 700)), 0n, [back]), undefined);
});
