/** What a verifier sees of its sessions, and what a wallet is told of who asks and why. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { shareProofs } from '../support/running-service.ts';
import { getService, postService, type ServiceAnswer } from '../support/service-http.ts';
import { makeParty } from '../support/service-world.ts';
import {
  answerTo,
  claim,
  requirementsOf,
  startVerificationWorld,
  type VerificationWorld,
} from '../support/verification-world.ts';
import { postSubmission } from '../support/x401.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let world: VerificationWorld;
let apiKey: string;
let otherKey: string;

before(async () => {
  world = await startVerificationWorld(owner, { proofs, config: { callbacks: { allowLoopback: true } } });
  apiKey = world.server.apiKey;
  otherKey = (await makeParty(world.service.served, 'Another Bank', ['verify'])).apiKey;
});

function objectOf({ status, body, text }: ServiceAnswer): JsonObject {
  assert.equal(status, 200, text);
  return body.object as JsonObject;
}
const get = async (path: string, key = apiKey): Promise<JsonObject> =>
  objectOf(await getService(world.service.url, path, { apiKey: key }));
const ask = async (more: JsonObject = {}, key = apiKey): Promise<string> => {
  const body = { requirements: requirementsOf(world, [claim('city')]), ...more };
  const opened = await postService(world.service.url, '/v1/verification/request', body, { apiKey: key });
  return objectOf(opened).presentationId as string;
};
const idsOf = ({ sessions }: JsonObject): unknown[] =>
  (sessions as JsonObject[]).map(({ presentationId }) => presentationId);

describe('who asks and why', () => {
  test("is told to the wallet: the operator's name for the key, its DID, the verifier's own words", async () => {
    const id = await ask({ purpose: 'To open an account for you' }, otherKey);
    const { verifier, purpose } = await get(`/v1/presentation/${id}`);
    const { name, name_source: source, did } = verifier as JsonObject;
    assert.deepEqual([name, source, purpose], ['Another Bank', 'operator', 'To open an account for you']);
    assert.match(did as string, /^did:zid:[0-9a-f]{64}$/);
  });

  test('is not what a key that a key has made is labelled', async () => {
    const order = { label: 'University of Example', scopes: ['verify'] };
    const made = await postService(world.service.url, '/v1/keys', order, { apiKey: otherKey });
    const { apiKey } = (made.body ?? made) as JsonObject;
    const told = await get(`/v1/presentation/${await ask({}, apiKey as string)}`);
    assert.equal('name' in (told.verifier as JsonObject), false);
  });

  test('has no purpose where none was said, and no key that acts for nobody has a DID', async () => {
    const { token } = await world.service.served.apiKeys.create({ label: 'kiosk', scopes: ['verify'] });
    const told = await get(`/v1/presentation/${await ask({}, token)}`);
    assert.deepEqual(told.verifier, { name: 'kiosk', name_source: 'operator' });
    assert.equal('purpose' in told, false);
  });

  test('is one line of plain text that is not long', async () => {
    for (const purpose of ['', '  ', 'a\nb', 'a\u202eb', '\u200b', 'x'.repeat(201), 7]) {
      const body = { requirements: requirementsOf(world, [claim('city')]), purpose };
      const refused = await postService(world.service.url, '/v1/verification/request', body, { apiKey });
      assert.deepEqual(
        [refused.status, refused.body.code],
        [400, 'requestMalformed'],
        JSON.stringify(purpose),
      );
    }
  });
});

describe('sessions', () => {
  test('are listed newest first, by state, to the key that opened them', async () => {
    const [first, second] = [await ask({ purpose: 'First' }), await ask()];
    await ask({}, otherKey);
    const listed = await get('/v1/verification?limit=2');
    assert.deepEqual(idsOf(listed), [second, first]);
    assert.deepEqual(
      (listed.sessions as JsonObject[]).map(({ status, purpose }) => [status, purpose]),
      [
        ['CREATED', undefined],
        ['CREATED', 'First'],
      ],
    );
    assert.deepEqual(idsOf(await get('/v1/verification?status=VERIFIED')), []);
    const others = idsOf(await get('/v1/verification', otherKey));
    assert.ok(!others.includes(first) && !others.includes(second));
    for (const path of [`/v1/verification/${first}`, `/v1/verification/${first}x`]) {
      const hidden = await getService(world.service.url, path, { apiKey: otherKey });
      assert.deepEqual([hidden.status, hidden.body.code], [404, 'sessionUnknown']);
    }
    const details = await get(`/v1/verification/${first}`);
    assert.deepEqual(
      [details.status, 'result' in details, typeof details.qrCodeData],
      ['CREATED', false, 'string'],
    );
    for (const query of ['status=OPEN', 'state=CREATED', 'limit=0', 'cursor=nonsense']) {
      const refused = await getService(world.service.url, `/v1/verification?${query}`, { apiKey });
      assert.equal(refused.status, 400, query);
    }
  });

  test('tell who ended them without an answer, as far as that is known', async () => {
    const end = async (isRead: boolean, key?: string): Promise<unknown> => {
      const id = await ask({ stateId: 'desk-9' });
      if (isRead) await get(`/v1/presentation/${id}`);
      const body = { presentation_id: id, state: 'desk-9' };
      const ended = await postService(
        world.service.url,
        '/v1/presentation/abort',
        body,
        key === undefined ? {} : { apiKey: key },
      );
      assert.deepEqual(objectOf(ended), { presentation_id: id, status: 'ABORTED' });
      const [listed] = (await get('/v1/verification?limit=1')).sessions as JsonObject[];
      const { abortedBy } = await get(`/v1/verification/${id}`);
      assert.deepEqual([listed?.presentationId, listed?.abortedBy], [id, abortedBy]);
      return abortedBy;
    };
    assert.equal(await end(true), 'wallet');
    assert.equal(await end(true, otherKey), 'wallet', 'the key of somebody else is no word of the verifier');
    assert.equal(await end(true, apiKey), 'verifier');
    assert.equal(await end(false, apiKey), 'verifier');
    assert.equal(await end(false), undefined, 'nobody has read it, and no key says who it was');
  });

  test('tell how they ended: the signed result, six checks in words, how long it took', async () => {
    const id = await ask({ callbackUrl: 'http://127.0.0.1:9/callback' });
    const { definition, vpToken } = await answerTo(world, id, { revealAttributes: ['city'] });
    objectOf(await postSubmission(world.wallet, definition, { vpToken }));
    const details = await get(`/v1/verification/${id}`);
    const result = details.result as JsonObject;
    assert.deepEqual([details.status, result.verified], ['VERIFIED', true]);
    const signed = JSON.parse(result.signedResult as string) as JsonObject;
    assert.equal(signed.presentationId, id);
    const checks = result.checks as JsonObject[];
    assert.deepEqual(
      checks.map(({ passed }) => passed),
      Array(6).fill(true),
    );
    assert.ok(checks.every(({ words, title }) => typeof words === 'string' && typeof title === 'string'));
    assert.ok(Number.isSafeInteger(result.tookMs));
    const times = [details.createdAt, result.fetchedAt, details.updatedAt] as string[];
    assert.deepEqual(times, times.toSorted(), 'opened, read by a wallet, answered');
    assert.equal(times.includes(undefined as unknown as string), false);
    assert.equal(typeof result.resultSignature, 'string');
    assert.deepEqual(idsOf(await get('/v1/verification?status=VERIFIED')), [id]);
    const { state, attempts } = details.callback as JsonObject;
    assert.equal(state, 'waiting');
    assert.ok((attempts as number) >= 0);
  });

  test('tell in their stream what becomes of the callback, to whoever asks for it', async (context) => {
    let answers = 0;
    const receiver = createServer((_request, response) => {
      answers += 1;
      response.writeHead(answers === 1 ? 503 : 200).end();
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    context.after(() => receiver.close());
    const { port } = receiver.address() as AddressInfo;
    const id = await ask({ callbackUrl: `http://127.0.0.1:${port}/callback` });
    const { definition, vpToken } = await answerTo(world, id, { revealAttributes: ['city'] });
    objectOf(await postSubmission(world.wallet, definition, { vpToken }));
    const events = async (query: string) => {
      const headers = { authorization: `Bearer ${apiKey}` };
      const stream = await fetch(`${world.service.url}/v1/verification/${id}/events${query}`, { headers });
      const text = await stream.text();
      return [...text.matchAll(/event: (\w+)\ndata: (.*)\n/g)].map(([, name, data]) => ({
        name,
        ...(JSON.parse(data) as JsonObject),
      }));
    };
    const told: readonly JsonObject[] = await events('?callback=true');
    assert.equal(told[0].name, 'result');
    const callbacks = told.slice(1);
    assert.ok(callbacks.length > 0 && callbacks.every(({ name }) => name === 'callback'));
    const last = callbacks.at(-1);
    assert.deepEqual([last?.status, last?.attempts], ['delivered', 2]);
    assert.deepEqual(
      (await events('')).map(({ name }) => name),
      ['result'],
      'whoever does not ask reads what was always there',
    );
    const { callback } = await get(`/v1/verification/${id}`);
    assert.equal((callback as JsonObject).state, 'delivered');
  });

  test('tell which check failed, and no value', async () => {
    const id = await ask();
    const { definition, vpToken } = await answerTo(world, id, { revealAttributes: ['city', 'fullName'] });
    objectOf(await postSubmission(world.wallet, definition, { vpToken }));
    const { status, result } = await get(`/v1/verification/${id}`);
    const checks = (result as JsonObject).checks as JsonObject[];
    assert.equal(status, 'FAILED');
    assert.deepEqual(
      checks.filter(({ passed }) => passed === false).map(({ name }) => name),
      ['disclosure'],
    );
    assert.ok(!/Dunedin|Aroha/.test(JSON.stringify(result)));
  });

  test('that lapsed are told as expired before anybody has ended them', async () => {
    const id = await ask();
    const { kysely } = world.service.served.parts.database;
    await kysely.updateTable('verificationSessions').set({ expiresAt: 1 }).where('id', '=', id).execute();
    const { sessions } = await get('/v1/verification?status=EXPIRED');
    assert.deepEqual(
      (sessions as JsonObject[]).filter(({ status }) => status !== 'EXPIRED'),
      [],
    );
    assert.ok(idsOf({ sessions }).includes(id));
    assert.ok(!idsOf(await get('/v1/verification?status=CREATED')).includes(id));
  });
});
