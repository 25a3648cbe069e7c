/**
 * The rest of what the service's records do on every database: templates, changes of status, requests with an
 * idempotency key, and forgetting. Run like `store.conformance.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '@symbolon/host/work/clock';
import { createIdempotencyStore } from '../access/idempotency.ts';
import { addBlob, claimBlob } from '../blobs/blob-rows.ts';
import { findCredential, sweepDownloads } from '../issuance/credential-rows.ts';
import { recordLimits } from '../limits/service-limits.ts';
import { sweepAll } from '../operation/sweep.ts';
import {
  beginStatusChanges,
  finishStatusChanges,
  listStatusChanges,
  prepareStatusChanges,
  releaseStatusChanges,
  statusHistory,
} from '../status/status-change-rows.ts';
import {
  findStoredTemplate,
  findTemplateByName,
  listTemplateVersions,
  registerTemplateVersion,
  releaseTemplate,
  reserveTemplate,
  searchTemplates,
} from '../templates/template-rows.ts';
import { addVaultKey } from '../vault/vault-key-rows.ts';
import type { Queries } from './schema.ts';
import {
  asEncrypted,
  did,
  freshClock,
  freshVault,
  issued,
  issuer,
  type MakeRecords,
  start,
  template,
  textOf,
  twentyTimes,
} from './testing/records.ts';
import { endWorker, renewWorker } from './workers.ts';

const wins = (results: readonly unknown[]): number => results.filter(Boolean).length;

export function registerRecordsConformance(name: string, make: MakeRecords): void {
  registerTemplates(name, make);
  registerStatusChanges(name, make);
  registerIdempotency(name, make);
  registerSweeps(name, make);
}

function reserve(queries: Queries, title: string, by = issuer): Promise<boolean> {
  const { id, issuer: owner } = template(title, '1.0', by);
  return reserveTemplate(queries, {
    id,
    name: title,
    nameKey: title.toLowerCase(),
    issuer: owner,
    now: start,
  });
}

async function register(queries: Queries, title: string, version = '1.0'): Promise<void> {
  await reserve(queries, title);
  await registerTemplateVersion(queries, { template: template(title, version), txHash: 'aa', now: start });
}

function registerTemplates(name: string, make: MakeRecords): void {
  test(`${name}: a template name belongs to the first issuer that asks`, async (context) => {
    const { kysely } = await make(context);
    const issuers = Array.from({ length: 20 }, (_, index) => did('0123456789abcdef0123'[index]));
    const results = await Promise.all(issuers.map((by) => reserve(kysely, 'Degree', by)));
    const winner = (await findTemplateByName(kysely, 'degree'))?.issuer;
    assert.deepEqual(
      results,
      issuers.map((by) => by === winner),
    );
    assert.deepEqual((await searchTemplates(kysely)).items, [], 'a reserved name is not shown');
    await releaseTemplate(kysely, template('Degree', '1', winner).id);
    assert.equal(await reserve(kysely, 'Degree', did('9')), true);
  });

  test(`${name}: versions grow, the latest is served, history is kept`, async (context) => {
    const { kysely } = await make(context);
    for (const version of ['1.9', '1.10', '1.2', '1.10']) await register(kysely, 'Degree', version);
    const { id } = template('Degree');
    assert.equal((await findStoredTemplate(kysely, id))?.template.version, '1.10');
    assert.deepEqual((await findStoredTemplate(kysely, id, '1.2'))?.template, template('Degree', '1.2'));
    assert.equal(await findStoredTemplate(kysely, id, '7'), undefined);
    const page = await listTemplateVersions(kysely, id, { limit: 2 });
    const rest = await listTemplateVersions(kysely, id, { limit: 2, cursor: page.next });
    const versions = [...page.items, ...rest.items].map((item) => item.template.version);
    assert.deepEqual(versions, ['1.10', '1.9', '1.2']);
    assert.equal((await searchTemplates(kysely)).items[0]?.latestVersion, '1.10');
    await releaseTemplate(kysely, id);
    assert.ok(await findTemplateByName(kysely, 'degree'), 'a registered name is not given back');
  });

  test(`${name}: templates are searched by text and prefix, page by page`, async (context) => {
    const { kysely } = await make(context);
    const titles = ['Bus Pass', 'Pass_100%', 'Passport', 'passé', 'Degree'];
    for (const title of titles) await register(kysely, title);
    const names = async (search: Parameters<typeof searchTemplates>[1]) =>
      (await searchTemplates(kysely, search)).items.map((item) => item.name).sort();
    assert.deepEqual(await names({ text: 'pass' }), ['Bus Pass', 'Pass_100%', 'Passport', 'passé']);
    assert.deepEqual(await names({ text: '%' }), ['Pass_100%']);
    assert.deepEqual(await names({ text: '_' }), ['Pass_100%']);
    assert.deepEqual(await names({ text: `' or 1=1 --` }), []);
    assert.deepEqual(await names({ issuer: did('c') }), []);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await searchTemplates(kysely, { limit: 2, cursor });
      seen.push(...page.items.map((item) => item.name));
      cursor = page.next;
    } while (cursor !== undefined);
    assert.deepEqual(seen.sort(), titles.sort());
  });
}

function registerStatusChanges(name: string, make: MakeRecords): void {
  const prepare = (
    queries: Queries,
    blobId: string,
    vcIds: readonly string[],
    kind: 'revoke' | 'suspend' | 'reinstate',
  ) =>
    prepareStatusChanges(queries, {
      blobId,
      kind,
      credentials: vcIds.map((vcId) => ({ vcId, remark: asEncrypted('why'), remarkHash: 'hh' })),
      now: start,
    });
  const step = (blobId: string) => ({ blobId, now: start + 1, txHash: 'tt' });

  test(`${name}: of twenty changes of one credential one is under way`, async (context) => {
    const { kysely } = await make(context);
    const vcId = await issued(kysely);
    await twentyTimes((index) => prepare(kysely, `blob${index}`, [vcId], 'revoke'));
    const begun = await twentyTimes((index) => beginStatusChanges(kysely, step(`blob${index}`)));
    assert.equal(wins(begun), 1);
    const winner = `blob${begun.indexOf(true)}`;
    assert.equal((await findCredential(kysely, vcId))?.changeBlobId, winner);
    assert.equal(await beginStatusChanges(kysely, step(winner)), false, 'not twice');
    assert.equal((await findCredential(kysely, vcId))?.changeBlobId, winner, 'a repeat frees nothing');
    assert.deepEqual(await finishStatusChanges(kysely, step(winner)), [vcId]);
    assert.deepEqual(await finishStatusChanges(kysely, step(winner)), []);
    assert.equal((await findCredential(kysely, vcId))?.status, 'revoked');
    assert.equal((await statusHistory(kysely, vcId))[0]?.txHash, 'tt');
    const other = winner === 'blob0' ? 'blob1' : 'blob0';
    assert.equal(await beginStatusChanges(kysely, step(other)), false, 'revoked is final');
  });

  test(`${name}: many credentials change together or not at all`, async (context) => {
    const { kysely } = await make(context);
    const [first, second] = [await issued(kysely), await issued(kysely)];
    await prepare(kysely, 'one', [first], 'suspend');
    await prepare(kysely, 'both', [first, second], 'revoke');
    assert.equal(await beginStatusChanges(kysely, step('one')), true);
    assert.equal(await beginStatusChanges(kysely, step('both')), false);
    assert.equal((await findCredential(kysely, second))?.changeBlobId, null);
    await finishStatusChanges(kysely, step('one'));
    assert.equal((await findCredential(kysely, first))?.status, 'suspended');
    assert.equal(await beginStatusChanges(kysely, step('both')), true);
    await releaseStatusChanges(kysely, step('both'));
    await prepare(kysely, 'back', [first], 'reinstate');
    assert.equal(await beginStatusChanges(kysely, step('back')), true);
    await finishStatusChanges(kysely, step('back'));
    assert.equal((await findCredential(kysely, first))?.status, 'active');
    assert.equal(await beginStatusChanges(kysely, step('unknown')), false);
    assert.equal((await listStatusChanges(kysely, 'both')).length, 2);
  });

  test(`${name}: a change of an unknown credential is refused`, async (context) => {
    const { kysely } = await make(context);
    await assert.rejects(prepare(kysely, 'blob', [did('e')], 'revoke'));
  });
}

const vault = freshVault();
const idempotencyIn = (queries: Queries, clock: Clock, worker = 'worker') =>
  createIdempotencyStore({ queries, vault, clock, worker, signal: new AbortController().signal });

function registerIdempotency(name: string, make: MakeRecords): void {
  const request = { key: 'k', caller: 'key:one', fingerprint: 'f' };
  const answer = (text: string) => ({ status: 200, contentType: 'text/plain', text, headers: { a: 'b' } });

  test(`${name}: of twenty equal requests one runs, and later ones get its answer`, async (context) => {
    const database = await make(context);
    const { kysely } = database;
    await renewWorker(database, 'worker');
    const records = idempotencyIn(kysely, freshClock());
    const begun = await twentyTimes(() => records.begin(request));
    const go = begun.filter((verdict) => verdict.outcome === 'go');
    assert.equal(go.length, 1);
    assert.equal(begun.filter(({ outcome }) => outcome === 'inProgress').length, 19);
    await go[0].finish(answer('Ada'));
    assert.deepEqual(await records.begin(request), { outcome: 'replay', answer: answer('Ada') });
    assert.equal((await records.begin({ ...request, fingerprint: 'g' })).outcome, 'mismatch');
    assert.equal((await records.begin({ ...request, caller: 'key:two' })).outcome, 'go');
    await go[0].release();
    assert.equal((await records.begin(request)).outcome, 'replay', 'a finished request is not released');
    const rows = await kysely
      .selectFrom('idempotency')
      .select('response')
      .where('state', '=', 'done')
      .execute();
    assert.ok(!textOf(rows[0].response).includes('Ada'), 'the answer is encrypted');
  });

  test(`${name}: a released or lost request can run again, a lapsed record is new`, async (context) => {
    const database = await make(context);
    const { kysely } = database;
    const clock = freshClock();
    await renewWorker(database, 'dying');
    const records = idempotencyIn(kysely, clock, 'dying');
    const first = await records.begin(request);
    assert.ok(first.outcome === 'go');
    await first.release();
    const second = await records.begin(request);
    assert.ok(second.outcome === 'go');
    await renewWorker(database, 'living');
    const heirs = idempotencyIn(kysely, clock, 'living');
    assert.equal((await heirs.begin(request)).outcome, 'inProgress', 'its process lives');
    await endWorker(kysely, 'dying');
    assert.equal((await heirs.begin({ ...request, fingerprint: 'g' })).outcome, 'mismatch');
    const takeovers = await twentyTimes(() => heirs.begin(request));
    const [third, ...others] = takeovers.filter((verdict) => verdict.outcome === 'go');
    assert.deepEqual(others, []);
    await second.finish(answer('late'));
    await second.release();
    assert.equal((await records.begin(request)).outcome, 'inProgress', 'the lost run has no say');
    await third.finish(answer('right'));
    assert.deepEqual(await records.begin(request), { outcome: 'replay', answer: answer('right') });
    clock.advanceMs(recordLimits.idempotencyLifetimeMs);
    assert.equal((await records.begin({ ...request, fingerprint: 'g' })).outcome, 'go');
  });
}

function registerSweeps(name: string, make: MakeRecords): void {
  test(`${name}: what has lapsed goes, what is claimed or in time stays`, async (context) => {
    const { kysely } = await make(context);
    const add = (id: string, expiresAt: number) =>
      addBlob(kysely, {
        id,
        kind: 'revoke',
        owner: issuer,
        payload: asEncrypted('x'),
        now: start,
        expiresAt,
      });
    await add('lapsed', start + 1);
    await add('claimed', start + 1);
    await add('waiting', start + 1_000);
    await claimBlob(kysely, { id: 'claimed', kinds: ['revoke'], now: start });
    const old = await issued(kysely, { downloadExpiresAt: start + 1 });
    const recent = await issued(kysely, { downloadExpiresAt: start + 1_000 });
    const clock = freshClock();
    const records = idempotencyIn(kysely, clock);
    clock.setMs(start + 1 - recordLimits.idempotencyLifetimeMs);
    await records.begin({ key: 'old', caller: 'c', fingerprint: 'f' });
    clock.setMs(start);
    await records.begin({ key: 'new', caller: 'c', fingerprint: 'f' });
    const pair = {
      kind: 'seal',
      owner: 'service',
      secret: asEncrypted('x'),
      createdAt: 0,
      validFrom: 0,
    } as const;
    await addVaultKey(kysely, { ...pair, id: 'ended', publicKey: 'ended', validUntil: start + 1 });
    await addVaultKey(kysely, { ...pair, id: 'live', publicKey: 'live', validUntil: start + 2 });
    const counts = {
      blobs: 1,
      browserSessions: 0,
      downloads: 1,
      idempotency: 1,
      statusChanges: 0,
      sealKeys: 1,
      payments: 0,
      sessions: 0,
      deliveries: 0,
      lapsedOffers: 0,
      offers: 0,
      webhooks: 0,
      apiKeys: 0,
      requests: 0,
      savedPresentations: 0,
      oldRuleSignatures: 0,
      rates: 0,
      openidAuthorizations: 0,
      openidDatasets: 0,
      openidGrants: 0,
      openidLapsedOffers: 0,
      openidOffers: 0,
      openidSeenProofs: 0,
    };
    assert.deepEqual(await sweepAll(kysely, start + 1), counts);
    const left = await kysely.selectFrom('blobs').select('id').orderBy('id').execute();
    assert.deepEqual(
      left.map(({ id }) => id),
      ['claimed', 'waiting'],
    );
    assert.equal((await findCredential(kysely, old))?.credential, null, 'the row stays');
    assert.ok((await findCredential(kysely, recent))?.credential);
    assert.equal((await sweepAll(kysely, start + 1)).downloads, 0);
  });

  test(`${name}: prepared changes go with their blob, done ones stay`, async (context) => {
    const { kysely } = await make(context);
    const vcId = await issued(kysely);
    const credentials = [{ vcId, remark: null, remarkHash: null }];
    for (const blobId of ['forgotten', 'done'])
      await prepareStatusChanges(kysely, { blobId, kind: 'suspend', credentials, now: start });
    await beginStatusChanges(kysely, { blobId: 'done', now: start });
    await finishStatusChanges(kysely, { blobId: 'done', txHash: 't', now: start });
    assert.equal((await sweepAll(kysely, start + recordLimits.lapsedKeptMs)).statusChanges, 1);
    assert.equal((await listStatusChanges(kysely, 'done')).length, 1);
  });

  test(`${name}: a sweep is bounded`, async (context) => {
    const { kysely } = await make(context);
    const count = recordLimits.batchRowsMax + 3;
    await Promise.all(Array.from({ length: count }, () => issued(kysely, { downloadExpiresAt: start })));
    assert.equal(await sweepDownloads(kysely, start), recordLimits.batchRowsMax);
    assert.equal(await sweepDownloads(kysely, start), 3);
  });
}
