/**
 * Who has paid and asks again: the holder who signs the same text gets the same credential, with a payment or without,
 * and pays nothing more; nobody else gets it by anything that is public; another text is told where the first one is.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import {
  askPrice,
  customer,
  paidBody,
  pay,
  paymentFor,
  paymentSuite,
  payPaths,
  sell,
  sellerOf,
  statusOf,
} from '../support/payment-world.ts';
import type { Person } from '../support/people.ts';
import { getService, postService, type ServiceAnswer } from '../support/service-http.ts';
import { fewValues, ok, paths, revokeBody, signedBlobBody, signText } from '../support/service-steps.ts';
import { until } from '../support/until.ts';

const { world } = await paymentSuite({ config: { compat: { lenientSignatures: true } } });

const apply = (body: JsonObject): Promise<ServiceAnswer> => postService(world.url, payPaths.apply, body);

interface Bought {
  readonly holder: Person;
  readonly body: JsonObject;
  readonly answer: ServiceAnswer;
}

async function buy(name: string, templateId = world.templateId): Promise<Bought> {
  const holder = await customer(world.client, name);
  const body = paidBody(holder, templateId);
  const answer = await pay(world, body, await paymentFor(world, holder, await askPrice(world, body)));
  assert.equal(answer.status, 200, answer.text);
  return { holder, body, answer };
}

test('the same text gets the same credential, and costs nothing more', async () => {
  const { holder, body, answer } = await buy('asks again');
  const had = await world.service.node.balance(holder.address);
  assert.equal((await apply(body)).text, answer.text);
  const demand = { payTo: world.issuer.address, asset: 'ZTX', maxAmountRequired: '250000' };
  const further = await pay(world, body, await paymentFor(world, holder, demand));
  assert.deepEqual([further.status, further.body.status], [402, 4006], 'a second payment is not taken');
  const { vcId, paymentId } = answer.body.data as JsonObject;
  const told = further.body.data as JsonObject;
  assert.deepEqual([told.vcId, told.paymentId], [vcId, paymentId]);
  assert.equal(await world.service.node.balance(holder.address), had);
});

test('its issuer sees beside the credential and its application what was paid', async () => {
  const { vcId, txHash } = (await buy('is listed')).answer.body.data as JsonObject;
  for (const path of ['/cred/v1/vc/issued', '/cred/v1/vc/applications?order=newest']) {
    const { issued, applications } = ok(await getService(world.url, path, world.issuer));
    const row = ((issued ?? applications) as JsonObject[]).find((one) => one.vcId === vcId);
    const paid = { amount: '250000', asset: 'ZTX', symbol: 'ZTX', decimals: 6, txHash };
    assert.deepEqual(row?.paid, paid, path);
  }
});

test('who asks while it is being paid for waits for it, and is asked for nothing', async () => {
  const holder = await customer(world.client, 'impatient again');
  const body = paidBody(holder, world.templateId);
  const payment = await paymentFor(world, holder, await askPrice(world, body));
  const paying = pay(world, body, payment);
  const answers: ServiceAnswer[] = [];
  await until('it is being paid for', async () => {
    const answer = await apply(body);
    answers.push(answer);
    return answer.status !== 402;
  });
  assert.equal(answers.at(-1)?.text, (await paying).text);
});

test('who pays two offers for the same text with one transaction gets one credential by both, at once and later', async () => {
  const holder = await customer(world.client, 'applies twice at once');
  const body = paidBody(holder, world.templateId);
  const payment = await paymentFor(world, holder, await askPrice(world, body));
  const order = { templateId: world.templateId, metadata: fewValues, publicKey: holder.publicKey };
  const quote = ok(await postService(world.url, payPaths.quote, order)).data as JsonObject;
  assert.equal(quote.signPayload, body.data);
  const other = { ...body, paymentId: quote.paymentId as string };
  const [one, two] = await Promise.all([pay(world, body, payment), pay(world, other, payment)]);
  const [again, later] = [await pay(world, body, payment), await pay(world, other, payment)];
  assert.equal(one.status, 200, one.text);
  assert.deepEqual([two.text, again.text, later.text], [one.text, one.text, one.text]);
});

test('another text is told which credential and payment there are', async () => {
  const { holder, answer } = await buy('asks for another');
  const { vcId, paymentId } = answer.body.data as JsonObject;
  const other = paidBody(holder, world.templateId, { ...fewValues, fullName: 'Another Name' });
  const refused = await apply(other);
  assert.deepEqual([refused.status, refused.body.code], [409, 'credentialExists'], refused.text);
  assert.deepEqual(refused.body.data, { vcId, paymentId });
});

test('nothing that others know gets it', async () => {
  const { body } = await buy('watched buyer');
  const thief = await customer(world.client, 'thief of credentials');
  const data = body.data as string;
  const signData = signText(thief, data);
  const forged = await apply({ ...body, signData });
  assert.deepEqual([forged.status, forged.body.code], [401, 'signerMismatch'], forged.text);
  assert.equal((await apply({ data, signData, publicKey: thief.publicKey })).status, 402);
});

test('where more than one may be had, asking again is a new purchase; so it is after a revocation', async () => {
  const order = { templateName: 'Many cards', price: { amount: '10' }, policy: { allowReissue: true } };
  const { body } = await buy('collector', await sell(sellerOf(world), order));
  assert.equal((await apply(body)).status, 402);
  const { body: once, answer } = await buy('revoked buyer');
  const { vcId } = answer.body.data as JsonObject;
  const { issuer } = world;
  const blob = ok(await postService(world.url, paths.revokeBlob, revokeBody(issuer, vcId as string)));
  ok(await postService(world.url, paths.revokeSubmit, signedBlobBody(issuer, blob)));
  assert.equal((await apply(once)).status, 402);
});

test('an offer that is named is the one that is told: an unknown one is refused, and so is one of somebody else', async () => {
  const holder = await customer(world.client, 'names an offer');
  const order = { templateId: world.templateId, metadata: fewValues, publicKey: holder.publicKey };
  const quote = ok(await postService(world.url, payPaths.quote, order)).data as JsonObject;
  const data = quote.signPayload as string;
  const body = { data, signData: signText(holder, data), publicKey: holder.publicKey };
  const demand = await askPrice(world, { ...body, paymentId: quote.paymentId! });
  assert.equal((demand.extra as JsonObject).paymentId, quote.paymentId);
  const own = (await askPrice(world, body)).extra as JsonObject;
  assert.notEqual(own.paymentId, quote.paymentId);
  const stranger = await customer(world.client, 'names the offer of another');
  const foreign = { data, signData: signText(stranger, data), publicKey: stranger.publicKey };
  for (const given of [
    { ...body, paymentId: 'zz' },
    { ...foreign, paymentId: quote.paymentId! },
  ]) {
    const refused = await apply(given);
    assert.deepEqual([refused.status, refused.body.code], [404, 'paymentUnknown'], refused.text);
  }
  const other = paidBody(holder, world.templateId, { ...fewValues, fullName: 'Another Name' });
  assert.equal((await apply({ ...other, paymentId: quote.paymentId! })).status, 400);
});

test('a payment that was settled elsewhere is not taken, and whoever asks is told that it has moved money', async () => {
  const holder = await customer(world.client, 'settled elsewhere');
  const body = paidBody(holder, world.templateId);
  const demand = await askPrice(world, body);
  const payment = await paymentFor(world, holder, demand);
  const settled = await postService(world.url, `${payPaths.facilitator}/settle`, payment);
  const { txHash } = settled.body.object as JsonObject;
  assert.ok(typeof txHash === 'string', settled.text);
  const { paymentId } = demand.extra as JsonObject;
  for (const given of [{ ...body, paymentId: paymentId! }, body, body]) {
    const refused = await pay(world, given, payment);
    assert.deepEqual([refused.status, refused.body.status], [402, 4006], refused.text);
    assert.match(refused.text, /blob_already_settled.*250000 ZTX/);
    assert.equal((refused.body.data as JsonObject).txHash, txHash, refused.text);
  }
  const status = await statusOf(world, paymentId!);
  assert.deepEqual([status.status, status.txHash], ['FAILED', txHash]);
  assert.match(status.reason as string, /blob_already_settled.*has paid/);
  const again = await askPrice(world, body);
  assert.notEqual((again.extra as JsonObject).paymentId, paymentId);
  const further = await pay(world, body, await paymentFor(world, holder, again));
  assert.equal(further.status, 200, 'whoever pays for the new offer gets the credential');
});
