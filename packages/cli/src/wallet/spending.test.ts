import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { walletLimits } from '../limits/command-limits.ts';
import { CommandFailure } from '../terminal/failure.ts';
import {
  assertAffordable,
  type Caps,
  countedOf,
  nativeAsset,
  paymentsOf,
  reservePayment,
  type SpendingEntry,
  setPaymentState,
  unfinishedPayments,
} from './spending.ts';
import { openWalletDatabase, walletDay } from './wallet-database.ts';

const ends: (() => void)[] = [];
after(() => {
  for (const end of ends.reverse()) end();
});

function tempFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-spending-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function open(folder = tempFolder()): Promise<DatabaseSync> {
  const database = await openWalletDatabase(folder);
  ends.push(() => database.isOpen && database.close());
  return database;
}

const token = 'ZTX3SaMw164VpkvH5EGvbJ5Kit9jFWd6GjLjy';
const caps: Caps = new Map([
  [nativeAsset, { perPayment: 100n, perDay: 250n }],
  [token, { perPayment: 5n, perDay: 8n }],
]);
const nowMs = Date.UTC(2026, 5, 15, 12);
const terms = { caps, nowMs };
const payment = (nonce: number, amount: number, more: Partial<SpendingEntry> = {}): SpendingEntry => ({
  hash: `${nonce}-${amount}-${more.asset ?? ''}`,
  chain: '0',
  nonce: BigInt(nonce),
  asset: nativeAsset,
  amount: BigInt(amount),
  fee: 0n,
  payee: 'somebody',
  ...more,
});
const refused = (pattern: RegExp) => (error: unknown) =>
  error instanceof CommandFailure && pattern.test(error.message) && error.message.split('\n').length === 3;

describe('what may be spent', () => {
  test('nothing without caps, whatever the asset', async () => {
    const database = await open();
    const none = { caps: new Map([[nativeAsset, { perPayment: 0n, perDay: 0n }]]), nowMs };
    assert.throws(() => reservePayment(database, payment(1, 1), none), refused(/--spend-per-payment/));
    assert.throws(() => reservePayment(database, payment(1, 1, { asset: token }), none), refused(/--token/));
    assert.throws(() => assertAffordable(database, payment(1, 1), none), refused(/not allowed/));
    assert.throws(
      () => assertAffordable(database, payment(1, 1), { caps: new Map(), nowMs }),
      refused(/not allowed/),
    );
    assert.deepEqual(paymentsOf(database, '2026-06-15'), []);
  });

  test('as much as a payment and a day may cost, fees included', async () => {
    const database = await open();
    assert.throws(
      () => reservePayment(database, payment(1, 100, { fee: 1n }), terms),
      refused(/0\.000101 Gas with its fee/),
    );
    assert.equal(reservePayment(database, payment(1, 99, { fee: 1n }), terms), true);
    assert.equal(reservePayment(database, payment(2, 100), terms), true);
    assert.throws(
      () => reservePayment(database, payment(3, 51), terms),
      refused(/0\.0002 Gas of the 0\.00025 Gas/),
    );
    assert.equal(reservePayment(database, payment(3, 50), terms), true);
    assert.equal(countedOf(paymentsOf(database, '2026-06-15'), nativeAsset), 250n);
    assert.throws(
      () => reservePayment(database, payment(4, 1), terms),
      refused(/0\.00025 Gas of the 0\.00025 Gas/),
    );
    const tomorrow = { caps, nowMs: nowMs + 86_400_000 };
    assert.equal(reservePayment(database, payment(4, 100), tomorrow), true);
  });

  test('a token by its own cap, its fee by that of Gas', async () => {
    const database = await open();
    reservePayment(database, payment(1, 5, { asset: token, fee: 100n }), terms);
    assert.throws(
      () => reservePayment(database, payment(2, 4, { asset: token }), terms),
      refused(/5 \w+ of the 8/),
    );
    assert.throws(
      () => reservePayment(database, payment(2, 3, { asset: token, fee: 101n }), terms),
      refused(/more than the 0\.0001 Gas/),
    );
    reservePayment(database, payment(2, 3, { asset: token, fee: 100n }), terms);
    assert.throws(
      () => reservePayment(database, payment(3, 51), terms),
      refused(/0\.0002 Gas of the 0\.00025 Gas/),
    );
  });

  test('of one nonce the dearest counts, because the ledger executes one', async () => {
    const database = await open();
    for (const amount of [60, 100, 80]) reservePayment(database, payment(7, amount), terms);
    const today = paymentsOf(database, '2026-06-15');
    assert.equal(countedOf(today, nativeAsset), 100n);
    assert.equal(countedOf(today, token), 0n);
  });

  test('of two chains both count: the same nonce is used on each of them', async () => {
    const database = await open();
    for (const chain of ['0', '9', ''])
      reservePayment(database, payment(7, 80, { chain, hash: chain }), terms);
    assert.equal(countedOf(paymentsOf(database, '2026-06-15'), nativeAsset), 240n);
  });

  test('what is proven is believed: failed costs the fee, void nothing', async () => {
    const database = await open();
    const first = payment(1, 90, { fee: 10n });
    reservePayment(database, first, terms);
    assert.equal(reservePayment(database, first, terms), false, 'the same transaction is counted once');
    setPaymentState(database, first.hash, 'failed');
    assert.equal(countedOf(paymentsOf(database, '2026-06-15'), nativeAsset), 10n);
    setPaymentState(database, first.hash, 'void');
    assert.equal(countedOf(paymentsOf(database, '2026-06-15'), nativeAsset), 0n);
    assert.equal(reservePayment(database, first, terms), true, 'one that nobody has is new');
    assert.equal(unfinishedPayments(database).length, 1);
  });

  test('a clock that goes back gives no second day, and old payments are forgotten', async () => {
    const database = await open();
    reservePayment(database, payment(1, 100), terms);
    reservePayment(database, payment(2, 100), terms);
    const yesterday = { caps, nowMs: nowMs - 86_400_000 };
    assert.equal(walletDay(database, yesterday.nowMs), '2026-06-15');
    assert.throws(() => reservePayment(database, payment(3, 51), yesterday), refused(/0\.0002 Gas/));
    const later = { caps, nowMs: nowMs + (walletLimits.paymentsKeptDays + 1) * 86_400_000 };
    reservePayment(database, payment(3, 51), later);
    assert.deepEqual(paymentsOf(database, '2026-06-15'), []);
  });

  test('two connections, and one after a restart, count together; nobody else reads the file', async () => {
    const folder = tempFolder();
    const [first, second] = [await open(folder), await open(folder)];
    reservePayment(first, payment(1, 100), terms);
    reservePayment(second, payment(2, 100), terms);
    assert.throws(() => reservePayment(first, payment(3, 60), terms), refused(/0\.0002 Gas/));
    first.close();
    second.close();
    const third = await open(folder);
    assert.throws(() => reservePayment(third, payment(3, 60), terms), refused(/0\.0002 Gas/));
    assert.equal(statSync(path.join(folder, 'wallet.db')).mode & 0o777, 0o600);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
  });

  test('a file that is none is told, and not overwritten', async () => {
    const database = await open();
    database.exec('pragma user_version = 99');
    const folder = path.dirname(database.location() as string);
    database.close();
    await assert.rejects(openWalletDatabase(folder), refusedWith(/newer version/));
  });

  test('a wallet from before payments had a chain goes on, and its payments count', async () => {
    const database = await open();
    reservePayment(database, payment(1, 90), terms);
    database.exec(
      'alter table payment drop column chain; drop table field_credential; pragma user_version = 1',
    );
    const folder = path.dirname(database.location() as string);
    database.close();
    const again = await open(folder);
    assert.equal(paymentsOf(again, '2026-06-15')[0]?.chain, '');
    reservePayment(again, payment(1, 60), terms);
    assert.equal(countedOf(paymentsOf(again, '2026-06-15'), nativeAsset), 150n);
  });

  test('whatever is asked in whatever order, what can be executed stays within the caps', async () => {
    const database = await open();
    const order = fc.record({
      nonce: fc.nat(6),
      amount: fc.nat(120),
      fee: fc.nat(30),
      isToken: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(order, { maxLength: 30 }), (orders) => {
        database.exec('delete from payment');
        for (const { nonce, amount, fee, isToken } of orders) {
          const asset = isToken ? token : nativeAsset;
          const hash = `${nonce}/${amount}/${fee}/${asset}`;
          try {
            reservePayment(database, payment(nonce, amount, { asset, fee: BigInt(fee), hash }), terms);
          } catch (error) {
            assert.ok(error instanceof CommandFailure);
          }
        }
        const counted = paymentsOf(database, '2026-06-15');
        for (const [asset, { perDay, perPayment }] of caps) {
          // The worst that can happen: of each nonce the one that costs most of this asset is executed.
          const worst = new Map<bigint, bigint>();
          for (const one of counted) {
            const cost = (one.asset === asset ? one.amount : 0n) + (asset === nativeAsset ? one.fee : 0n);
            assert.ok(cost <= perPayment);
            if (cost > (worst.get(one.nonce) ?? 0n)) worst.set(one.nonce, cost);
          }
          assert.ok([...worst.values()].reduce((sum, cost) => sum + cost, 0n) <= perDay);
        }
      }),
      { numRuns: 50 },
    );
  });
});

const refusedWith = (pattern: RegExp) => (error: unknown) =>
  error instanceof CommandFailure && pattern.test(error.message);
