/**
 * kill -9 between the steps of a paid credential: verified, stored, settled, recorded, issued; and in the middle of the
 * ledger's own writes. After the next start the money has moved once or not at all, there is one credential or none,
 * the status says which, and the client that sends the same again gets the same.
 */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import { signPayment } from '@symbolon/sdk/flows/payment-scheme';
import { createLedgerClient, httpTransport, type LedgerClient, signerFromSeed } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { Crash, ServiceOrder } from '../service/crash-child.ts';
import { CrashProcess } from '../service/crash-process.ts';
import { campaignCases } from '../support/campaign.ts';
import { ownerOfSuite } from '../support/owner.ts';
import {
  familyPayment,
  fundAddress,
  headerOf,
  paidBody,
  pay,
  payPaths,
  sell,
  statusOf,
} from '../support/payment-world.ts';
import { person } from '../support/people.ts';
import { getService, postService } from '../support/service-http.ts';
import { createSteps, ok } from '../support/service-steps.ts';
import { peopleOf, plainPost } from '../support/service-world.ts';
import { tempFolder } from '../support/temp-folder.ts';

const owner = ownerOfSuite();
const compiled = tempFolder(owner);
const holder = person('crash customer');
const price = 250_000n;
/** Every case pays with the same one, and a busy machine takes its time for all of them. */
const validSeconds = 1_800;

interface Site {
  readonly url: string;
  readonly ledger: LedgerClient;
}
type Started = NonNullable<Awaited<ReturnType<CrashProcess['start']>>>;
const siteOf = ({ url, demo }: Started): Site => ({
  url,
  ledger: createLedgerClient(httpTransport(demo.ledger)),
});

async function start(process: CrashProcess, order: ServiceOrder): Promise<Site | undefined> {
  const up = await process.start(order);
  return up && siteOf(up);
}

/** What every case begins with a copy of: an offer, and a signed payment for it. */
let prepared: {
  readonly folder: string;
  readonly body: JsonObject;
  readonly payment: JsonObject;
  readonly paymentId: string;
  readonly payTo: string;
  readonly balance: bigint;
};

async function balanceOf({ ledger }: Site, address: string): Promise<bigint> {
  const { result } = await ledger.getAccountBase({ address });
  return BigInt(result?.balance ?? 0);
}

before(async () => {
  const folder = tempFolder(owner);
  const process = new CrashProcess(owner, compiled);
  const up = (await process.start({ folder })) as Started;
  const site = siteOf(up);
  const { issuer } = peopleOf(up.demo);
  const seller = {
    url: site.url,
    issuer,
    steps: createSteps(plainPost(site.url)),
    privateKey: up.demo.issuer.privateKey,
  };
  const templateId = await sell(seller, { templateName: 'Crash pass', price: { amount: price.toString() } });
  await fundAddress(site.ledger, holder.address);
  const body = paidBody(holder, templateId);
  const asked = await postService(site.url, payPaths.apply, body);
  assert.equal(asked.status, 402, asked.text);
  const [demand] = asked.body.accepts as [JsonObject];
  const signer = await signerFromSeed(holder.seed);
  const terms = demand as unknown as Parameters<typeof signPayment>[0];
  const payload = await signPayment(terms, {
    client: site.ledger,
    signer,
    amountsMax: { ZTX: price },
    validSeconds,
  });
  prepared = {
    folder,
    body,
    payment: familyPayment(payload as unknown as JsonObject),
    paymentId: (demand.extra as JsonObject).paymentId as string,
    payTo: issuer.address,
    balance: await balanceOf(site, issuer.address),
  };
  assert.deepEqual(await process.audit(), []);
  await process.close();
});

const at = (point: string, inNode?: Crash['inNode']): Crash => ({ point, ...(inNode && { inNode }) });

/** Where each process dies; the last one lives. */
const cases: readonly (readonly Crash[])[] = [
  [at('paymentVerified')],
  [at('paymentStored')],
  [at('paymentStored', 'beforeWrite')],
  [at('paymentStored', 'afterSync')],
  [at('settlementExecuted')],
  [at('settlementRecorded')],
  [at('credentialAnchored')],
  [at('paymentFinished')],
  [at('paymentStored'), at('settlementExecuted')],
  [at('settlementRecorded'), at('intentStored')],
];
const facilitatorPoints = [
  'settlementStored',
  'settlementExecuted',
  'settlementRecorded',
  'settlementAnswered',
];
const nameOf = (crashes: readonly Crash[]): string =>
  crashes.map(({ point, inNode }) => (inNode ? `${point}, ${inNode} of the ledger` : point)).join('; then ');

function copyOf(context: TestContext): string {
  const folder = join(tempFolder(context), 'copy');
  cpSync(prepared.folder, folder, { recursive: true });
  return folder;
}

async function die(
  process: CrashProcess,
  order: ServiceOrder,
  act: (site: Site) => Promise<unknown>,
): Promise<void> {
  const site = await start(process, order);
  if (site) await assert.rejects(act(site), 'no answer arrives');
  assert.equal(await process.ended, 'SIGKILL');
}

describe('kill -9 while a credential is paid for', { concurrency: 2 }, () => {
  for (const crashes of campaignCases(cases, 3))
    test(nameOf(crashes), async (context) => {
      const folder = copyOf(context);
      const { body, payment, paymentId, payTo, balance } = prepared;
      const processes = crashes.map((crash) => ({ crash, process: new CrashProcess(context, compiled) }));
      const survivor = new CrashProcess(context, compiled);
      for (const { crash, process } of processes)
        await die(process, { folder, crash }, (site) => pay(site, body, payment));
      const site = (await start(survivor, { folder })) as Site;
      const isBegun = crashes[0]?.point !== 'paymentVerified';
      const told = await statusOf(site, paymentId);
      assert.equal(told.status, isBegun ? 'ISSUED' : 'REQUIRED');
      assert.equal(await balanceOf(site, payTo), balance + (isBegun ? price : 0n));
      assert.deepEqual(await survivor.audit(), [], 'after recovery store and ledger agree');
      const answer = await pay(site, body, payment);
      assert.equal(answer.status, 200, answer.text);
      const { vcId, txHash } = answer.body.data as JsonObject;
      if (isBegun) assert.deepEqual([told.vcId, told.txHash], [vcId, txHash]);
      assert.equal((await pay(site, body, payment)).text, answer.text);
      assert.equal(await balanceOf(site, payTo), balance + price);
      assert.deepEqual(await survivor.audit(), [], 'and in the end');
      await survivor.kill();
    });

  test('a payment that never reached the ledger and is too old has failed, and says so', async (context) => {
    const folder = copyOf(context);
    const { body, payment, paymentId, payTo, balance } = prepared;
    const [dying, survivor] = [new CrashProcess(context, compiled), new CrashProcess(context, compiled)];
    await die(dying, { folder, crash: at('paymentStored') }, (site) => pay(site, body, payment));
    const site = (await start(survivor, { folder, aheadMs: 2 * validSeconds * 1_000 })) as Site;
    const { status, reason } = await statusOf(site, paymentId);
    assert.equal(status, 'FAILED');
    assert.match(reason as string, /^blob_expired/);
    const answer = await pay(site, body, payment);
    assert.deepEqual([answer.status, answer.body.status], [402, 4006]);
    assert.equal(await balanceOf(site, payTo), balance);
    assert.deepEqual(await survivor.audit(), []);
    await survivor.kill();
  });

  for (const point of campaignCases(facilitatorPoints, 2))
    test(`a facilitator that dies at ${point} settles once, and tells it once`, async (context) => {
      const folder = copyOf(context);
      const { payment, payTo, balance } = prepared;
      const settle = ({ url }: Site) => postService(url, `${payPaths.facilitator}/settle`, payment);
      const [dying, survivor] = [new CrashProcess(context, compiled), new CrashProcess(context, compiled)];
      await die(dying, { folder, crash: at(point) }, settle);
      const site = (await start(survivor, { folder })) as Site;
      const again = await settle(site);
      assert.equal(again.status, 200, again.text);
      assert.equal((await settle(site)).status, 409);
      const { txHash } = again.body.object as JsonObject;
      const path = `${payPaths.facilitator}/settle/status?blobId=${txHash}`;
      const { object } = ok(await getService(site.url, path));
      assert.equal((object as JsonObject).status, 'CONFIRMED');
      assert.equal(await balanceOf(site, payTo), balance + price);
      // What was settled elsewhere pays for no credential.
      const headers = { 'x-payment': headerOf(payment) };
      const answer = await postService(site.url, payPaths.apply, prepared.body, { headers });
      assert.deepEqual([answer.status, answer.body.status], [402, 4006]);
      await survivor.kill();
    });
});
