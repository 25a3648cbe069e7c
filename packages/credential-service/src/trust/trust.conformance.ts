/**
 * What lists of trusted issuers and forms of names do on every database. Run like `store.conformance.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trustLimits } from '@symbolon/core/limits/documents';
import { did, issuer, type MakeRecords, start, twentyTimes } from '../database/testing/records.ts';
import {
  adoptTemplateNames,
  claimName,
  findOthersNames,
  keepName,
  releaseName,
} from '../templates/name-form-rows.ts';
import { releaseTemplate, reserveTemplate } from '../templates/template-rows.ts';
import { findTrustList, listTrustLists, putTrustedIssuer, removeTrustedIssuer } from './trust-list-rows.ts';

const other = did('b');

export function registerTrustConformance(name: string, make: MakeRecords): void {
  test(`${name}: a trust list is its owner's, entry by entry`, async (context) => {
    const { kysely } = await make(context);
    const list = { owner: issuer, list: 'offices' };
    const put = (entry: { did: string; name?: string; templates?: string[] }, where = list) =>
      putTrustedIssuer(kysely, { ...where, entry, now: start });
    assert.ok(await put({ did: did('2'), name: 'Second', templates: [did('e'), did('f')] }));
    assert.ok(await put({ did: did('1') }));
    assert.ok(await put({ did: did('1'), name: 'First' }), 'replaced');
    assert.ok(await put({ did: did('3') }, { owner: other, list: 'offices' }));
    assert.deepEqual(await findTrustList(kysely, list), [
      { did: did('1'), name: 'First' },
      { did: did('2'), name: 'Second', templates: [did('e'), did('f')] },
    ]);
    assert.deepEqual(await listTrustLists(kysely, issuer), [{ name: 'offices', issuers: 2 }]);
    assert.equal(await removeTrustedIssuer(kysely, { ...list, did: did('3') }), false);
    assert.equal(await removeTrustedIssuer(kysely, { ...list, did: did('1') }), true);
    assert.equal(await removeTrustedIssuer(kysely, { ...list, did: did('2') }), true);
    assert.equal(await findTrustList(kysely, list), undefined);
    assert.deepEqual(await listTrustLists(kysely, other), [{ name: 'offices', issuers: 1 }]);
  });

  test(`${name}: lists and owners have bounds`, async (context) => {
    const { kysely } = await make(context);
    const entry = { did: did('1') };
    for (let index = 0; index < trustLimits.listsPerOwnerMax; index++)
      assert.ok(await putTrustedIssuer(kysely, { owner: issuer, list: `l${index}`, entry, now: start }));
    assert.equal(await putTrustedIssuer(kysely, { owner: issuer, list: 'more', entry, now: start }), false);
  });

  test(`${name}: a name that looks alike goes to one issuer`, async (context) => {
    const { kysely } = await make(context);
    const names = ['Ice pass', 'lce-pass', 'ICE PASS', 'Ісе pass'];
    const results = await twentyTimes((index) =>
      claimName(kysely, {
        name: names[index % names.length] as string,
        issuer: did((index % 4).toString()),
        subject: did('f'),
      }),
    );
    const winners = new Set(results.flatMap((isWon, index) => (isWon ? [index % 4] : [])));
    assert.ok(winners.size <= 1, 'no two issuers have it');
    const [row] = await kysely.selectFrom('nameForms').selectAll().execute();
    assert.ok(row);
  });

  test(`${name}: forms are free again with the template, unless another one of the issuer has them`, async (context) => {
    const { kysely } = await make(context);
    const first = { name: 'Boat-licence', issuer, subject: did('1') };
    const second = { name: 'Boat licence.', issuer, subject: did('2') };
    const rival = { name: 'Boat Iicence', issuer: other };
    assert.ok(await claimName(kysely, first));
    assert.deepEqual([...(await findOthersNames(kysely, [first, rival]))], ['Boat Iicence']);
    await releaseName(kysely, first.subject);
    assert.equal((await findOthersNames(kysely, [rival])).size, 0);
    assert.ok(await claimName(kysely, first));
    assert.ok(await claimName(kysely, second));
    await keepName(kysely, second);
    await releaseName(kysely, first.subject);
    assert.equal((await findOthersNames(kysely, [rival])).size, 1);
  });

  test(`${name}: templates of an earlier version get their forms, the oldest first`, async (context) => {
    const database = await make(context);
    const { kysely } = database;
    const reserve = (id: string, title: string, by: string, now: number) =>
      reserveTemplate(kysely, { id, name: title, nameKey: title.toLowerCase(), issuer: by, now });
    await reserve(did('2'), 'Boat-pass', other, start + 1);
    await reserve(did('1'), 'Boat pass', issuer, start);
    await adoptTemplateNames(database, start);
    assert.equal((await findOthersNames(kysely, [{ name: 'Boat pass', issuer }])).size, 0);
    assert.equal((await findOthersNames(kysely, [{ name: 'Boat-pass', issuer: other }])).size, 1);
    await releaseTemplate(kysely, did('1'));
    await releaseName(kysely, did('1'));
    await adoptTemplateNames(database, start);
    assert.equal((await kysely.selectFrom('nameForms').selectAll().execute()).length, 0, 'once');
  });
}
