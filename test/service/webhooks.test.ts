/**
 * Webhooks: the events of an API key posted to an address of its owner's, signed like every callback, in order and at
 * least once. Receivers are real servers that are down, slow or rude; none of them holds up another.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import http, { type IncomingHttpHeaders } from 'node:http';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventLimits as limits } from '@symbolon/core/limits/waiting';
import { fixedClock } from '@symbolon/host/testing/fixed-clock';
import type { ServiceError } from '@symbolon/sdk/errors/service-error';
import type { CredentialClient } from '@symbolon/sdk/service/credential-client';
import { resultSignatureProblem } from '@symbolon/sdk/verification/signed-results';
import { webhookPost } from '@symbolon/wire/events/service-events';
import { type Owner, ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { registerCard, type World, worldOf } from '../support/service-world.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
const clock = fixedClock(Date.now());
let service: RunningService;
let world: World;
let templateId: string;

before(async () => {
  service = await startService(owner, { proofs, clock, config: { callbacks: { allowLoopback: true } } });
  world = worldOf(service);
  templateId = await registerCard(world, 'Hooked card');
});

interface Taken {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers what it is told to, after a while if that is wanted. */
async function startReceiver(of: Owner, answer: { status: number; delayMs?: number } = { status: 200 }) {
  const taken: Taken[] = [];
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    taken.push({ headers: request.headers, body });
    await sleep(answer.delayMs ?? 0);
    response.writeHead(answer.status, { location: '/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  of.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const eventsOf = () => taken.flatMap(({ body }) => webhookPost.parse(JSON.parse(body)).events);
  return {
    url: `http://127.0.0.1:${port}/hook?token=hidden`,
    origin: `http://127.0.0.1:${port}`,
    taken,
    eventsOf,
    answer,
  };
}

const deliver = () => service.served.runChore('webhooks');
const apply = (name: string) => world.steps.apply(person(name), templateId);

async function only(client: CredentialClient) {
  const { webhooks } = await client.listWebhooks();
  assert.equal(webhooks.length, 1);
  return webhooks[0] as (typeof webhooks)[number];
}

/** Of the same issuer, so that each test has its own webhooks. */
async function newKey(scopes: readonly ('issue' | 'verify')[] = ['issue']) {
  const made = await service.served.apiKeys.create({ label: 'hooks', scopes, did: service.issuer.did });
  return { id: made.facts.id, client: service.clientWith({ apiKey: made.token }) };
}

describe('what is posted', () => {
  test('every event of the key, in order, signed by the service and with the shared secret', async (context) => {
    const receiver = await startReceiver(context);
    const { client } = await newKey(['issue', 'verify']);
    const { callbackSecretKey } = await client.makeCallbackSecret();
    const set = await client.setWebhook({ name: 'desk', callbackUrl: receiver.url });
    assert.deepEqual([set.receiver, set.state, set.attempts], [receiver.origin, 'active', 0]);
    const vcIds = [];
    for (const name of ['first', 'second', 'third']) vcIds.push(await apply(name));
    await deliver();
    // What the service posts by itself meanwhile may hold some of them.
    await until('all are posted', async () => receiver.eventsOf().length >= vcIds.length);
    assert.deepEqual(
      receiver.eventsOf().map(({ event, subject }) => [event, subject]),
      vcIds.map((vcId) => ['application.received', vcId]),
    );
    const [{ headers, body }] = receiver.taken as [Taken];
    const timestamp = String(headers['x-callback-timestamp']);
    const hmac = createHmac('sha256', callbackSecretKey).update(`${timestamp}.${body}`).digest('base64');
    assert.equal(headers['x-callback-signature'], hmac);
    const signed = { text: body, timestamp, signature: String(headers['x-result-signature']) };
    assert.equal(await resultSignatureProblem(signed, await client.getResultKeys()), undefined);
    assert.equal(JSON.parse(body).webhook, 'desk');
    const requests = receiver.taken.length;
    await deliver();
    assert.equal(receiver.taken.length, requests, 'nothing twice');
    assert.equal((await only(client)).lastId, receiver.eventsOf().at(-1)?.id);
    assert.ok(!JSON.stringify(await client.listWebhooks()).includes('hidden'));
    await client.removeWebhook({ name: 'desk' });
    await apply('nobody is told');
    await deliver();
    assert.equal(receiver.taken.length, requests);
    await assert.rejects(client.removeWebhook({ name: 'desk' }), { code: 'webhookUnknown' });
  });

  test('says in what is signed whose it is, so that a receiver knows another key that posts to it', async (context) => {
    const receiver = await startReceiver(context);
    const [own, other] = [await newKey(), await newKey()];
    for (const { client, id } of [own, other]) {
      const set = await client.setWebhook({ name: 'desk', callbackUrl: receiver.url });
      assert.equal(set.keyId, id);
      assert.equal((await only(client)).keyId, id);
    }
    await apply('both are told');
    await deliver();
    await until('both are posted', async () => receiver.taken.length >= 2);
    const posts = receiver.taken.map(({ body }) => webhookPost.parse(JSON.parse(body)));
    assert.deepEqual(posts.map(({ keyId }) => keyId).toSorted(), [own.id, other.id].toSorted());
  });

  test('from an event of the past on, more than one request holds', async (context) => {
    const receiver = await startReceiver(context);
    const { client } = await newKey();
    const count = limits.batchMax + 20;
    for (let done = 0; done < count; done += 20)
      await Promise.all(Array.from({ length: 20 }, (_, index) => apply(`past ${done + index}`)));
    await client.setWebhook({ name: 'past', callbackUrl: receiver.url, after: '0' });
    await deliver();
    await until('all are posted', async () => {
      const { lastId } = await only(client);
      return (await client.listEvents({ after: lastId })).events.length === 0;
    });
    const ids = receiver.eventsOf().map(({ id }) => Number(id));
    assert.ok(ids.length >= count);
    assert.deepEqual(
      ids,
      [...new Set(ids)].toSorted((left, right) => left - right),
    );
    assert.ok(receiver.taken.length >= 2);
  });
});

describe('receivers that do not take it', () => {
  test('are asked again later and later, hear everything when they are back, and the owner sees why', async (context) => {
    const receiver = await startReceiver(context, { status: 500 });
    const { client } = await newKey();
    await client.setWebhook({ name: 'down', callbackUrl: receiver.url });
    const first = await apply('while it is down');
    await deliver();
    const failing = await only(client);
    assert.deepEqual([failing.attempts, failing.problem], [1, 'the receiver answered 500']);
    assert.equal(Date.parse(failing.nextAttemptAt ?? ''), clock.nowMs() + limits.retryMs);
    await deliver();
    assert.equal(receiver.taken.length, 1, 'it is not time yet');
    const second = await apply('still down');
    clock.advanceMs(limits.retryMs);
    await deliver();
    assert.equal(Date.parse((await only(client)).nextAttemptAt ?? ''), clock.nowMs() + 2 * limits.retryMs);
    receiver.answer.status = 204;
    receiver.taken.length = 0;
    clock.advanceMs(2 * limits.retryMs);
    await deliver();
    assert.deepEqual(
      receiver.eventsOf().map(({ subject }) => subject),
      [first, second],
    );
    const { attempts, problem, state } = await only(client);
    assert.deepEqual([attempts, problem, state], [0, undefined, 'active']);
  });

  test('a redirect is no taking, and after days the webhook pauses until it is set again', async (context) => {
    const receiver = await startReceiver(context, { status: 307 });
    const { client } = await newKey();
    await client.setWebhook({ name: 'gone', callbackUrl: receiver.url });
    const subject = await apply('for nobody');
    await deliver();
    clock.advanceMs(limits.failingMsMax);
    await deliver();
    const paused = await only(client);
    assert.deepEqual([paused.state, paused.problem], ['paused', 'the receiver answered 307']);
    const asked = receiver.taken.length;
    clock.advanceMs(limits.retryMsMax);
    await deliver();
    assert.equal(receiver.taken.length, asked, 'paused is paused');
    receiver.answer.status = 200;
    receiver.taken.length = 0;
    const resumed = await client.setWebhook({ name: 'gone', callbackUrl: receiver.url });
    assert.deepEqual([resumed.state, resumed.lastId], ['active', paused.lastId]);
    await deliver();
    assert.deepEqual(
      receiver.eventsOf().map((event) => event.subject),
      [subject],
    );
  });

  test('one that begins to answer and does not end is told so', async (context) => {
    const server = http.createServer((request, response) => {
      request.resume();
      response.writeHead(200).write('x');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    context.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as { port: number };
    const { client } = await newKey();
    await client.setWebhook({ name: 'unending', callbackUrl: `http://127.0.0.1:${port}/` });
    await apply('who waits for the end of an answer');
    await deliver();
    await until('it was tried', async () => (await only(client)).attempts > 0);
    assert.equal(
      (await only(client)).problem,
      "the receiver's answer is too long: it did not end within 10 s",
    );
  });

  test('a slow one holds up nobody else', async (context) => {
    const [slow, quick] = [
      await startReceiver(context, { status: 200, delayMs: 4_000 }),
      await startReceiver(context),
    ];
    const { client } = await newKey();
    await client.setWebhook({ name: 'slow', callbackUrl: slow.url });
    await client.setWebhook({ name: 'quick', callbackUrl: quick.url });
    await apply('one');
    const began = performance.now();
    await deliver();
    await apply('two');
    await deliver();
    assert.ok(performance.now() - began < 3_900);
    assert.equal(quick.eventsOf().length, 2);
    assert.equal(slow.taken.length, 1);
  });

  test('a key that is revoked is told nothing more', async (context) => {
    const receiver = await startReceiver(context);
    const { client, id } = await newKey();
    await client.setWebhook({ name: 'revoked', callbackUrl: receiver.url });
    await service.served.apiKeys.revoke(id);
    await apply('after the end of the key');
    await deliver();
    assert.equal(receiver.taken.length, 0);
    const { kysely } = service.served.parts.database;
    const row = await kysely
      .selectFrom('webhooks')
      .selectAll()
      .where('keyId', '=', id)
      .executeTakeFirstOrThrow();
    assert.deepEqual([row.state, row.problem], ['paused', 'the API key is not in force any more']);
    clock.advanceMs(limits.pausedKeptMs);
    await service.served.runChore('sweep');
    assert.equal(
      (await kysely.selectFrom('webhooks').selectAll().where('keyId', '=', id).execute()).length,
      0,
    );
  });
});

describe('what is refused', () => {
  test('addresses of private networks, names that are none, and more than so many', async () => {
    const { client } = await newKey();
    for (const callbackUrl of [
      'http://10.0.0.1/',
      'http://169.254.169.254/',
      'ftp://example.org/',
      'http://a:b@example.org/',
    ])
      await assert.rejects(client.setWebhook({ name: 'x', callbackUrl }), { code: 'callbackRefused' });
    const callbackUrl = 'https://hooks.example/';
    await assert.rejects(client.setWebhook({ name: '../x', callbackUrl }), { code: 'requestMalformed' });
    const refusedAfter = (after: unknown) =>
      client.setWebhook({ name: 'x', callbackUrl, after: after as string }).then(
        () => assert.fail('it was taken'),
        ({ errors }: ServiceError) => errors,
      );
    assert.deepEqual(await refusedAfter('99999999'), [
      {
        pointer: '/after',
        detail: 'is ahead of every event: this service was restored, or is another one',
      },
    ]);
    assert.deepEqual(await refusedAfter(0), [
      { pointer: '/after', detail: 'must be the id of an event, as text' },
    ]);
    for (let count = 0; count < limits.webhooksPerKeyMax; count += 1)
      await client.setWebhook({ name: `hook-${count}`, callbackUrl });
    await assert.rejects(client.setWebhook({ name: 'one-more', callbackUrl }), { code: 'webhooksFull' });
    await client.setWebhook({ name: 'hook-0', callbackUrl });
    const other = await newKey();
    assert.deepEqual(await other.client.listWebhooks(), { webhooks: [] }, "another key's are nobody else's");
  });
});
