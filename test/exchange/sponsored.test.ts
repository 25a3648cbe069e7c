/**
 * Fees paid for many at the same time, on SQLite and by two processes on a real PostgreSQL: the packages of the
 * protocol, unchanged, pay in a shop; nobody waits for another's signature, and what is prepared and never signed is in
 * nobody's way.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ownerOfSuite } from '../support/owner.ts';
import { customer, type PaymentWorld, startPaymentWorld } from '../support/payment-world.ts';
import { type Person, person } from '../support/people.ts';
import { startPostgres } from '../support/postgres.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { fundPaymaster, openShop, prepareFor, sponsoredFetch } from '../support/sponsored-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
const config = { facilitator: { sponsor: { enabled: true } } };
const payee = person('crowded shop');
const payers = 20;

interface Opened {
  readonly world: PaymentWorld;
  /** Further processes on the same records. */
  readonly others: readonly RunningService[];
}

const openers: Readonly<Record<string, () => Promise<Opened>>> = {
  SQLite: async () => ({ world: await startPaymentWorld(owner, { proofs, config }), others: [] }),
  'PostgreSQL, by two services': async () => {
    const { url: database } = await startPostgres(owner);
    const world = await startPaymentWorld(owner, { proofs, config, database });
    const { node, folder } = world.service;
    return { world, others: [await startService(owner, { proofs, config, database, node, folder })] };
  },
};

for (const [name, open] of Object.entries(openers))
  describe(`on ${name}`, () => {
    let world: PaymentWorld;
    let sites: readonly { readonly url: string }[];
    let people: readonly Person[];

    before(async () => {
      const opened = await open();
      ({ world } = opened);
      sites = [world, ...opened.others];
      people = [];
      for (let index = 0; index < payers; index++)
        people = [...people, await customer(world.client, `${name} payer ${index}`)];
      await fundPaymaster(world, people[0] as Person);
    });

    test(`${payers} pay at the same time: all succeed`, async () => {
      const shops = await Promise.all(sites.map((site) => openShop(owner, site, payee.address)));
      const had = await world.service.node.balance(payee.address);
      const answers = await Promise.all(
        people.map(async (payer, index) => {
          const site = sites[index % sites.length] as { url: string };
          const answer = await sponsoredFetch(site, payer)(shops[index % shops.length] as string);
          return `${answer.status} ${await answer.text()}`;
        }),
      );
      assert.deepEqual(new Set(answers), new Set(['200 sold']));
      assert.equal(await world.service.node.balance(payee.address), had + BigInt(payers) * 1_000n);
    });

    test('what is prepared and never settled is in nobody’s way', async () => {
      const [first] = people as [Person];
      for (let index = 0; index < 40; index++)
        assert.equal((await prepareFor(world, first, { payTo: payee.address })).status, 200);
      const shop = await openShop(owner, world, payee.address);
      const answers = await Promise.all(
        people.slice(0, 5).map(async (payer) => (await sponsoredFetch(world, payer)(shop)).status),
      );
      assert.deepEqual(answers, [200, 200, 200, 200, 200]);
    });
  });
