/**
 * What rows of OpenID4VCI do on every database: `store.test.ts` runs this suite on SQLite,
 * `test/service/store-postgres.test.ts` on a real PostgreSQL.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceDatabase } from '../database/schema.ts';
import {
  asEncrypted,
  did,
  issuer,
  type MakeRecords,
  present,
  start,
  twentyTimes,
} from '../database/testing/records.ts';
import { openidIssuanceLimits as limits } from '../limits/openid-limits.ts';
import { sweepAll } from '../operation/sweep.ts';
import {
  addAuthorization,
  countWaiting,
  findAuthorizationByCode,
  moveAuthorization,
} from './authorizations/authorization-rows.ts';
import {
  addCredentialRequest,
  countRequests,
  findSameRequest,
  keepAnswer,
  keepEvent,
} from './credentials/request-rows.ts';
import {
  addDataset,
  approveDataset,
  beginRecording,
  findDataset,
  finishRecording,
  rejectDataset,
} from './datasets/dataset-rows.ts';
import {
  addGrant,
  extendGrant,
  findGrantOfOffer,
  markGrantAnswered,
  revokeGrant,
} from './grants/grant-rows.ts';
import { isFirstSeen } from './grants/seen-proofs.ts';
import { findLogin, putLogin, removeLogin } from './logins/login-rows.ts';
import {
  addStandardsOffer,
  authorizeStandardsOffer,
  countStandardsTry,
  findStandardsOffer,
  forgetStandardsTry,
  listStandardsOffers,
  moveStandardsOffer,
  redeemStandardsOffer,
  standardsStateAt,
} from './offers/standards-offer-rows.ts';

const lifeMs = 60_000;
const end = start + lifeMs;
const vcId = did('d');
const wins = (results: readonly unknown[]): number => results.filter(Boolean).length;

const dataset = (signature: string | null = null) => ({
  ...{ vcId, issuer, templateId: did('7'), templateVersion: '1.0', digest: 'digest', signature },
  contents: asEncrypted('values'),
  now: start,
});

async function offered(database: ServiceDatabase, signature: string | null = 'signed'): Promise<void> {
  const { kysely } = database;
  await addDataset(kysely, dataset(signature));
  await addStandardsOffer(kysely, {
    ...{ id: 'o', issuer, templateId: did('7'), templateVersion: '1.0', vcId, configurations: '["c"]' },
    ...{ referenceHash: 'reference', codeHash: 'code', txCodeMark: 'mark', hasTxCode: 1, reference: null },
    ...{ issuerStateHash: null, authorizationId: null },
    ...{ now: start, expiresAt: end },
  });
}

const grant = (id: string) => ({
  ...{ id, offerId: 'o', issuer, tokenHash: `token ${id}`, dpopThumbprint: null, clientId: null },
  ...{ configurations: '["c"]', hasIdentifiers: 0, redeemMark: 'mark', expiresAt: end, now: start },
});

const pushed = (id: string) => ({
  ...{
    id,
    issuer,
    clientId: 'app',
    redirectUri: 'app.example:/cb',
    templateId: did('7'),
    templateVersion: '1.0',
  },
  ...{ configurations: '["c"]', hasIdentifiers: 0, codeChallenge: 'hash', dpopThumbprint: null },
  ...{
    clientState: asEncrypted('state'),
    offerId: null,
    requestHash: `request ${id}`,
    expiresAt: end,
    now: start,
  },
});

const request = (id: string, mark = id) => ({
  ...{ id, grantId: 'g', vcId, configurationId: 'c', mark, notificationId: `n ${id}`, now: start },
  holderKeys: asEncrypted('keys'),
});

export function registerOpenidConformance(name: string, make: MakeRecords): void {
  test(`${name}: a code is redeemed once, in its time, for one token`, async (context) => {
    const database = await make(context);
    const { kysely } = database;
    await offered(database);
    const order = { id: 'o', now: start, expiresAt: end };
    assert.equal(await redeemStandardsOffer(kysely, { ...order, now: end }), false);
    assert.equal(wins(await twentyTimes(() => redeemStandardsOffer(kysely, order))), 1);
    let count = 0;
    const added = await twentyTimes(() => {
      count += 1;
      return addGrant(kysely, grant(`g${count}`));
    });
    assert.equal(wins(added), 1);
    const { id } = present(await findGrantOfOffer(kysely, 'o'));
    await markGrantAnswered(kysely, id, start);
    await extendGrant(kysely, id, end + 5);
    await extendGrant(kysely, id, end);
    const { answeredAt, expiresAt } = present(await findGrantOfOffer(kysely, 'o'));
    assert.deepEqual([answeredAt, expiresAt], [start, end + 5]);
    assert.equal(await moveStandardsOffer(kysely, 'withdraw', { id: 'o', now: start }), false);
  });

  test(`${name}: wrong transaction codes end an offer, right ones do not count`, async (context) => {
    const database = await make(context);
    const { kysely } = database;
    await offered(database);
    for (let round = 0; round < 2 * limits.txCodeTriesMax; round++) {
      assert.equal(await countStandardsTry(kysely, 'o', 'created'), 1);
      await forgetStandardsTry(kysely, 'o');
    }
    const counted = await twentyTimes(() => countStandardsTry(kysely, 'o', 'created'));
    assert.equal(counted.filter((one) => one !== undefined).length, limits.txCodeTriesMax);
    assert.ok(await moveStandardsOffer(kysely, 'lock', { id: 'o', now: start }));
    const { state, codeHash, txCodeMark } = present(await findStandardsOffer(kysely, 'o'));
    assert.deepEqual([state, codeHash, txCodeMark], ['locked', null, null]);
  });

  test(`${name}: a dataset is signed once or rejected, and recorded once`, async (context) => {
    const database = await make(context);
    const { kysely } = database;
    await offered(database, null);
    const now = start;
    assert.equal(await beginRecording(kysely, { vcId, worker: 'w', now }), false);
    assert.equal(wins(await twentyTimes(() => approveDataset(kysely, { vcId, signature: 's', now }))), 1);
    assert.ok(await beginRecording(kysely, { vcId, worker: 'w', now }));
    assert.equal(await rejectDataset(kysely, { vcId, reason: null, now }), false);
    assert.equal(wins(await twentyTimes(() => finishRecording(kysely, { vcId, now }))), 1);
    assert.equal((await findDataset(kysely, vcId))?.state, 'issued');
  });

  test(`${name}: one request is kept once, answered once, and a proof is seen once`, async (context) => {
    const database = await make(context);
    const { kysely } = database;
    await offered(database);
    await addGrant(kysely, grant('g'));
    let count = 0;
    const added = await twentyTimes(() => {
      count += 1;
      return addCredentialRequest(kysely, request(`r${count}`, 'same'));
    });
    assert.equal(wins(added), 1);
    assert.equal(await countRequests(kysely, 'g'), 1);
    const { id } = present(await findSameRequest(kysely, { grantId: 'g', mark: 'same' }));
    const answer = asEncrypted('credentials');
    assert.equal(wins(await twentyTimes(() => keepAnswer(kysely, { id, answer, now: start }))), 1);
    assert.ok(await keepEvent(kysely, { id, event: 'credential_accepted', now: start }));
    assert.equal(await keepEvent(kysely, { id, event: 'credential_accepted', now: start }), false);
    const proof = { owner: 'key', jti: 'one', now: start };
    assert.equal(wins(await twentyTimes(() => isFirstSeen(kysely, proof))), 1);
    assert.ok(await isFirstSeen(kysely, { ...proof, owner: 'another' }));
  });

  test(`${name}: an authorization goes each step once, in its time, and is known a while after`, async (context) => {
    const database = await make(context);
    const { kysely } = database;
    await offered(database);
    assert.ok(await addAuthorization(kysely, pushed('a')));
    assert.equal(await addAuthorization(kysely, { ...pushed('b'), requestHash: 'request a' }), false);
    const waiting = { issuer, clientId: 'app', states: ['pushed'], now: start } as const;
    assert.equal(await countWaiting(kysely, waiting), 1);
    assert.equal(await countWaiting(kysely, { ...waiting, now: end }), 0);
    assert.equal(await countWaiting(kysely, { ...waiting, clientId: 'other' }), 0);
    const step = { id: 'a', now: start, expiresAt: end };
    const raced = async (act: Parameters<typeof moveAuthorization>[1], more: object = {}) =>
      wins(await twentyTimes(() => moveAuthorization(kysely, act, { ...step, ...more })));
    assert.equal(await moveAuthorization(kysely, 'begin', { ...step, now: end }), false);
    assert.equal(await moveAuthorization(kysely, 'grant', step), false);
    assert.equal(await raced('begin', { referenceHash: 'reference', browserHash: 'browser' }), 1);
    assert.equal(await raced('grant', { ticketHash: 'ticket', offerId: 'o' }), 1);
    assert.equal(await moveAuthorization(kysely, 'deny', step), false);
    assert.equal(await raced('answer', { codeHash: 'its code' }), 1);
    const { state, offerId, browserHash } = present(await findAuthorizationByCode(kysely, 'its code'));
    assert.deepEqual([state, offerId, browserHash], ['answered', 'o', 'browser']);
    assert.equal((await sweepAll(kysely, end + limits.spentCodeMs - 1)).openidAuthorizations, 0);
    assert.equal((await sweepAll(kysely, end + limits.spentCodeMs)).openidAuthorizations, 1);
  });

  test(`${name}: an offer for a login is taken by the latest, a token is revoked once, a login replaced`, async (context) => {
    const database = await make(context);
    const { kysely } = database;
    await offered(database);
    const order = { id: 'o', authorizationId: 'a', now: start };
    assert.equal(await authorizeStandardsOffer(kysely, order), false, 'it has a code');
    await kysely.updateTable('openidOffers').set({ issuerStateHash: 'state', codeHash: null }).execute();
    assert.equal(await authorizeStandardsOffer(kysely, { ...order, now: end }), false);
    assert.ok(await authorizeStandardsOffer(kysely, order));
    assert.ok(await authorizeStandardsOffer(kysely, { ...order, authorizationId: 'b' }));
    assert.equal(present(await findStandardsOffer(kysely, 'o')).authorizationId, 'b');
    await redeemStandardsOffer(kysely, { id: 'o', now: start, expiresAt: end });
    assert.equal(await authorizeStandardsOffer(kysely, order), false);
    await addGrant(kysely, grant('g'));
    assert.equal(wins(await twentyTimes(() => revokeGrant(kysely, 'g', start))), 1);
    assert.equal(present(await findGrantOfOffer(kysely, 'o')).revokedAt, start);
    const login = { issuer, loginUrl: 'https://issuer.example/', templateIds: [did('7')], updatedAt: start };
    await putLogin(kysely, login);
    await putLogin(kysely, { ...login, templateIds: [] });
    assert.deepEqual(await findLogin(kysely, issuer), { ...login, templateIds: [] });
    assert.deepEqual([await removeLogin(kysely, issuer), await removeLogin(kysely, issuer)], [true, false]);
  });

  test(`${name}: what waits expires, and what has ended is forgotten with what it said`, async (context) => {
    const database = await make(context);
    const { kysely } = database;
    await offered(database);
    await addGrant(kysely, grant('g'));
    await addCredentialRequest(kysely, request('r'));
    await isFirstSeen(kysely, { owner: 'key', jti: 'one', now: start });
    assert.equal(standardsStateAt(present(await findStandardsOffer(kysely, 'o')), end), 'expired');
    const first = await sweepAll(kysely, end);
    assert.deepEqual([first.openidLapsedOffers, first.openidGrants, first.openidDatasets], [1, 1, 0]);
    assert.equal(await countRequests(kysely, 'g'), 0);
    const later = await sweepAll(kysely, end + limits.contentsKeptMs);
    assert.deepEqual([later.openidDatasets, later.openidSeenProofs], [1, 1]);
    assert.equal(present(await findDataset(kysely, vcId)).contents, null);
    const page = await listStandardsOffers(kysely, { issuer });
    assert.deepEqual(
      page.items.map(({ state }) => state),
      ['expired'],
    );
    assert.equal((await sweepAll(kysely, end + limits.endedKeptMs)).openidOffers, 1);
  });
}
