/**
 * What verification sessions, callbacks on their way and kept presentations do on every database: `store.test.ts` runs
 * this suite on SQLite, `test/service/store-postgres.test.ts` on a real PostgreSQL.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionLimits } from '@symbolon/core/limits/waiting';
import type { Queries } from '../database/schema.ts';
import {
  asEncrypted,
  type MakeRecords,
  present,
  start,
  textOf,
  twentyTimes,
} from '../database/testing/records.ts';
import { sweepAll } from '../operation/sweep.ts';
import { addSavedPresentation, findSavedPresentation } from '../presentations/saved-presentation-rows.ts';
import { addDelivery, finishDelivery, postponeDelivery, takeDueDeliveries } from './outbox-rows.ts';
import {
  addSession,
  claimSession,
  countOpenSessions,
  endSessionRow,
  findCallbackSecret,
  findSession,
  listLapsedSessions,
  markFetched,
  putCallbackSecret,
  releaseSession,
} from './session-rows.ts';

const wins = (results: readonly unknown[]): number => results.filter(Boolean).length;
const lifeMs = 60_000;
const end = start + lifeMs;

async function session(queries: Queries, id = 'pres_1'): Promise<string> {
  await addSession(queries, {
    id,
    keyId: 'k',
    stateId: 's',
    nonce: 'n',
    request: asEncrypted('request'),
    createdAt: start,
    expiresAt: end,
  });
  return id;
}

const abortSession = (queries: Queries, id: string, now: number) =>
  endSessionRow(queries, { id, now }, { act: 'abort', by: 'wallet' });
const expireSession = (queries: Queries, id: string, now: number) =>
  endSessionRow(queries, { id, now }, { act: 'expire' });
const acceptAnswer = (queries: Queries, id: string, claim: string, now = start) =>
  endSessionRow(queries, { id, now }, { act: 'accept', claim, result: asEncrypted('result') });

export function registerSessionConformance(name: string, make: MakeRecords): void {
  registerSessions(name, make);
  registerEnds(name, make);
  registerOutbox(name, make);
}

function registerSessions(name: string, make: MakeRecords): void {
  test(`${name}: of many submissions one has the session, decides and ends it`, async (context) => {
    const { kysely } = await make(context);
    const id = await session(kysely);
    assert.ok(await markFetched(kysely, id, start));
    assert.ok(await markFetched(kysely, id, start));
    let claims = 0;
    const claimed = await twentyTimes(() => {
      claims += 1;
      return claimSession(kysely, { id, claim: `c${claims}`, now: start });
    });
    assert.equal(wins(claimed), 1);
    const { claim } = present(await findSession(kysely, id));
    assert.equal(await abortSession(kysely, id, start), false, 'nobody aborts what is being decided');
    assert.equal(await expireSession(kysely, id, end), false);
    assert.equal(await acceptAnswer(kysely, id, 'another'), false);
    assert.equal(wins(await twentyTimes(() => acceptAnswer(kysely, id, present(claim)))), 1);
    const ended = present(await findSession(kysely, id));
    assert.deepEqual([ended.state, ended.claim, textOf(present(ended.result))], ['VERIFIED', null, 'result']);
    assert.equal(await claimSession(kysely, { id, claim: 'late', now: start }), false);
    assert.equal(await markFetched(kysely, id, start), false);
  });

  test(`${name}: what was not decided goes back; a claim of the dead lapses`, async (context) => {
    const { kysely } = await make(context);
    const id = await session(kysely);
    assert.ok(await claimSession(kysely, { id, claim: 'a', now: start }));
    await releaseSession(kysely, { id, claim: 'b', now: start });
    assert.equal(await claimSession(kysely, { id, claim: 'b', now: start }), false);
    await releaseSession(kysely, { id, claim: 'a', now: start });
    assert.ok(await claimSession(kysely, { id, claim: 'b', now: start }));
    const lapsed = start + sessionLimits.answerLeaseMs;
    assert.equal((await listLapsedSessions(kysely, lapsed)).length, 1);
    assert.ok(await expireSession(kysely, id, lapsed));
    assert.equal(await acceptAnswer(kysely, id, 'b', lapsed), false, 'it has ended');
  });
}

function registerEnds(name: string, make: MakeRecords): void {
  test(`${name}: sessions expire at their time, are aborted before, and are forgotten later`, async (context) => {
    const { kysely } = await make(context);
    const [first, second] = [await session(kysely, 'pres_1'), await session(kysely, 'pres_2')];
    assert.equal(await countOpenSessions(kysely, 'k'), 2);
    assert.equal(await expireSession(kysely, first, end - 1), false);
    assert.equal(wins(await twentyTimes(() => abortSession(kysely, second, end - 1))), 1);
    assert.deepEqual(
      (await listLapsedSessions(kysely, end)).map(({ id }) => id),
      [first],
    );
    assert.equal(await claimSession(kysely, { id: first, claim: 'c', now: end }), false);
    assert.equal(await markFetched(kysely, first, end), false);
    assert.ok(await expireSession(kysely, first, end));
    assert.equal(await countOpenSessions(kysely, 'k'), 0);
    const forgotten = end + sessionLimits.sessionKeptMs;
    assert.equal((await sweepAll(kysely, forgotten - 1)).sessions, 1);
    assert.equal((await sweepAll(kysely, forgotten)).sessions, 1);
  });

  test(`${name}: a callback secret is replaced, a kept presentation lapses`, async (context) => {
    const { kysely } = await make(context);
    for (const text of ['old', 'new'])
      await putCallbackSecret(kysely, { keyId: 'k', secret: asEncrypted(text), createdAt: start });
    assert.equal(textOf(present(await findCallbackSecret(kysely, 'k')).secret), 'new');
    assert.equal(await findCallbackSecret(kysely, 'other'), undefined);
    const presentation = asEncrypted('vp');
    await addSavedPresentation(kysely, { id: 'v2-1', presentation, createdAt: start, expiresAt: end });
    assert.ok(await findSavedPresentation(kysely, 'v2-1', end - 1));
    assert.equal(await findSavedPresentation(kysely, 'v2-1', end), undefined);
    assert.equal((await sweepAll(kysely, end)).savedPresentations, 1);
  });
}

function registerOutbox(name: string, make: MakeRecords): void {
  test(`${name}: a callback is sent by one, again after its time, and no more at its end`, async (context) => {
    const { kysely } = await make(context);
    const content = asEncrypted('content');
    await addDelivery(kysely, { id: 'd', sessionId: 'pres_1', keyId: 'k', content, now: start });
    const taken = await twentyTimes(() => takeDueDeliveries(kysely, start));
    assert.equal(taken.flat().length, 1);
    const later = start + 5_000;
    await postponeDelivery(kysely, { id: 'd', problem: 'down', now: start, nextAttemptAt: later });
    assert.deepEqual(await takeDueDeliveries(kysely, later - 1), []);
    const [again] = await takeDueDeliveries(kysely, later);
    assert.deepEqual([again?.attempts, again?.problem], [2, 'down']);
    const lapsed = later + sessionLimits.deliveryLeaseMs;
    assert.equal((await takeDueDeliveries(kysely, lapsed)).length, 1, 'its sender was gone');
    await finishDelivery(kysely, 'd', lapsed);
    await postponeDelivery(kysely, { id: 'd', problem: 'late', now: lapsed, nextAttemptAt: lapsed });
    const [done] = await kysely.selectFrom('outbox').selectAll().execute();
    assert.deepEqual([done?.state, done?.content, done?.problem], ['delivered', null, null]);
    assert.deepEqual(await takeDueDeliveries(kysely, lapsed * 2), []);
    assert.equal((await sweepAll(kysely, lapsed + sessionLimits.sessionKeptMs)).deliveries, 1);
  });
}
