/**
 * Who prepares payments and settles none stands in nobody's way: neither one who prepares as many as there are accounts,
 * nor one who does it in the names of many. Those who come after are paid for, all of them, at the first try.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { customer, familyPayment, type PaymentWorld, startPaymentWorld } from '../support/payment-world.ts';
import { type Person, person } from '../support/people.ts';
import { shareProofs } from '../support/running-service.ts';
import { facilitate, fundPaymaster, prepareFor, sponsoredPayload } from '../support/sponsored-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
const payee = person('paid by a crowd');
const honestCount = 6;

async function open(accounts: number) {
  const config = { facilitator: { sponsor: { enabled: true, accounts } } };
  const world = await startPaymentWorld(owner, { proofs, config });
  await fundPaymaster(world, await customer(world.client, `first of ${accounts}`));
  return world;
}

const crowd = async (world: PaymentWorld, name: string, count: number): Promise<readonly Person[]> => {
  const people: Person[] = [];
  for (let index = 0; index < count; index++)
    people.push(await customer(world.client, `${name} ${index} of ${count}`));
  return people;
};

/** All at once: prepared, signed, settled. What became of each, and on how many accounts. */
async function payAtOnce(world: PaymentWorld, people: readonly Person[]) {
  const prepared = await Promise.all(
    people.map((payer) => prepareFor(world, payer, { payTo: payee.address })),
  );
  const objects = prepared.map(({ body, text }) => {
    assert.ok(body.object, text);
    return body.object as JsonObject;
  });
  const settled = await Promise.all(
    people.map((payer, index) =>
      facilitate(world, 'settle', familyPayment(sponsoredPayload(payer, objects[index]))),
    ),
  );
  return {
    accounts: new Set(objects.map(({ paymasterAddress }) => paymasterAddress)).size,
    states: settled.map(({ body }) => (body.object as JsonObject).status),
  };
}

describe('who prepares and does not settle', () => {
  for (const [what, accounts, strangers] of [
    ['as one payer, as often as there are accounts', 32, 1],
    ['in the names of as many as there are accounts', honestCount, honestCount],
  ] as const)
    describe(what, () => {
      let world: PaymentWorld;
      let unsettled: readonly Person[];
      let honest: readonly Person[];
      before(async () => {
        world = await open(accounts);
        unsettled = await crowd(world, 'prepares only', strangers);
        honest = await crowd(world, 'pays', honestCount);
      });

      test('is in nobody’s way', async () => {
        const held = await Promise.all(
          Array.from({ length: accounts }, (_, index) =>
            prepareFor(world, unsettled[index % strangers] as Person, { payTo: payee.address }),
          ),
        );
        assert.deepEqual(new Set(held.map(({ status }) => status)), new Set([200]));
        for (let round = 0; round < 2; round++)
          assert.deepEqual(await payAtOnce(world, honest), {
            accounts: honestCount,
            states: honest.map(() => 'CONFIRMED'),
          });
      });
    });
});
