/**
 * What programmers see of their own: API keys that keys make and end, the calls that were made with them, the posts to
 * their webhooks, and proofs of the audit log. Two parties and a stranger, over HTTP.
 */
import assert from 'node:assert/strict';
import http from 'node:http';
import { before, describe, test } from 'node:test';
import { ownKeyLimits } from '@symbolon/core/limits/directory';
import type { CredentialClient } from '@symbolon/sdk/service/credential-client';
import { proveAuditEntry } from '@symbolon/sdk/verification/audit-proof';
import type { ApiScope } from '@symbolon/wire/http/service-route';
import { type Owner, ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, outcomeOf, postService } from '../support/service-http.ts';
import { registerCard, type World, worldOf } from '../support/service-world.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let service: RunningService;
let world: World;

before(async () => {
  service = await startService(owner, { proofs, config: { callbacks: { allowLoopback: true } } });
  world = worldOf(service);
});

/** Of a party that has nothing else. */
async function newParty(digit: string, scopes: readonly ApiScope[] = ['issue', 'verify']) {
  const did = `did:zid:${digit.repeat(64)}`;
  const { token, facts } = await service.served.apiKeys.create({ label: `party ${digit}`, scopes, did });
  return { did, token, id: facts.id, client: service.clientWith({ apiKey: token }) };
}

const clientOf = (apiKey: string): CredentialClient => service.clientWith({ apiKey });

describe('API keys', () => {
  test('are made by a key for its own DID, with some of its scopes, and seen by nobody else', async () => {
    const [one, two] = [await newParty('1'), await newParty('2')];
    const made = await one.client.makeApiKey({ label: 'Desk 7', scopes: ['verify'] });
    assert.deepEqual([made.did, made.scopes, made.madeBy, made.isOwn], [one.did, ['verify'], one.id, false]);
    const child = clientOf(made.apiKey);
    const { keys } = await child.listApiKeys();
    assert.deepEqual(
      keys.map(({ id, isOwn }) => [id, isOwn]),
      [
        [one.id, false],
        [made.id, true],
      ],
    );
    assert.ok(!JSON.stringify(keys).includes(made.apiKey.slice(14)), 'a key is shown once');
    assert.deepEqual(
      (await two.client.listApiKeys()).keys.map(({ id }) => id),
      [two.id],
    );
    const all = (await service.admin.listApiKeys({ limit: '200' })).keys.map(({ id }) => id);
    for (const id of [one.id, two.id, made.id]) assert.ok(all.includes(id));
    await assert.rejects(service.stranger.listApiKeys(), { code: 'notAuthenticated' });
    // Another party's key is refused as one that never was.
    for (const id of [one.id, made.id, 'aaaaaaaa'])
      for (const attempt of [two.client.endApiKey({ id }), two.client.listRequests({ key: id })])
        await assert.rejects(attempt, { code: 'apiKeyUnknown' });
    const body = { label: 'x', scopes: ['verify'], did: two.did };
    const forOther = await postService(service.url, '/v1/keys', body, { apiKey: one.token });
    assert.equal(outcomeOf(forOther), '400 requestMalformed');
  });

  test('never have more scopes than the key that makes them, nor outlast it, nor end one that may do more', async () => {
    const party = await newParty('3');
    for (const scopes of [['admin'], ['verify', 'revoke'], ['bbs']] as const)
      await assert.rejects(party.client.makeApiKey({ label: 'x', scopes: [...scopes] }), {
        code: 'notAllowed',
      });
    const small = await party.client.makeApiKey({ label: 'small', scopes: ['verify'], validSeconds: 600 });
    const child = clientOf(small.apiKey);
    await assert.rejects(child.makeApiKey({ label: 'x', scopes: ['issue'] }), { code: 'notAllowed' });
    const expiresAt = Date.parse(small.expiresAt as string);
    for (const more of [{}, { validSeconds: 6_000 }]) {
      const grandchild = await child.makeApiKey({ label: 'x', scopes: ['verify'], ...more });
      assert.ok(Date.parse(grandchild.expiresAt as string) <= expiresAt);
    }
    await assert.rejects(child.endApiKey({ id: party.id }), { code: 'notAllowed' });
    await party.client.endApiKey({ id: small.id });
    await assert.rejects(child.listApiKeys(), { code: 'notAuthenticated' });
    await assert.rejects(party.client.endApiKey({ id: small.id }), { code: 'apiKeyUnknown' });
    await party.client.endApiKey({ id: party.id });
    await assert.rejects(party.client.listApiKeys(), { code: 'notAuthenticated' });
  });

  test('of nobody in particular stay a family of their own', async () => {
    const { token, facts } = await service.served.apiKeys.create({ label: 'till', scopes: ['verify'] });
    const other = await service.served.apiKeys.create({ label: 'other till', scopes: ['verify'] });
    const made = await clientOf(token).makeApiKey({ label: 'till 2', scopes: ['verify'] });
    const grandchild = await clientOf(made.apiKey).makeApiKey({ label: 'till 3', scopes: ['verify'] });
    const ids = (await clientOf(grandchild.apiKey).listApiKeys()).keys.map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), [facts.id, made.id, grandchild.id].toSorted());
    assert.deepEqual(
      (await clientOf(other.token).listApiKeys()).keys.map(({ id }) => id),
      [other.facts.id],
    );
    await assert.rejects(clientOf(other.token).endApiKey({ id: made.id }), { code: 'apiKeyUnknown' });
  });

  test('have labels that are plain text, and a bound for each party', async () => {
    const party = await newParty('4');
    for (const label of ['\u202egnp.exe', 'a\nb', '\u200b', ' ', 'x'.repeat(129)])
      await assert.rejects(party.client.makeApiKey({ label, scopes: ['verify'] }), {
        code: 'requestMalformed',
      });
    const body = { label: 'x', scopes: ['verify'], validSeconds: 5 };
    const refused = await postService(service.url, '/v1/keys', body, { apiKey: party.token });
    assert.equal(outcomeOf(refused), '400 requestMalformed');
    for (let count = 1; count < ownKeyLimits.keysPerPartyMax; count += 1) {
      const { id } = await party.client.makeApiKey({ label: `key ${count}`, scopes: ['verify'] });
      if (count % 2 === 0) await party.client.endApiKey({ id });
    }
    await assert.rejects(party.client.makeApiKey({ label: 'too many', scopes: ['verify'] }), {
      code: 'apiKeysFull',
    });
    const first = await party.client.listApiKeys({ limit: '60' });
    const second = await party.client.listApiKeys({ limit: '60', cursor: first.nextCursor as string });
    assert.equal(first.keys.length + second.keys.length, ownKeyLimits.keysPerPartyMax);
    assert.equal(second.nextCursor, undefined);
    await assert.rejects(party.client.listApiKeys({ cursor: 'WzEsMl0' }), { code: 'requestMalformed' });
  });

  test('leave the operator one, and are told in the audit log', async (context) => {
    const own = await startService(context, { proofs });
    const admins = (await own.admin.listApiKeys({ limit: '200' })).keys.filter(({ scopes }) =>
      scopes.includes('admin'),
    );
    assert.equal(admins.length, 1);
    const id = admins[0]?.id as string;
    await assert.rejects(own.admin.endApiKey({ id }), { code: 'lastAdminKey' });
    const made = await own.admin.makeApiKey({ label: 'second operator', scopes: ['admin'] });
    const second = own.clientWith({ apiKey: made.apiKey });
    await second.endApiKey({ id });
    await assert.rejects(second.endApiKey({ id: made.id }), { code: 'lastAdminKey' });
    const { entries } = await second.listAuditEntries({ limit: '10' });
    const told = entries.map(({ action, subject }) => `${action} ${subject}`);
    assert.ok(told.includes(`apiKey.create ${made.id}`));
    assert.ok(told.includes(`apiKey.revoke ${id}`));
    assert.ok(!JSON.stringify(entries).includes(made.apiKey.slice(14)));
  });

  test('are made sealed, too', async () => {
    const party = await newParty('5');
    const sealed = service.clientWith({ apiKey: party.token, sealed: true });
    const made = await sealed.makeApiKey({ label: 'sealed', scopes: ['issue'] });
    assert.equal((await clientOf(made.apiKey).listApiKeys()).keys.length, 2);
  });
});

describe('the log of requests', () => {
  test('tells the last calls of a key with how they ended, and nothing of what was in them', async () => {
    const party = await newParty('6');
    await party.client.listEvents({ after: '0' });
    const secret = 'a-value-that-nobody-else-may-see';
    await getService(service.url, `/v1/search?q=${secret}`, { apiKey: party.token });
    await getService(service.url, `/v1/webhooks/${secret}/deliveries`, { apiKey: party.token });
    await getService(service.url, '/cred/v1/audit/head', { apiKey: party.token });
    await postService(service.url, '/v1/profile', { name: secret, extra: secret }, { apiKey: party.token });
    const { requests } = await party.client.listRequests();
    assert.deepEqual(
      requests.map(({ method, operation, path, status, code }) => [method, operation, path, status, code]),
      [
        ['POST', 'setProfile', '/v1/profile', 400, 'requestMalformed'],
        ['GET', 'getAuditHead', '/cred/v1/audit/head', 401, 'notAllowed'],
        ['GET', 'listDeliveries', '/v1/webhooks/:name/deliveries', 404, 'webhookUnknown'],
        ['GET', 'search', '/v1/search', 200, 'ok'],
        ['GET', 'listEvents', '/v1/events/list', 200, 'ok'],
      ],
    );
    assert.ok(!JSON.stringify(requests).includes(secret));
    for (const { requestId, ms } of requests) assert.ok(requestId.length > 0 && ms >= 0);
  });

  test("is the party's own: other keys of it are seen, those of others are not", async () => {
    const [one, two] = [await newParty('7'), await newParty('8')];
    const made = await one.client.makeApiKey({ label: 'child', scopes: ['verify'] });
    await clientOf(made.apiKey).listTrustLists();
    const { requests } = await one.client.listRequests({ key: made.id });
    assert.deepEqual(
      requests.map(({ operation }) => operation),
      ['listTrustLists'],
    );
    assert.equal((await service.admin.listRequests({ key: made.id })).requests.length, 1);
    await assert.rejects(two.client.listRequests({ key: made.id }), { code: 'apiKeyUnknown' });
    await assert.rejects(service.stranger.listRequests(), { code: 'notAuthenticated' });
  });

  test('survives the service, and has calls whose key stands in the body', async (context) => {
    const first = await startService(context, { proofs });
    const { token } = await first.served.apiKeys.create({ label: 'x', scopes: ['verify'] });
    const client = first.clientWith({ apiKey: token });
    await client.listTrustLists();
    await postService(first.url, '/cred/bbs/create', { authorization: token, seed: 'x' });
    const again = await first.restart();
    const { requests } = await again.clientWith({ apiKey: token }).listRequests();
    assert.deepEqual(
      requests.map(({ operation, code }) => `${operation} ${code}`),
      ['createBbsKey notAllowed', 'listTrustLists ok'],
    );
  });
});

async function startReceiver(of: Owner) {
  const bodies: string[] = [];
  const answer = { status: 200 };
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    bodies.push(body);
    response.writeHead(answer.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  of.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/hook?token=hidden`, bodies, answer };
}

describe('posts to webhooks', () => {
  test('are remembered with what the receiver answered, and made again when somebody asks', async (context) => {
    const receiver = await startReceiver(context);
    const { apiKeys } = service.served;
    const { token } = await apiKeys.create({ label: 'hook', scopes: ['issue'], did: world.issuer.did });
    const client = clientOf(token);
    const templateId = await registerCard(world, 'Delivered card');
    await client.setWebhook({ name: 'desk', callbackUrl: receiver.url });
    receiver.answer.status = 500;
    await world.steps.apply(person('delivered'), templateId);
    await until('it was tried', async () => {
      await service.served.runChore('webhooks');
      return (await client.listDeliveries({ name: 'desk' })).deliveries.length > 0;
    });
    const [failed] = (await client.listDeliveries({ name: 'desk' })).deliveries;
    assert.ok(failed);
    assert.deepEqual(
      [failed.isTaken, failed.status, failed.problem, failed.attempt, failed.events, failed.isResent],
      [false, 500, 'the receiver answered 500', 1, 1, false],
    );
    const before = await client.resendDelivery({ name: 'desk', id: failed.id });
    assert.deepEqual([before.isTaken, before.isResent], [false, true]);
    receiver.answer.status = 204;
    const { lastId } = (await client.listWebhooks()).webhooks[0] as { lastId: string };
    const taken = await client.resendDelivery({ name: 'desk', id: failed.id });
    assert.deepEqual([taken.isTaken, taken.status, taken.firstId], [true, 204, failed.firstId]);
    const eventsOf = (body: string) => JSON.parse(body).events;
    assert.deepEqual(eventsOf(receiver.bodies.at(-1) as string), eventsOf(receiver.bodies[0] as string));
    assert.equal(
      (await client.listWebhooks()).webhooks[0]?.lastId,
      lastId,
      'the order of events is not touched',
    );
    assert.ok(!JSON.stringify(await client.listDeliveries({ name: 'desk' })).includes('hidden'));

    const stranger = await newParty('9');
    await stranger.client.setWebhook({ name: 'desk', callbackUrl: receiver.url });
    assert.deepEqual((await stranger.client.listDeliveries({ name: 'desk' })).deliveries, []);
    const posts = receiver.bodies.length;
    await assert.rejects(stranger.client.resendDelivery({ name: 'desk', id: failed.id }), {
      code: 'deliveryUnknown',
    });
    await assert.rejects(stranger.client.resendDelivery({ name: 'other', id: failed.id }), {
      code: 'webhookUnknown',
    });
    assert.equal(receiver.bodies.length, posts);
    await client.removeWebhook({ name: 'desk' });
    await assert.rejects(client.listDeliveries({ name: 'desk' }), { code: 'webhookUnknown' });
  });
});

describe('the audit log', () => {
  test('proves an entry by the way from it to what the ledger holds', async (context) => {
    const own = await startService(context, { proofs });
    const registry = own.served.parts.ledger.registries.credentials;
    const ledger = { client: own.ledger, registry };
    const { audit } = own.served.parts;
    for (let count = 0; count < 250; count += 1)
      await audit.record({
        action: 'trustList.set',
        subject: `list ${count}`,
        actor: { keyId: 'k', did: 'd' },
      });
    const unanchored = await proveAuditEntry(own.admin, 5, ledger);
    assert.equal(unanchored.anchor, undefined);
    await own.served.runChore('anchor');
    await audit.record({ action: 'trustList.set', subject: 'later' });
    const proven = await proveAuditEntry(own.admin, 5, ledger);
    assert.equal(proven.entry.sequence, 5);
    const { anchor: told } = await own.admin.getAuditHead();
    assert.deepEqual(proven.end, { sequence: told?.sequence, hash: told?.hash });
    assert.ok(proven.length > 200, 'more than a page');
    assert.equal(proven.anchor?.txHash, told?.txHash);
    assert.ok((proven.anchor?.ledgerSeq ?? 0n) > 0n);
    const { sequence } = await own.admin.getAuditHead();
    assert.equal((await proveAuditEntry(own.admin, sequence, ledger)).anchor, undefined, 'not anchored yet');

    await assert.rejects(proveAuditEntry(own.admin, sequence + 1, ledger), { code: 'auditEntryUnknown' });
    await assert.rejects(own.issuer.client.getAuditProof({ sequence: '1' }), { code: 'notAllowed' });
    await assert.rejects(own.admin.getAuditProof({ sequence: '5', after: '2' }), {
      code: 'auditEntryUnknown',
    });

    const lying = (change: (reply: Awaited<ReturnType<CredentialClient['getAuditProof']>>) => void) => ({
      getAuditProof: async (question: { sequence: string; after?: string }) => {
        const reply = structuredClone(await own.admin.getAuditProof(question));
        change(reply);
        return reply;
      },
    });
    const lies = {
      'an entry is changed': lying(({ chain }) => Object.assign(chain[0] ?? {}, { subject: 'another' })),
      'an entry is left out': lying(({ chain }) => void chain.splice(3, 1)),
      'another end': lying(({ end }) => Object.assign(end, { hash: '0'.repeat(64) })),
      'no end': lying((reply) => Object.assign(reply, { chain: [] })),
      'another transaction': lying(({ anchor }) => Object.assign(anchor ?? {}, { txHash: '0'.repeat(64) })),
    };
    for (const [name, service] of Object.entries(lies))
      await assert.rejects(proveAuditEntry(service as never, 5, ledger), { code: 'unexpectedReply' }, name);
    const elsewhere = { ...ledger, registry: own.issuer.address };
    await assert.rejects(proveAuditEntry(own.admin, 5, elsewhere), { code: 'unexpectedReply' });
  });
});
