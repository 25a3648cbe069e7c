/**
 * What names of parties, the search, keys of a party, posts to webhooks and the log of requests do on every database.
 * Run like `store.conformance.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deliveryLimits,
  ownKeyLimits,
  requestLogLimits,
  searchLimits,
} from '@symbolon/core/limits/directory';
import { CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { sweepApiKeys } from '../access/api-key-rows.ts';
import { createApiKeys } from '../access/api-keys.ts';
import { createRequestLog } from '../access/request-log.ts';
import { sweepRequests } from '../access/request-log-rows.ts';
import type { Queries } from '../database/schema.ts';
import {
  applied,
  asEncrypted,
  did,
  freshClock,
  holder,
  issued,
  issuer,
  type MakeRecords,
  start,
  template,
} from '../database/testing/records.ts';
import { findDelivery, pageDeliveries, rememberDelivery } from '../events/delivery-rows.ts';
import { addWebhook, removeWebhook } from '../events/webhook-rows.ts';
import { claimName, findOthersNames, releaseOwnNames } from '../templates/name-form-rows.ts';
import { registerTemplateVersion, reserveTemplate } from '../templates/template-rows.ts';
import { findPartyProfile, findProfiles, putProfile, removeProfile } from './profile-rows.ts';
import * as search from './search-rows.ts';

const other = did('c');
const profile = (of: string, name: string) =>
  ({ did: of, name, site: null, word: 'itself', updatedAt: start }) as const;

export function registerDirectoryConformance(name: string, make: MakeRecords): void {
  registerNames(name, make);
  registerSearch(name, make);
  registerKeysAndCalls(name, make);
}

function registerNames(name: string, make: MakeRecords): void {
  test(`${name}: a party has one name, and nobody has one that is read alike`, async (context) => {
    const { kysely } = await make(context);
    assert.ok(await putProfile(kysely, profile(issuer, 'University of Example'), undefined));
    assert.equal(await putProfile(kysely, profile(other, 'Univers1ty of Example'), undefined), false);
    assert.equal(await findPartyProfile(kysely, other), undefined);
    assert.ok(await putProfile(kysely, profile(issuer, 'College of Example'), undefined));
    assert.ok(await putProfile(kysely, profile(other, 'University of Example'), undefined), 'given up');
    const found = await findProfiles(kysely, [other, issuer, did('d')]);
    assert.deepEqual(
      found.map((one) => one.name),
      ['College of Example', 'University of Example'],
    );
    assert.ok(await removeProfile(kysely, other));
    assert.equal(await removeProfile(kysely, other), false);
    assert.ok(await putProfile(kysely, profile(did('d'), 'UNIVERSITY of Example'), undefined));
  });

  test(`${name}: a name here stays when the one on the ledger changes, and the other way round`, async (context) => {
    const { kysely } = await make(context);
    await claimName(kysely, { name: 'Example Bank', issuer, subject: issuer });
    assert.ok(await putProfile(kysely, profile(issuer, 'Example Bank'), 'Example Bank'));
    await releaseOwnNames(kysely, { issuer, name: undefined });
    const isOthers = async (wanted: string) =>
      (await findOthersNames(kysely, [{ name: wanted, issuer: other }])).has(wanted);
    assert.ok(await isOthers('Example Bank'));
    assert.ok(await putProfile(kysely, profile(issuer, 'Other Bank'), 'Example Bank'));
    assert.ok(await isOthers('Example Bank'), 'it still goes by that name on the ledger');
    assert.ok(await isOthers('Other Bank'));
  });
}

const idOf = (digits: string): string => `did:zid:${digits.padEnd(64, '0')}`;

async function register(queries: Queries, templateName: string): Promise<string> {
  const made = template(templateName);
  const { id, issuer } = made;
  const nameKey = templateName.toLowerCase();
  await reserveTemplate(queries, { id, name: templateName, nameKey, issuer, now: start });
  await registerTemplateVersion(queries, { template: made, txHash: 't', now: start });
  return id;
}

function registerSearch(name: string, make: MakeRecords): void {
  test(`${name}: names and identifiers are found by how they begin, and signs of patterns are letters`, async (context) => {
    const { kysely } = await make(context);
    const degree = await register(kysely, 'Degree');
    await register(kysely, 'Decision');
    await register(kysely, '100% proof');
    await reserveTemplate(kysely, {
      id: did('9'),
      name: 'Desired',
      nameKey: 'desired',
      issuer,
      now: start,
    });
    const namesOf = async (beginning: string) =>
      (await search.templatesByName(kysely, beginning)).map((one) => one.name);
    assert.deepEqual(await namesOf('de'), ['Decision', 'Degree']);
    assert.deepEqual(await namesOf('100%'), ['100% proof']);
    assert.deepEqual(await namesOf('%'), []);
    assert.deepEqual(
      (await search.templatesById(kysely, degree.slice(0, 20))).map(({ id }) => id),
      [degree],
    );
    await putProfile(kysely, profile(issuer, 'Émile'), undefined);
    assert.deepEqual(
      (await search.profilesByName(kysely, 'émi')).map((one) => one.did),
      [issuer],
    );
    assert.equal((await search.profilesById(kysely, issuer.slice(0, 12))).length, 1);
  });

  test(`${name}: of credentials that begin alike only the caller's are found, and few are looked at`, async (context) => {
    const { kysely } = await make(context);
    const own = { issuer };
    const vcId = await issued(kysely, { vcId: idOf('abcd1') });
    await issued(kysely, { vcId: idOf('abcd2'), issuer: other });
    await applied(kysely, { vcId: idOf('abcd3') });
    const find = (table: 'credentials' | 'applications', whose: search.OwnCredentials) =>
      search.ownByBeginning(kysely, table, { beginning: 'did:zid:abcd', own: whose });
    assert.deepEqual(await find('credentials', own), [{ vcId, templateName: null }]);
    assert.equal((await find('credentials', { holder })).length, 2);
    assert.deepEqual(await find('credentials', { holder: did('e') }), []);
    assert.equal((await find('applications', own)).length, 1);
    assert.deepEqual(await find('applications', { issuer: other }), []);
    for (let index = 0; index < searchLimits.lookedAtMax; index += 1)
      await issued(kysely, { vcId: idOf(`5555${index.toString(16).padStart(4, '0')}`), issuer: other });
    await issued(kysely, { vcId: idOf('5555ffff') });
    const behindMany = { beginning: 'did:zid:5555', own };
    assert.deepEqual(await search.ownByBeginning(kysely, 'credentials', behindMany), []);
  });

  test(`${name}: no search reads a whole table`, async (context) => {
    const database = await make(context);
    // The plans of PostgreSQL depend on how much there is.
    if (database.dialect !== 'sqlite') return;
    const plans = await plansOf(database.kysely, async (queries) => {
      const own = { issuer, holder };
      await search.templatesByName(queries, 'de');
      await search.templatesById(queries, 'did:zid:ab');
      await search.profilesByName(queries, 'de');
      await search.profilesById(queries, 'did:zid:ab');
      await search.ownByBeginning(queries, 'credentials', { beginning: 'did:zid:abcd', own });
      await search.ownByBeginning(queries, 'applications', { beginning: 'did:zid:abcd', own });
      await pageDeliveries(queries, 'w', {});
      await createRequestLog(queries, freshClock()).list('key', {});
      await createApiKeys(queries, freshClock()).listOf({ did: issuer });
      await createApiKeys(queries, freshClock()).list();
    });
    assert.ok(plans.length >= 10);
    // The rows that begin alike are read from the inner query, which is bounded.
    const scans = plans.filter((step) => /^SCAN (?!alike|CO-ROUTINE)(?!.*USING)/.test(step));
    assert.deepEqual(scans, []);
    assert.ok(!plans.some((step) => step.includes('TEMP B-TREE')), plans.join('\n'));
  });
}

/** How SQLite would do each statement of some work. */
async function plansOf(kysely: Queries, work: (queries: Queries) => Promise<unknown>): Promise<string[]> {
  const nodes: RootOperationNode[] = [];
  const recorder: KyselyPlugin = {
    transformQuery({ node }) {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await work(kysely.withPlugin(recorder));
  const plans: string[] = [];
  for (const node of nodes) {
    const { sql, parameters } = kysely.getExecutor().compileQuery(node, { queryId: 'plan' });
    const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
    const { rows } = await kysely.executeQuery<{ detail: string }>(explained);
    plans.push(...rows.map(({ detail }) => detail));
  }
  return plans;
}

const webhook = (id: string) => ({
  id,
  keyId: 'key',
  name: id,
  address: asEncrypted('x'),
  isAll: 1,
  cursor: 0,
  state: 'active' as const,
  attempts: 0,
  nextAttemptAt: 0,
  createdAt: start,
  updatedAt: start,
});

const call = (keyId: string, count: number) => ({
  keyId,
  route: 'listEvents',
  method: 'GET',
  status: 200,
  code: 'ok',
  seconds: 0.0042,
  requestId: `r${count}`,
});

function registerKeysAndCalls(name: string, make: MakeRecords): void {
  test(`${name}: keys belong together by their DID, or by the key that they come from`, async (context) => {
    const { kysely } = await make(context);
    const clock = freshClock();
    const keys = createApiKeys(kysely, clock);
    const made = async (more: object) =>
      (await keys.create({ label: 'x', scopes: ['verify'], ...more })).facts.id;
    const first = await made({ did: issuer });
    const theirs = await made({ did: other });
    const root = await made({});
    const child = await made({ family: root, madeBy: root });
    await made({});
    const idsOf = async (party: { did: string } | { family: string }) =>
      (await keys.listOf(party)).items.map(({ id }) => id).toSorted();
    assert.deepEqual(await idsOf({ did: issuer }), [first]);
    assert.deepEqual(await idsOf({ family: root }), [root, child].toSorted());
    assert.deepEqual(await idsOf({ family: theirs }), [], 'a key of a DID is found by that');
    await keys.revoke(first);
    assert.equal(await sweepApiKeys(kysely, start + ownKeyLimits.endedKeptMs - 1), 0);
    assert.equal(await sweepApiKeys(kysely, start + ownKeyLimits.endedKeptMs), 1);
    assert.deepEqual(await idsOf({ did: issuer }), []);
  });

  test(`${name}: the last posts of a webhook are remembered, and go with it`, async (context) => {
    const { kysely } = await make(context);
    for (const id of ['a', 'b']) await addWebhook(kysely, webhook(id));
    const delivery = (webhookId: string, count: number) => ({
      id: `${webhookId}${String(count).padStart(4, '0')}`,
      webhookId,
      at: start + count,
      firstId: count,
      lastId: count,
      events: 1,
      attempt: 1,
      isResent: 0,
      status: 200,
      problem: null,
      ms: 3,
    });
    const count = deliveryLimits.perWebhookMax + 5;
    for (let index = 0; index < count; index += 1) await rememberDelivery(kysely, delivery('a', index));
    await rememberDelivery(kysely, delivery('b', 0));
    const page = await pageDeliveries(kysely, 'a', { limit: 200 });
    assert.equal(page.items.length, deliveryLimits.perWebhookMax);
    assert.equal(page.items[0]?.id, delivery('a', count - 1).id);
    assert.equal(page.next, undefined);
    const first = await pageDeliveries(kysely, 'a', { limit: 150 });
    const second = await pageDeliveries(kysely, 'a', {
      limit: 150,
      ...(first.next && { cursor: first.next }),
    });
    assert.equal(first.items.length + second.items.length, deliveryLimits.perWebhookMax);
    assert.equal(await findDelivery(kysely, { webhookId: 'a', id: 'b0000' }), undefined);
    assert.ok(await findDelivery(kysely, { webhookId: 'b', id: 'b0000' }));
    await removeWebhook(kysely, { keyId: 'key', name: 'b' });
    assert.equal(await findDelivery(kysely, { webhookId: 'b', id: 'b0000' }), undefined);
  });

  test(`${name}: the last calls of a key are remembered in order, and no more than that`, async (context) => {
    const { kysely } = await make(context);
    const clock = freshClock();
    const log = createRequestLog(kysely, clock);
    const { perKeyMax, trimAfter, keptMs } = requestLogLimits;
    log.note(call('other', 0));
    const count = perKeyMax + 2 * trimAfter;
    for (let index = 0; index < count; index += 1) {
      if (index % 50 === 0) await log.write();
      log.note(call('key', index));
    }
    const idsOf = async (cursor?: string) => log.list('key', { limit: 200, ...(cursor && { cursor }) });
    const told: string[] = [];
    for (let page = await idsOf(); ; page = await idsOf(page.next)) {
      told.push(...page.items.map(({ requestId }) => requestId));
      if (page.next === undefined) break;
    }
    assert.deepEqual(told.slice(0, 2), [`r${count - 1}`, `r${count - 2}`]);
    assert.ok(told.length >= perKeyMax && told.length < perKeyMax + trimAfter, String(told.length));
    for (let index = 0; index < 2 * perKeyMax; index += 1) log.note(call('busy', index));
    const busy = await log.list('busy', { limit: 200 });
    assert.equal(busy.items[0]?.requestId, `r${2 * perKeyMax - 1}`, 'the newest of too many in one turn');
    assert.equal((await log.list('other', {})).items[0]?.ms, 4);
    assert.equal(await sweepRequests(kysely, start + keptMs - 1), 0);
    assert.ok((await sweepRequests(kysely, start + keptMs)) > 0);
  });
}
