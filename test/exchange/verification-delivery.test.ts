/**
 * How relying services learn of the end of a session: posted to their callback address until they take it, streamed to
 * them as events, and signed in two ways that they can check. Receivers are real servers that can be down, slow or
 * rude.
 */
import assert from 'node:assert/strict';
import { createHmac, createPublicKey, verify } from 'node:crypto';
import http, { type IncomingHttpHeaders } from 'node:http';
import { before, describe, test } from 'node:test';
import { sessionLimits } from '@symbolon/core/limits/waiting';
import { fixedClock } from '@symbolon/host/testing/fixed-clock';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type Owner, ownerOfSuite } from '../support/owner.ts';
import { shareProofs } from '../support/running-service.ts';
import { getService, postService } from '../support/service-http.ts';
import { until } from '../support/until.ts';
import {
  answerTo,
  claim,
  requirementsOf,
  startVerificationWorld,
  type VerificationWorld,
} from '../support/verification-world.ts';
import { challenge, postSubmission } from '../support/x401.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
const clock = fixedClock(Date.now());
let world: VerificationWorld;

before(async () => {
  world = await startVerificationWorld(owner, {
    proofs,
    clock,
    config: { callbacks: { allowLoopback: true } },
  });
});

const city = () => requirementsOf(world, [claim('city')]);

interface Taken {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver that answers what it is told to. */
async function startReceiver(of: Owner, { status = 200, port = 0 } = {}) {
  const taken: Taken[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      taken.push({ headers: request.headers, body });
      response.writeHead(status, { location: '/elsewhere' }).end('thanks');
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  of.after(close);
  const { port: own } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${own}/hook`, port: own, taken, close };
}

const deliver = () => world.service.served.runChore('callbacks');
const deliveriesOf = (id: string) => {
  const { kysely } = world.service.served.parts.database;
  return kysely.selectFrom('outbox').selectAll().where('sessionId', '=', id).execute();
};

function assertSigned({ headers, body }: Taken): void {
  const payload = `${headers['x-callback-timestamp']}.${body}`;
  const expected = createHmac('sha256', world.server.callbackSecret).update(payload).digest('base64');
  assert.equal(headers['x-callback-signature'], expected);
}

/** The service's own signature over a time and a text, with nothing but the published keys. */
async function assertOwnSignature(jws: string, timestamp: string, text: string): Promise<void> {
  const [head, middle, signature] = jws.split('.');
  assert.equal(middle, '');
  const header = JSON.parse(Buffer.from(head as string, 'base64url').toString()) as JsonObject;
  const { body } = await getService(world.service.url, '/.well-known/jwks.json');
  const key = (body.keys as JsonObject[]).find(({ kid }) => kid === header.kid);
  assert.deepEqual([header.alg, header.b64, key?.alg, key?.use], ['EdDSA', false, 'EdDSA', 'sig']);
  assert.equal(key && 'd' in key, false);
  const publicKey = createPublicKey({ key: key as never, format: 'jwk' });
  const signed = Buffer.from(`${head}.${timestamp}.${text}`);
  assert.ok(verify(null, signed, publicKey, Buffer.from(signature as string, 'base64url')));
}

describe('callbacks', () => {
  test('delivered after the receiver was down, signed, with every value in its place', async (context) => {
    const receiver = await startReceiver(context);
    await receiver.close();
    const more = { callbackUrl: receiver.url, stateId: 'order 18' };
    const { presentationId } = await challenge(world.server, city(), more);
    const { definition, vpToken } = await answerTo(world, presentationId, { revealAttributes: ['city'] });
    const answer = await postSubmission(world.wallet, definition, { vpToken });
    assert.equal(answer.status, 200, answer.text);
    const { signed_result: told } = answer.body.object as { signed_result: string };
    const { 'x-result-signature': own, 'x-callback-timestamp': at } = answer.headers;
    await assertOwnSignature(own as string, at as string, told);
    await deliver();
    const [failed] = await deliveriesOf(presentationId);
    assert.deepEqual([failed?.state, failed?.attempts], ['waiting', 1]);
    assert.match(failed?.problem ?? '', /ECONNREFUSED/);
    await deliver();
    assert.equal((await deliveriesOf(presentationId))[0]?.attempts, 1, 'it is not time yet');

    const back = await startReceiver(context, { port: receiver.port });
    clock.advanceMs(sessionLimits.retryMs);
    await deliver();
    const [done] = await deliveriesOf(presentationId);
    assert.deepEqual([done?.state, done?.attempts, done?.content], ['delivered', 2, null]);
    assert.equal(back.taken.length, 1);
    const [taken] = back.taken as [Taken];
    assertSigned(taken);
    const { headers } = taken;
    const [jws, time] = [headers['x-result-signature'], headers['x-callback-timestamp']];
    await assertOwnSignature(jws as string, time as string, taken.body);
    const body = JSON.parse(taken.body) as JsonObject;
    assert.deepEqual(
      [body.presentation_id, body.state_id, body.status, body.verified],
      [presentationId, 'order 18', 'VERIFIED', true],
    );
    assert.deepEqual(body.verified_claims, { city: 'Dunedin' });
    const [credential] = body.credentials as JsonObject[];
    assert.deepEqual(credential?.credential_subject, { id: world.holder.did, city: 'Dunedin' });
    assert.equal(credential?.issuer, world.service.issuer.did);
    assert.doesNotMatch(taken.body, /\$ref/);
    await deliver();
    assert.equal(back.taken.length, 1, 'once');
    const deeds = { action: 'verification.deliver', subject: presentationId };
    const { entries } = await world.service.admin.listAuditEntries(deeds);
    assert.deepEqual(entries.map(({ outcome }) => outcome).toSorted(), ['done', 'failed']);
  });

  test('an expired session is told of, too', async (context) => {
    const receiver = await startReceiver(context);
    const more = { callbackUrl: receiver.url, expirationMinutes: 1 };
    const { presentationId } = await challenge(world.server, city(), more);
    clock.advanceMs(60_000);
    await world.service.served.runChore('sessions');
    await deliver();
    const body = JSON.parse(receiver.taken[0]?.body ?? '{}') as JsonObject;
    assert.deepEqual(
      [body.presentation_id, body.status, body.verified, body.error_message],
      [presentationId, 'EXPIRED', false, 'VERIFICATION_REQUEST_EXPIRED'],
    );
  });

  test('a redirect is not followed, and after enough attempts nobody tries any more', async (context) => {
    const receiver = await startReceiver(context, { status: 302 });
    const { presentationId } = await challenge(world.server, city(), {
      callbackUrl: receiver.url,
      expirationMinutes: 1,
    });
    clock.advanceMs(60_000);
    await world.service.served.runChore('sessions');
    for (let attempt = 0; attempt < sessionLimits.deliveryAttemptsMax + 1; attempt++) {
      await deliver();
      clock.advanceMs(sessionLimits.retryMsMax);
    }
    const [delivery] = await deliveriesOf(presentationId);
    assert.deepEqual([delivery?.state, delivery?.content], ['abandoned', null]);
    assert.equal(delivery?.problem, 'the receiver answered 302');
    assert.equal(receiver.taken.length, sessionLimits.deliveryAttemptsMax);
    assert.match(world.service.logged(), /a callback was not taken and is given up/);
  });

  test('a new secret replaces the one before', async () => {
    const { token } = await world.service.served.apiKeys.create({ label: 'rotating', scopes: ['verify'] });
    const ask = (body: string, headers: Record<string, string> = {}) =>
      postService(world.service.url, '/v1/client/callback-secret', body, { apiKey: token, headers });
    const make = async (body: string, headers?: Record<string, string>) =>
      ((await ask(body, headers)).body.object as JsonObject).callbackSecretKey as string;
    for (const body of ['{"callbackSecretKey":"x"}', '[]', 'x']) assert.equal((await ask(body)).status, 400);
    const [first, second] = [await make(''), await make('{}')];
    assert.notEqual(first, second);
    assert.ok(first.length >= 43);
    const marked = { 'idempotency-key': 'one-secret' };
    assert.equal(
      await make('', marked),
      await make('', marked),
      'a repetition that is marked gets the same one',
    );
    for (const secret of [first, second]) assert.ok(!world.service.logged().includes(secret));
  });
});

/** Reads a stream of events until it ends or is left. */
function listen(id: string, apiKey: string) {
  let text = '';
  let isOver = false;
  const request = http.get(
    `${world.service.url}/v1/verification/${id}/events`,
    { headers: { authorization: `Bearer ${apiKey}` }, agent: false },
    (response) => {
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('close', () => {
        isOver = true;
      });
    },
  );
  request.on('error', () => {
    isOver = true;
  });
  return {
    events: () =>
      text
        .split('\n\n')
        .filter((part) => part.startsWith('event: '))
        .map((part) => {
          const [name, data] = part.split('\n') as [string, string];
          const read = JSON.parse(data.slice('data: '.length)) as JsonObject;
          return { name: name.slice('event: '.length), data: read };
        }),
    isOver: () => isOver,
    leave: () => request.destroy(),
  };
}

describe('events', () => {
  test('every state as it comes, the signed result last, then the end', async () => {
    const { apiKey } = world.server;
    const { presentationId } = await challenge(world.server, city());
    const stream = listen(presentationId, apiKey);
    await until('the first event', () => stream.events().length === 1);
    const { definition, vpToken } = await answerTo(world, presentationId, { revealAttributes: ['city'] });
    await until('the second event', () => stream.events().length === 2);
    const answer = await postSubmission(world.wallet, definition, { vpToken });
    await until('the end of the stream', stream.isOver);
    const events = stream.events();
    assert.deepEqual(
      events.map(({ name, data }) => [name, data.status]),
      [
        ['status', 'CREATED'],
        ['status', 'FETCHED'],
        ['result', 'VERIFIED'],
      ],
    );
    const { data } = events[2] as { data: JsonObject };
    assert.equal(data.signed_result, (answer.body.object as JsonObject).signed_result);
    const payload = `${data.timestamp}.${data.signed_result}`;
    const hmac = createHmac('sha256', world.server.callbackSecret).update(payload).digest('base64');
    assert.equal(data.signature, hmac);
    const { result_signature, timestamp, signed_result } = data as Record<string, string>;
    await assertOwnSignature(result_signature as string, timestamp as string, signed_result as string);
    const again = listen(presentationId, apiKey);
    await until('a late reader to be told', again.isOver);
    assert.deepEqual(
      again.events().map(({ name }) => name),
      ['result'],
    );
  });

  test('nobody else can watch, and nobody can watch too much', async () => {
    const { url, served } = world.service;
    const { presentationId } = await challenge(world.server, city());
    const path = `/v1/verification/${presentationId}/events`;
    assert.equal((await getService(url, path)).status, 401);
    const { token } = await served.apiKeys.create({ label: 'a rival', scopes: ['verify'] });
    assert.equal((await getService(url, path, { apiKey: token })).status, 404);

    const streams = Array.from({ length: sessionLimits.streamsPerKeyMax }, () =>
      listen(presentationId, world.server.apiKey),
    );
    await until('all streams to speak', () => streams.every((stream) => stream.events().length === 1));
    assert.equal((await getService(url, path, { apiKey: world.server.apiKey })).status, 429);
    for (const stream of streams) stream.leave();
    await until('places to be free again', async () => {
      const stream = listen(presentationId, world.server.apiKey);
      await until('an answer', () => stream.isOver() || stream.events().length > 0);
      const isTaken = stream.events().length > 0;
      stream.leave();
      return isTaken;
    });
  });

  test('a service that ends takes its streams with it, at once; keys, sessions and callbacks stay', async (context) => {
    const receiver = await startReceiver(context);
    await receiver.close();
    const told = await challenge(world.server, city(), { callbackUrl: receiver.url, stateId: 'told' });
    const aborted = { presentation_id: told.presentationId, state: 'told' };
    assert.equal((await postService(world.service.url, '/v1/presentation/abort', aborted)).status, 200);
    await deliver();
    const { presentationId } = await challenge(world.server, city());
    const stream = listen(presentationId, world.server.apiKey);
    await until('the first event', () => stream.events().length === 1);
    const keysBefore = (await getService(world.service.url, '/.well-known/jwks.json')).text;
    const service = await world.service.restart({ clock });
    assert.ok(stream.isOver());
    world = {
      ...world,
      service,
      server: { ...world.server, baseUrl: service.url },
      wallet: { ...world.wallet, baseUrl: service.url },
    };
    assert.equal((await getService(service.url, '/.well-known/jwks.json')).text, keysBefore);
    const { definition, vpToken } = await answerTo(world, presentationId, { revealAttributes: ['city'] });
    const answer = await postSubmission(world.wallet, definition, { vpToken });
    assert.equal((answer.body.object as JsonObject).verified, true, answer.text);
    const back = await startReceiver(context, { port: receiver.port });
    clock.advanceMs(sessionLimits.retryMsMax);
    await deliver();
    const [taken] = await until('the callback', () => back.taken.length > 0 && back.taken);
    assertSigned(taken as Taken);
    assert.equal((JSON.parse((taken as Taken).body) as JsonObject).status, 'ABORTED');
  });
});
