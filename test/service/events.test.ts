/**
 * The service's events: one stream out of the audit log, in which everybody sees what concerns them and nothing else.
 * Whoever is cut off goes on from the last id, and hears everything once, in order: under load, over a restart, and from
 * another replica on the same PostgreSQL.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventLimits } from '@symbolon/core/limits/waiting';
import type { CredentialClient } from '@symbolon/sdk/service/credential-client';
import { type ServiceEvent, serviceEventNames } from '@symbolon/wire/events/service-events';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { startPostgres } from '../support/postgres.ts';
import { startNode } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, postService } from '../support/service-http.ts';
import { createSteps, ok, paths, revokeBody, signedBlobBody } from '../support/service-steps.ts';
import {
  makeIssuer,
  makeParty,
  plainPost,
  registerCard,
  type World,
  worldOf,
} from '../support/service-world.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let service: RunningService;
let world: World;
let templateId: string;

before(async () => {
  service = await startService(owner, { node: await startNode(owner), proofs });
  world = worldOf(service);
  templateId = await registerCard(world, 'Event card');
});

const namesOf = (events: readonly ServiceEvent[]): string[] => events.map(({ event }) => event);
const idsOf = (events: readonly ServiceEvent[]): number[] => events.map(({ id }) => Number(id));

/** Everything there is, page after page. */
async function everything(client: CredentialClient, after = '0', limit = '200'): Promise<ServiceEvent[]> {
  const page = await client.listEvents({ after, limit });
  return page.events.length === 0 ? [] : [...page.events, ...(await everything(client, page.lastId, limit))];
}

/** Watches until told to stop; opened when it resolves. */
function watching(
  client: CredentialClient,
  place: { readonly after?: string; readonly from?: 'start' } = {},
) {
  const heard: ServiceEvent[] = [];
  const stop = new AbortController();
  const done = (async () => {
    for await (const event of client.watchEvents(place, { signal: stop.signal })) heard.push(event);
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  return {
    heard,
    async stop() {
      stop.abort();
      await done;
    },
  };
}

async function revoke(vcId: string, { issuer, url }: Pick<World, 'issuer' | 'url'> = world): Promise<void> {
  const blob = ok(await postService(url, paths.revokeBlob, revokeBody(issuer, vcId), issuer));
  ok(await postService(url, paths.revokeSubmit, signedBlobBody(issuer, blob), issuer));
}

/** Somebody who only asks: one session, opened and left. */
const ask = (client: CredentialClient) =>
  client.requestVerification({ requirements: { credentials: [{ id: templateId }] }, expirationMinutes: 1 });

describe('what is told', () => {
  test('the life of a credential, as it happens and in order, without a word about its holder', async () => {
    const { issuer } = service;
    const holder = person('somebody private');
    const { lastId, events } = await issuer.client.listEvents({ from: 'end' });
    assert.deepEqual(events, []);
    const watch = watching(issuer.client, { after: lastId });
    const { vcId } = await world.steps.issue({ issuer: world.issuer, holder }, templateId);
    await revoke(vcId);
    await until('all four are told', async () => watch.heard.length >= 4);
    await watch.stop();
    assert.deepEqual(namesOf(watch.heard), [
      'application.received',
      'application.approved',
      'credential.issued',
      'credential.revoked',
    ]);
    for (const { subject, issuer: of, templateId: template, time } of watch.heard) {
      assert.deepEqual([subject, of, template], [vcId, issuer.did, templateId]);
      assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000);
    }
    const [, , issued, revoked] = watch.heard;
    assert.match(issued?.txHash ?? '', /^[0-9a-f]{64}$/);
    assert.match(revoked?.txHash ?? '', /^[0-9a-f]{64}$/);
    const told = JSON.stringify(watch.heard);
    for (const secret of [holder.address, holder.publicKey, 'Aroha', '1990'])
      assert.ok(!told.includes(secret), secret);
  });

  test('what was refused or only read is no event, and every name is one of the vocabulary', async () => {
    const refused = await postService(world.url, paths.apply, { templateId });
    assert.notEqual(refused.status, 200);
    const all = await everything(service.admin);
    assert.ok(all.every(({ event }) => (serviceEventNames as readonly string[]).includes(event)));
    const { entries } = await service.admin.listAuditEntries({ limit: '200' });
    assert.ok(entries.some(({ action }) => action === 'service.start'));
    assert.ok(entries.length > all.length, 'the log has more than events');
  });

  test('a stream without a place begins with what comes; from the start, with everything', async () => {
    const { client } = service.issuer;
    const [late, early] = [watching(client), watching(client, { from: 'start' })];
    const before = await everything(client);
    await until('the old ones are told', async () => early.heard.length >= before.length);
    const vcId = await world.steps.apply(person('later'), templateId);
    await until('both hear of it', async () =>
      [late, early].every(({ heard }) => heard.at(-1)?.subject === vcId),
    );
    await Promise.all([late.stop(), early.stop()]);
    assert.deepEqual(namesOf(late.heard), ['application.received']);
    assert.deepEqual(early.heard, await everything(client));
  });
});

describe('who hears what', () => {
  test('an issuer its own, a verifier what it asked, an operator everything, and nobody what is others’', async () => {
    const access = { url: service.url, client: service.ledger, apiKeys: service.served.apiKeys };
    const other = await makeIssuer(access, 'the other university');
    const steps = createSteps(plainPost(service.url), world.signedFor);
    const { templateId: theirs } = await steps.registerTemplate(other, { templateName: 'Their card' });
    await steps.apply(person('of the other'), theirs as string);
    const desk = await makeParty(access, 'another verifier', ['verify']);
    const clientOf = (apiKey: string) => service.clientWith({ apiKey });
    const { presentationId: mine } = await ask(service.verifier.client);
    const { presentationId: others } = await ask(clientOf(desk.apiKey));

    const seenBy = async (client: CredentialClient) =>
      new Set((await everything(client)).map(({ subject }) => subject));
    const [issuer, second, verifier, third, admin] = await Promise.all(
      [
        service.issuer.client,
        clientOf(other.apiKey),
        service.verifier.client,
        clientOf(desk.apiKey),
        service.admin,
      ].map(seenBy),
    );
    assert.ok(issuer?.has(templateId) && !issuer.has(theirs as string) && !issuer.has(mine));
    assert.ok(second?.has(theirs as string) && !second.has(templateId) && !second.has(mine));
    assert.ok(verifier?.has(mine) && !verifier.has(others) && !verifier.has(templateId));
    assert.deepEqual(third, new Set([others]));
    for (const subject of [templateId, theirs as string, mine, others]) assert.ok(admin?.has(subject));
    for (const event of await everything(service.issuer.client))
      assert.ok(event.issuer === service.issuer.did || event.verifier === service.issuer.did);
  });

  test('a key of the same DID that may only verify sees nothing of the issuer, and the reverse', async () => {
    const { apiKeys } = service.served;
    const keyFor = async (scopes: readonly ('verify' | 'issue' | 'present')[]) =>
      service.clientWith({
        apiKey: (await apiKeys.create({ label: 'one of two', scopes, did: service.issuer.did })).token,
      });
    const [checking, issuing] = [await keyFor(['verify']), await keyFor(['issue'])];
    const { presentationId } = await ask(checking);
    assert.ok((await everything(checking)).every(({ issuer }) => issuer === undefined));
    assert.ok((await everything(checking)).some(({ subject }) => subject === presentationId));
    assert.ok((await everything(issuing)).every(({ verifier }) => verifier === undefined));
    const holder = await keyFor(['present']);
    await assert.rejects(holder.listEvents(), { code: 'notAllowed' });
    await assert.rejects(service.stranger.listEvents(), { code: 'notAuthenticated' });
  });

  test('how a session ends is told to whoever opened it, whatever ended it', async () => {
    const { client } = service.verifier;
    const { presentationId: id, stateId } = await ask(client);
    ok(await postService(service.url, '/v1/presentation/abort', { presentation_id: id, state: stateId }));
    const own = (await everything(client)).filter(({ subject }) => subject === id);
    assert.deepEqual(namesOf(own), ['verification.requested', 'verification.aborted']);
  });
});

describe('going on', () => {
  test('cut off again and again under load: everything once, in order', async () => {
    const { client } = service.issuer;
    const start = (await everything(client)).at(-1)?.id ?? '0';
    const load = (async () => {
      for (let round = 0; round < 6; round += 1)
        await Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            world.steps.apply(person(`load ${round} ${index}`), templateId),
          ),
        );
    })();
    const heard: ServiceEvent[] = [];
    for (let cut = 1; heard.length < 48; cut += 1) {
      assert.ok(cut < 400, 'it comes to an end');
      let taken = 0;
      for await (const event of client.watchEvents({ after: heard.at(-1)?.id ?? start })) {
        heard.push(event);
        taken += 1;
        if (taken >= cut % 5 || heard.length === 48) break;
      }
    }
    await load;
    assert.deepEqual(idsOf(heard), idsOf(await everything(client, start)));
    assert.deepEqual(
      idsOf(heard),
      idsOf(heard).toSorted((left, right) => left - right),
    );
    assert.equal(new Set(idsOf(heard)).size, 48);
  });

  test('the header of browsers goes before the parameter, and an id that nobody gave is refused', async () => {
    const { apiKey, client } = service.issuer;
    const [first, second] = await everything(client);
    const headers = { authorization: `Bearer ${apiKey}`, 'last-event-id': first?.id ?? '' };
    const stream = await fetch(`${service.url}/v1/events?from=start`, { headers });
    assert.equal(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    const reader = stream.body?.getReader();
    let text = '';
    while (!text.includes('data: {"id":"', text.indexOf('\n\n'))) {
      text += new TextDecoder().decode((await reader?.read())?.value);
    }
    await reader?.cancel();
    const [opening, told] = text.split('\n\n');
    assert.equal(opening, `id: ${first?.id}\nevent: open\ndata: {"id":"${first?.id}"}`);
    assert.ok(told?.startsWith(`id: ${second?.id}\nevent: ${second?.event}\ndata: {`), told);
    for (const query of [
      '?after=x',
      '?after=-1',
      '?after=999999999',
      '?from=end',
      '?after=0&from=start',
      '?since=3',
    ]) {
      const { status, body } = await getService(service.url, `/v1/events${query}`, { apiKey });
      assert.equal(`${status} ${body.code}`, '400 requestMalformed', query);
    }
    const ahead = { authorization: `Bearer ${apiKey}`, 'last-event-id': '999999999' };
    const refused = await fetch(`${service.url}/v1/events`, { headers: ahead });
    const { errors } = (await refused.json()) as { errors: [{ pointer: string }] };
    assert.equal(errors[0].pointer, '/headers/last-event-id');
  });

  test('so many streams of one key and no more; whoever leaves makes room', async () => {
    const { apiKey } = await makeParty(service.served, 'many streams', ['verify']);
    const open = (signal: AbortSignal) =>
      fetch(`${service.url}/v1/events`, { headers: { authorization: `Bearer ${apiKey}` }, signal });
    const stops = Array.from({ length: eventLimits.streamsPerKeyMax }, () => new AbortController());
    for (const { signal } of stops) assert.equal((await open(signal)).status, 200);
    const refused = await open(new AbortController().signal);
    assert.equal(refused.status, 429);
    await refused.body?.cancel();
    stops[0]?.abort();
    await until('there is room', async () => {
      const stop = new AbortController();
      const { status } = await open(stop.signal);
      stop.abort();
      return status === 200;
    });
    for (const stop of stops) stop.abort();
  });
});

test('a restarted service goes on with the same events, and their ids hold', async (context) => {
  const first = await startService(context, { node: service.node, proofs });
  const card = await registerCard(worldOf(first), 'Restarted card');
  const before = await everything(first.issuer.client);
  const again = await first.restart();
  await worldOf(again).steps.apply(person('after the restart'), card);
  const after = await everything(again.issuer.client);
  assert.deepEqual(after.slice(0, before.length), before);
  assert.deepEqual(namesOf(after.slice(before.length)), ['application.received']);
  const { isIntact } = await again.served.parts.audit.verify();
  assert.ok(isIntact, 'the log is whole');
});

test('two services on one PostgreSQL: both tell what either did, each event once and in the same order', async (context) => {
  const { url: database } = await startPostgres(context);
  const left = await startService(context, { node: service.node, proofs, database });
  const card = await registerCard(worldOf(left), 'Shared card');
  const right = await startService(context, { node: service.node, proofs, database, folder: left.folder });
  const start = (await everything(left.issuer.client)).at(-1)?.id ?? '0';
  const watches = [left, right].map(({ issuer }) => watching(issuer.client, { after: start }));
  const apply = (at: RunningService, name: string) => worldOf(at).steps.apply(person(name), card);
  for (let round = 0; round < 5; round += 1)
    await Promise.all(
      [left, right].flatMap((at, side) =>
        Array.from({ length: 4 }, (_, index) => apply(at, `${round} ${side} ${index}`)),
      ),
    );
  await until('both have heard all', async () => watches.every(({ heard }) => heard.length >= 40));
  await sleep(2 * eventLimits.watchMs);
  const [one, two] = watches.map(({ heard }) => heard);
  await Promise.all(watches.map((watch) => watch.stop()));
  assert.equal(new Set(idsOf(one ?? [])).size, 40);
  assert.deepEqual(one, two);
  assert.deepEqual(one, await everything(right.issuer.client, start));
});
