/**
 * kill -9 of a service that pays fees for others and settles payments, on SQLite and on a real PostgreSQL: what it had
 * begun is settled once, by the next process, as soon as anybody asks and soon if nobody does; what it held for payments
 * that were never sent is in nobody's way.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { type PaymentDemand, signPayment } from '@symbolon/sdk/flows/payment-scheme';
import { createLedgerClient, httpTransport, type LedgerClient, signerFromSeed } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { Crash } from '../service/crash-child.ts';
import { CrashProcess } from '../service/crash-process.ts';
import { campaignCases } from '../support/campaign.ts';
import {
  customer,
  familyPayment,
  fundAddress,
  paidBody,
  pay,
  payPaths,
  sell,
  statusOf,
} from '../support/payment-world.ts';
import { type Person, person } from '../support/people.ts';
import { startPostgres } from '../support/postgres.ts';
import { getService, postService } from '../support/service-http.ts';
import { createSteps, ok } from '../support/service-steps.ts';
import { peopleOf, plainPost } from '../support/service-world.ts';
import { facilitate, paymasterOf, prepareFor, sponsoredPayment } from '../support/sponsored-world.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const config = { facilitator: { sponsor: { enabled: true } } };
const payee = person('shop of the crashes');
/** Within this of being ready, whatever was begun is settled for whoever asks. */
const askedMs = 3_000;
/** A dead process is taken to live for up to five seconds, and it is looked every five. */
const unaskedMs = 12_000;

/** The first is the one with more that can die. */
const databases: Readonly<Record<string, (context: TestContext) => Promise<{ database?: string }>>> = {
  PostgreSQL: async (context) => ({ database: (await startPostgres(context)).url }),
  SQLite: async () => ({}),
};

for (const [name, open] of campaignCases(Object.entries(databases), 2))
  describe(`on ${name}`, () => {
    async function world(context: TestContext) {
      const place = { folder: tempFolder(context), ...(await open(context)), config };
      const compiled = tempFolder(context);
      const start = async (crash?: Crash) => {
        const process = new CrashProcess(context, compiled);
        const up = await process.start({ ...place, ...(crash && { crash }) });
        assert.ok(up);
        const client = createLedgerClient(httpTransport(up.demo.ledger));
        return { process, url: up.url, demo: up.demo, client };
      };
      return start;
    }

    async function funded(client: LedgerClient, url: string, name: string): Promise<Person> {
      const payer = await customer(client, name);
      await fundAddress(client, await paymasterOf({ url }, payer));
      return payer;
    }

    const settled = async (site: { url: string }, payment: JsonObject): Promise<unknown> =>
      ((await facilitate(site, 'settle', payment)).body.object as JsonObject).status;

    async function statusOfBlob({ url }: { url: string }, payment: JsonObject): Promise<unknown> {
      const { blobId } = (payment as { payload: JsonObject }).payload;
      const path = `${payPaths.facilitator}/settle/status?blobId=${blobId}`;
      return (ok(await getService(url, path)).object as JsonObject).status;
    }

    async function selfPaid(client: LedgerClient, payer: Person, payTo: string): Promise<JsonObject> {
      const signer = await signerFromSeed(payer.seed);
      const network = 'zetrix:testnet';
      const demand = { scheme: 'exact', network, asset: 'ZTX', amount: '1000', payTo } as PaymentDemand;
      const payload = await signPayment(demand, { client, signer, amountsMax: { ZTX: 1_000n } });
      return familyPayment(payload as unknown as JsonObject);
    }

    const balanceOf = async (client: LedgerClient, address: string): Promise<bigint> =>
      BigInt((await client.getAccountBase({ address })).result?.balance ?? 0);

    test('a sponsored payment that had begun is settled once, and others go on', async (context) => {
      const start = await world(context);
      const first = await start();
      const one = await funded(first.client, first.url, 'begun');
      const [two, three] = [await customer(first.client, 'prepared'), await customer(first.client, 'new')];
      assert.equal(await settled(first, await sponsoredPayment(first, three, payee.address)), 'CONFIRMED');
      await first.process.close();
      const tookMs: number[] = [];
      for (const point of ['sponsorAccountHeld', 'settlementStored', 'settlementExecuted']) {
        const dying = await start(point === 'sponsorAccountHeld' ? undefined : { point });
        const payment = await sponsoredPayment(dying, one, payee.address);
        const waiting = await sponsoredPayment(dying, two, payee.address);
        const had = await balanceOf(dying.client, payee.address);
        if (point === 'sponsorAccountHeld') {
          await dying.process.close();
          const holding = await start({ point });
          await assert.rejects(prepareFor(holding, one, { payTo: payee.address }));
        } else await assert.rejects(facilitate(dying, 'settle', payment));
        const next = await start();
        const ready = performance.now();
        // The one that was begun, one that was prepared, and a new one: none waits for another.
        const ends = await Promise.all([
          point === 'sponsorAccountHeld' ? settled(next, payment) : statusOfBlob(next, payment),
          settled(next, waiting),
          sponsoredPayment(next, three, payee.address).then((made) => settled(next, made)),
        ]);
        assert.deepEqual(ends, ['CONFIRMED', 'CONFIRMED', 'CONFIRMED']);
        tookMs.push(performance.now() - ready);
        assert.equal(await balanceOf(next.client, payee.address), had + 3_000n);
        await next.process.close();
      }
      assert.ok(Math.max(...tookMs) < askedMs, `each in time: ${tookMs}`);
    });

    test('a paid credential goes on: at once for its buyer, and soon if nobody asks', async (context) => {
      const start = await world(context);
      const first = await start();
      const { issuer } = peopleOf(first.demo);
      const { url, demo, client } = first;
      const seller = { url, issuer, steps: createSteps(plainPost(url)), privateKey: demo.issuer.privateKey };
      const templateId = await sell(seller, { templateName: 'Crash pass', price: { amount: '1000' } });
      const buyers = [await customer(client, 'asking buyer'), await customer(client, 'silent buyer')];
      await first.process.close();
      for (const [index, buyer] of buyers.entries()) {
        const dying = await start({ point: 'paymentStored' });
        const body = paidBody(buyer, templateId);
        const asked = await postService(dying.url, payPaths.apply, body);
        const [{ extra }] = asked.body.accepts as [{ extra: JsonObject }];
        const payment = await selfPaid(dying.client, buyer, issuer.address);
        await assert.rejects(pay(dying, body, payment));
        const next = await start();
        const ready = performance.now();
        const had = await balanceOf(next.client, buyer.address);
        if (index === 0) {
          const answer = await pay(next, body, payment);
          assert.equal(answer.status, 200, answer.text);
          assert.ok(performance.now() - ready < askedMs);
        } else if (had === 1_000_000_000n) {
          await until('it is paid', async () => (await balanceOf(next.client, buyer.address)) < had);
          assert.ok(performance.now() - ready < unaskedMs);
        }
        assert.equal((await statusOf(next, extra.paymentId as string)).status, 'ISSUED');
        await until('store and ledger agree', async () => (await next.process.audit()).length === 0);
        await next.process.close();
      }
    });
  });
