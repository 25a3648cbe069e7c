import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '@symbolon/wire/json/json';
import {
  rangesProvedOf,
  readActivity,
  recordDeclined,
  recordPaid,
  recordReceived,
  recordSent,
  sentFor,
  settleSent,
} from './activity-log.ts';

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

const sentFacts = {
  request: 'pres_1',
  asker: { name: 'Example Bank' },
  parts: [
    {
      vcId: 'did:zid:aa',
      template: 'Degree',
      shared: [],
      proved: [{ key: 'grade', label: 'Grade', claim: 'at least 1.7', min: '1.7' }],
    },
  ],
  presentation: { proof: 'p' },
};

test('what is sent counts as shown before anything is heard of it, and is kept for the same answer', async () => {
  const vault = records();
  await recordSent(vault, sentFacts);
  const told = await readActivity(vault);
  assert.deepEqual(sentFor(told, 'pres_1')?.presentation, sentFacts.presentation);
  assert.equal(sentFor(told, 'pres_2'), undefined);
  assert.equal(rangesProvedOf(told, () => true).length, 1);
});

test('once something is heard of it, it is one entry with that, and what was handed in is gone', async () => {
  for (const cameOfIt of [{ isVerified: true }, { isVerified: false }, {}]) {
    const vault = records();
    await settleSent(vault, await recordSent(vault, sentFacts), cameOfIt);
    const told = await readActivity(vault);
    assert.equal(told.length, 1);
    assert.equal(sentFor(told, 'pres_1'), undefined);
    const { presentation: _sent, ...facts } = sentFacts;
    const { id: _id, at: _at, ...entry } = told[0] as (typeof told)[0];
    assert.deepEqual(entry, { ...facts, kind: 'shared', ...cameOfIt });
    assert.equal(rangesProvedOf(told, () => true).length, 1);
  }
});
