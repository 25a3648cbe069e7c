import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '@symbolon/wire/json/json';
import { readActivity, recordDeclined, recordPaid, recordReceived } from './activity-log.ts';

/** The records of a vault, in memory. */
function records() {
  const kept = new Map<string, JsonValue>();
  return {
    write: async (name: string, value: JsonValue) => void kept.set(name, value),
    list: async (prefix: string) =>
      [...kept].flatMap(([name, value]) => (name.startsWith(prefix) ? [{ name, value }] : [])),
  };
}

test('a card that becomes known on two ways came once, and a payment was made once', async () => {
  const vault = records();
  const card = { vcId: 'did:zid:aa', template: 'Transcript', issuer: 'did:zid:bb' };
  const payment = { paymentId: 'pay_1', template: 'Transcript', price: { amount: '250', asset: 'ZTX' } };
  await Promise.all([recordReceived(vault, card), recordReceived(vault, card)]);
  await Promise.all([recordPaid(vault, payment), recordPaid(vault, payment)]);
  const told = await readActivity(vault);
  assert.deepEqual(told.map(({ kind }) => kind).toSorted(), ['paid', 'received']);
});

test('who declines twice has declined twice', async () => {
  const vault = records();
  await recordDeclined(vault, { request: 'pres_1', asker: {} });
  await recordDeclined(vault, { request: 'pres_2', asker: {} });
  assert.equal((await readActivity(vault)).length, 2);
});
