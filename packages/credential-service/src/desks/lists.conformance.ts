/**
 * The lists of issuers, holders and verifiers on every database: whose rows they show, in which order, by which
 * conditions, and to the last row by cursor. Run like `store.conformance.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '../database/paging.ts';
import {
  applied,
  asEncrypted,
  did,
  issued,
  issuer,
  type MakeRecords,
  start,
} from '../database/testing/records.ts';
import {
  countApplications,
  finishSubmission,
  listApplications,
  listApplicationsOf,
  rejectApplication,
} from '../issuance/application-rows.ts';
import {
  countCredentials,
  findCredential,
  keepLedgersWord,
  listCredentials,
  sweepDownloads,
} from '../issuance/credential-rows.ts';
import { listAutoIssueRows, listPriceRows, putAutoIssue, putPrice } from '../payments/price-rows.ts';
import { addSession, endSessionRow, listSessionRows } from '../sessions/session-rows.ts';

const [other, someone] = [did('e'), did('f')];
const hour = 3_600_000;

const idsOf = (rows: readonly { readonly vcId: string }[]): string[] => rows.map(({ vcId }) => vcId);

/** Every row, a page of two at a time. */
async function walk<Row>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<Row>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ limit: 2, ...(cursor !== undefined && { cursor }) });
    rows.push(...page.items);
    cursor = page.next;
  } while (cursor !== undefined);
  return rows;
}

export function registerListConformance(name: string, make: MakeRecords): void {
  test(`${name}: applications by state, template, holder and time, from either end`, async (context) => {
    const { kysely } = await make(context);
    const ids: string[] = [];
    for (let place = 0; place < 5; place++)
      ids.push(
        await applied(kysely, {
          now: start + place,
          templateId: did(place < 2 ? '7' : '8'),
          holder: place === 3 ? someone : did(String(place)),
        }),
      );
    await applied(kysely, { issuer: other, holder: someone, now: start + 2 });
    await rejectApplication(kysely, { vcId: ids[0], reason: null, now: start + 9 });
    const list = async (search: Omit<Parameters<typeof listApplications>[1], 'issuer'>) =>
      idsOf(await walk((page) => listApplications(kysely, { issuer, ...search, ...page })));
    assert.deepEqual(await list({}), ids);
    assert.deepEqual(await list({ isNewestFirst: true }), ids.toReversed());
    assert.deepEqual(await list({ states: ['pending'], isNewestFirst: true }), ids.slice(1).toReversed());
    assert.deepEqual(await list({ templateId: did('8'), states: ['pending'] }), ids.slice(2));
    assert.deepEqual(await list({ holder: someone, templateId: did('8'), states: ['pending'] }), [ids[3]]);
    assert.deepEqual(await list({ holder: someone, states: ['rejected'] }), []);
    assert.deepEqual(await list({ from: start + 1, before: start + 3 }), ids.slice(1, 3));
    const counts = await countApplications(kysely, issuer);
    assert.deepEqual(Object.fromEntries(counts), { pending: 4, rejected: 1 });
    const own = await walk((page) => listApplicationsOf(kysely, someone, page));
    assert.deepEqual(
      own.map((one) => one.issuer),
      [other, issuer],
      'of every issuer, and of nobody else',
    );
  });

  test(`${name}: a label goes with what it tells of`, async (context) => {
    const { kysely } = await make(context);
    const label = asEncrypted('label');
    const [waiting, refused] = [await applied(kysely, { label }), await applied(kysely, { label })];
    await rejectApplication(kysely, { vcId: refused, reason: null, now: start });
    const labels = (await listApplications(kysely, { issuer })).items.map(({ vcId, label }) => [vcId, label]);
    const kept = new Map(labels as [string, unknown][]);
    assert.deepEqual([kept.get(waiting) !== null, kept.get(refused)], [true, null]);
    await kysely
      .updateTable('applications')
      .set({ state: 'submitting' })
      .where('vcId', '=', waiting)
      .execute();
    await finishSubmission(kysely, waiting, start);
    const [row] = (await listApplications(kysely, { issuer, states: ['issued'] })).items;
    assert.equal(row.label, null);
    const vcId = await issued(kysely, { label });
    assert.notEqual((await findCredential(kysely, vcId))?.label, null);
    await sweepDownloads(kysely, start + hour);
    assert.equal((await findCredential(kysely, vcId))?.label, null);
  });

  test(`${name}: credentials by status, validity, template, holder and time, from either end`, async (context) => {
    const { kysely } = await make(context);
    const set = (vcId: string, row: object) =>
      kysely.updateTable('credentials').set(row).where('vcId', '=', vcId).execute();
    const ids: string[] = [];
    for (let place = 0; place < 6; place++)
      ids.push(
        await issued(kysely, {
          now: start + place,
          templateId: did(place < 3 ? '7' : '8'),
          holder: did(String(place % 2)),
        }),
      );
    await issued(kysely, { issuer: other, now: start + 1 });
    const [revoked, suspended, ended, endedAndRevoked, unknown] = ids;
    await set(revoked, { status: 'revoked' });
    await set(suspended, { status: 'suspended' });
    await set(ended, { validUntil: start - 1 });
    await set(endedAndRevoked, { validUntil: start - 1, status: 'revoked' });
    await set(unknown, { validUntil: null });
    const list = async (search: Parameters<typeof listCredentials>[1]) =>
      idsOf(await walk((page) => listCredentials(kysely, { issuer, ...search, ...page })));
    const [hasEnded, lasts] = [
      { validity: { hasEnded: true, at: start } },
      { validity: { hasEnded: false, at: start } },
    ];
    assert.deepEqual(await list({ isNewestFirst: true }), ids.toReversed());
    assert.deepEqual(await list({ status: 'revoked' }), [revoked, endedAndRevoked]);
    assert.deepEqual(await list({ status: 'active', ...lasts }), [unknown, ids[5]]);
    assert.deepEqual(await list({ ...hasEnded }), [ended]);
    assert.deepEqual(await list({ templateId: did('7'), ...hasEnded }), [ended]);
    assert.deepEqual(await list({ templateId: did('8'), status: 'revoked' }), [endedAndRevoked]);
    assert.deepEqual(await list({ holder: did('0'), status: 'revoked' }), [revoked]);
    assert.deepEqual(await list({ holder: did('1'), templateId: did('8') }), [endedAndRevoked, ids[5]]);
    assert.deepEqual(await list({ from: start + 4 }), ids.slice(4));
    const counts = (await countCredentials(kysely, issuer, start)).toSorted((a, b) => a.count - b.count);
    assert.deepEqual(counts, [
      { status: 'suspended', count: 1, ended: 0 },
      { status: 'revoked', count: 2, ended: 1 },
      { status: 'active', count: 3, ended: 1 },
    ]);
  });

  test(`${name}: the ledger's word is kept where nothing newer is known`, async (context) => {
    const { kysely } = await make(context);
    const vcId = await issued(kysely);
    const word = { vcId, status: 'suspended', validFrom: 1, validUntil: 2 } as const;
    const statusNow = async () => (await findCredential(kysely, vcId))?.status;
    await keepLedgersWord(kysely, { ...word, from: 'revoked' });
    assert.equal(await statusNow(), 'active', 'it changed since the ledger was asked');
    await kysely.updateTable('credentials').set({ changeBlobId: 'b' }).execute();
    await keepLedgersWord(kysely, { ...word, from: 'active' });
    assert.equal(await statusNow(), 'active', 'a change is under way');
    await kysely.updateTable('credentials').set({ changeBlobId: null }).execute();
    await keepLedgersWord(kysely, { ...word, from: 'active' });
    const row = await findCredential(kysely, vcId);
    assert.deepEqual([row?.status, row?.validFrom, row?.validUntil], ['suspended', 1, 2]);
  });

  test(`${name}: settings of an issuer are its own, in the order of templates`, async (context) => {
    const { kysely } = await make(context);
    const shared = { amount: '5', asset: 'A', symbol: 'A', decimals: 2, payTo: 'p', updatedAt: start };
    const policy = { isEnabled: 1, holders: null, perDayMax: 1, until: 1, validSeconds: 1, allowReissue: 0 };
    for (const digit of ['3', '1', '2']) {
      await putPrice(kysely, { templateId: did(digit), issuer, ...shared });
      await putAutoIssue(kysely, { templateId: did(digit), issuer, ...policy, updatedAt: start });
    }
    await putPrice(kysely, { templateId: did('4'), issuer: other, ...shared });
    await putAutoIssue(kysely, { templateId: did('4'), issuer: other, ...policy, updatedAt: start });
    const own = ['1', '2', '3'].map(did);
    for (const read of [listPriceRows, listAutoIssueRows]) {
      const rows = await walk<{ templateId: string }>((page) => read(kysely, issuer, page));
      assert.deepEqual(
        rows.map(({ templateId }) => templateId),
        own,
      );
    }
  });

  test(`${name}: sessions of a key are its own, newest first, by state`, async (context) => {
    const { kysely } = await make(context);
    const request = asEncrypted('request');
    const add = (id: string, keyId: string, place: number) =>
      addSession(kysely, {
        ...{ id, keyId, stateId: id, nonce: id, request },
        createdAt: start + place,
        expiresAt: start + hour,
      });
    for (let place = 0; place < 5; place++) await add(`s${place}`, 'one', place);
    await add('x', 'two', 3);
    await endSessionRow(kysely, { id: 's1', now: start + 1 }, { act: 'abort', by: 'wallet' });
    const list = async (states?: readonly ('CREATED' | 'ABORTED')[]) =>
      (
        await walk((page) => listSessionRows(kysely, { keyId: 'one', ...(states && { states }), ...page }))
      ).map(({ id }) => id);
    assert.deepEqual(await list(), ['s4', 's3', 's2', 's1', 's0']);
    assert.deepEqual(await list(['ABORTED']), ['s1']);
    assert.deepEqual(await list(['CREATED']), ['s4', 's3', 's2', 's0']);
  });
}
