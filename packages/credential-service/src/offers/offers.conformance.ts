/**
 * What rows of offers do on every database: `store.test.ts` runs this suite on SQLite,
 * `test/service/store-postgres.test.ts` on a real PostgreSQL.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offerLimits } from '@symbolon/core/limits/waiting';
import type { ServiceDatabase } from '../database/schema.ts';
import {
  asEncrypted,
  did,
  holder,
  issuer,
  type MakeRecords,
  present,
  start,
  twentyTimes,
} from '../database/testing/records.ts';
import { decideOffer } from '../issuance/application-rows.ts';
import { sweepAll } from '../operation/sweep.ts';
import {
  acceptOfferRow,
  addOffer,
  countTxCodeTry,
  findOfferById,
  findStandingOffer,
  forgetTxCodeTry,
  listOfferRows,
  lockOffer,
  type NewOffer,
  offerStateAt,
  renewOffer,
  withdrawOfferRow,
} from './offer-rows.ts';

const wins = (results: readonly unknown[]): number => results.filter(Boolean).length;
const lifeMs = 60_000;
const end = start + lifeMs;
const templateId = did('7');

const offer = (id: string, given: Partial<NewOffer> = {}): NewOffer => ({
  id,
  codeHash: `hash of ${id}`,
  issuer,
  templateId,
  templateVersion: '1.0',
  attributes: asEncrypted('values'),
  reference: asEncrypted('reference'),
  referenceMark: id,
  txCodeMark: 'mark',
  hasTxCode: 1,
  now: start,
  expiresAt: end,
  ...given,
});

const acceptance = (id: string, vcId: string) => ({
  id,
  codeHash: `hash of ${id}`,
  holder,
  vcId,
  now: start,
});

/** A try as a request makes it: counted, looked at, given back or the end of the offer. */
const tried = (database: ServiceDatabase, id: string, isRight: boolean): Promise<boolean | undefined> =>
  database.transaction(async (queries) => {
    const tries = await countTxCodeTry(queries, id, `hash of ${id}`);
    if (tries === undefined) return undefined;
    if (isRight) await forgetTxCodeTry(queries, id);
    else if (tries === offerLimits.txCodeTriesMax) await lockOffer(queries, id, start);
    return isRight;
  });

export function registerOfferConformance(name: string, make: MakeRecords): void {
  registerOfferEnds(name, make);

  test(`${name}: an offer is accepted once, by its code, in its time, and keeps nothing`, async (context) => {
    const { kysely } = await make(context);
    assert.ok(await addOffer(kysely, offer('o')));
    assert.equal(await acceptOfferRow(kysely, { ...acceptance('o', 'v'), codeHash: 'another' }), false);
    assert.equal(await acceptOfferRow(kysely, { ...acceptance('o', 'v'), now: end }), false);
    let count = 0;
    const accepted = await twentyTimes(() => {
      count += 1;
      return acceptOfferRow(kysely, acceptance('o', `v${count}`));
    });
    assert.equal(wins(accepted), 1);
    const row = present(await findOfferById(kysely, 'o'));
    assert.deepEqual(
      [row.state, row.holder, row.attributes, row.txCodeMark, row.hasTxCode],
      ['accepted', holder, null, null, 1],
    );
    assert.equal(await withdrawOfferRow(kysely, 'o', start), false);
    await decideOffer(kysely, { vcId: present(row.vcId), state: 'issued', now: end });
    assert.equal((await findOfferById(kysely, 'o'))?.state, 'issued');
  });

  test(`${name}: one open offer has a reference, and a renewed one another code`, async (context) => {
    const { kysely } = await make(context);
    let count = 0;
    const added = await twentyTimes(() => {
      count += 1;
      return addOffer(kysely, offer(`o${count}`, { referenceMark: 'same' }));
    });
    assert.equal(wins(added), 1);
    const place = { issuer, templateId, referenceMark: 'same' };
    const { id } = present(await findStandingOffer(kysely, place));
    const { codeHash: _old, templateVersion, attributes, reference, txCodeMark, hasTxCode } = offer(id);
    const contents = { templateVersion, attributes, reference, txCodeMark, hasTxCode, expiresAt: end };
    assert.ok(await renewOffer(kysely, { id, codeHash: 'new', ...contents, now: start }));
    assert.equal(await acceptOfferRow(kysely, acceptance(id, 'v')), false);
    assert.ok(await withdrawOfferRow(kysely, id, start));
    assert.equal(await findStandingOffer(kysely, place), undefined);
    assert.ok(await addOffer(kysely, offer('next', { referenceMark: 'same' })));
    // One that was accepted keeps its reference until it is decided.
    assert.ok(await acceptOfferRow(kysely, acceptance('next', 'w')));
    assert.equal(await addOffer(kysely, offer('third', { referenceMark: 'same' })), false);
    assert.equal((await findStandingOffer(kysely, place))?.id, 'next');
    await decideOffer(kysely, { vcId: 'w', state: 'rejected', now: start });
    assert.ok(await addOffer(kysely, offer('third', { referenceMark: 'same' })));
    for (const more of ['a', 'b']) assert.ok(await addOffer(kysely, offer(more, { referenceMark: null })));
  });
}

function registerOfferEnds(name: string, make: MakeRecords): void {
  test(`${name}: wrong transaction codes lock an offer, right ones do not count`, async (context) => {
    const database = await make(context);
    const { kysely } = database;
    await addOffer(kysely, offer('o'));
    assert.deepEqual(new Set(await twentyTimes(() => tried(database, 'o', true))), new Set([true]));
    assert.equal((await findOfferById(kysely, 'o'))?.wrongTxCodes, 0);
    const guesses = await twentyTimes(() => tried(database, 'o', false));
    assert.equal(guesses.filter((one) => one === false).length, offerLimits.txCodeTriesMax);
    const { state, attributes } = present(await findOfferById(kysely, 'o'));
    assert.deepEqual([state, attributes], ['locked', null]);
    assert.equal(await acceptOfferRow(kysely, acceptance('o', 'v')), false);
  });

  test(`${name}: offers expire at their time, are listed so at once, and are forgotten later`, async (context) => {
    const { kysely } = await make(context);
    for (const id of ['a', 'b', 'c']) await addOffer(kysely, offer(id));
    await addOffer(kysely, offer('later', { expiresAt: end + 1, templateId: did('8') }));
    assert.ok(await acceptOfferRow(kysely, acceptance('c', 'v')));
    const listed = async (state: 'open' | 'expired' | 'accepted', now: number) => {
      const { items } = await listOfferRows(kysely, { issuer, state, now });
      for (const item of items) assert.equal(offerStateAt(item, now), state);
      return items.map(({ id }) => id);
    };
    assert.deepEqual(await listed('open', end - 1), ['a', 'b', 'later']);
    assert.deepEqual(await listed('expired', end), ['a', 'b']);
    assert.equal(await withdrawOfferRow(kysely, 'a', end), false);
    assert.equal((await sweepAll(kysely, end)).lapsedOffers, 2);
    assert.deepEqual(await listed('expired', end), ['a', 'b']);
    assert.deepEqual(await listed('open', end), ['later']);
    assert.equal(present(await findOfferById(kysely, 'a')).attributes, null);
    const page = await listOfferRows(kysely, { issuer, templateId, limit: 2, now: end });
    assert.deepEqual([page.items.length, typeof page.next], [2, 'string']);
    assert.equal((await sweepAll(kysely, end + offerLimits.endedKeptMs)).offers, 2);
    assert.deepEqual(await listed('accepted', end), ['c'], 'what waits for its issuer stays');
  });
}
