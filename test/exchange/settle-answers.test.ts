/**
 * The one 200 of a settlement, for which a resource server delivers, is given to one caller who gets it whole: it is not
 * lost with a connection, and no two get it, however many come with the same payment at once.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@symbolon/wire/json/json';
import { customer, familyPayment, paymentSuite, payPaths, signedPayload } from '../support/payment-world.ts';
import { person } from '../support/people.ts';
import { facilitate } from '../support/sponsored-world.ts';
import { until } from '../support/until.ts';

const { world } = await paymentSuite();
const payee = person('delivers once');

const paymentOf = async (name: string): Promise<JsonObject> => {
  const payer = await customer(world.client, name);
  return familyPayment(await signedPayload(world, payer, { payTo: payee.address, amount: 1_000n }));
};

/** Its status, or undefined where the caller has hung up before. */
async function settleFor(payment: JsonObject, patienceMs: number): Promise<number | undefined> {
  try {
    const answer = await fetch(`${world.url}${payPaths.facilitator}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payment),
      signal: AbortSignal.timeout(patienceMs),
    });
    await answer.text();
    return answer.status;
  } catch {
    return undefined;
  }
}

/** Sends it whole, and does not wait for the answer. */
async function settleAndLeave(payment: JsonObject): Promise<void> {
  const body = JSON.stringify(payment);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const sent = request(`${world.url}${payPaths.facilitator}/settle`, { method: 'POST', headers });
  sent.on('error', () => undefined).end(body);
  await once(sent, 'finish');
  await sleep(5);
  sent.destroy();
}

const settle = async (payment: JsonObject): Promise<number> =>
  (await facilitate(world, 'settle', payment)).status;

const isValid = async (payment: JsonObject) => (await facilitate(world, 'verify', payment)).body.isValid;

describe('a settlement whose caller has hung up', () => {
  for (const patienceMs of [5, 20, 40])
    test(`after ${patienceMs} ms is told to the next one, once`, async () => {
      const payment = await paymentOf(`hangs up after ${patienceMs}`);
      const lost = await settleFor(payment, patienceMs);
      const [second, third] = [await settle(payment), await settle(payment)];
      assert.deepEqual([lost ?? second, third], [200, 409]);
    });

  test('is valid until somebody was told, and told to those who verify first', async () => {
    const payment = await paymentOf('verifies again');
    const had = await world.service.node.balance(payee.address);
    await settleAndLeave(payment);
    await until('it is executed', async () => (await world.service.node.balance(payee.address)) > had);
    await until('it may be settled', async () => (await isValid(payment)) === true);
    assert.deepEqual([await settle(payment), await isValid(payment)], [200, false]);
  });
});

test('of twenty who settle the same at once, and of whom some hang up, one is told', async () => {
  for (const round of [1, 2, 3]) {
    const payment = await paymentOf(`crowd ${round}`);
    // Before anything can be executed: an answer that leaves as its caller hangs up counts as sent.
    const patience = Array.from({ length: 20 }, (_, index) => (index % 2 ? 20_000 : 1 + index));
    const told = await Promise.all(
      patience.map(async (ms) => {
        await sleep(ms % 7);
        return settleFor(payment, ms);
      }),
    );
    const later = await settle(payment);
    assert.equal([...told, later].filter((status) => status === 200).length, 1, `${told} ${later}`);
    assert.deepEqual(
      told.filter((status, index) => index % 2 && status !== 200 && status !== 409),
      [],
    );
  }
});
