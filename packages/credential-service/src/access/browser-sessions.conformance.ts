/** What sessions of browsers and their challenges do on every database. Run like `store/store.conformance.ts`. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { signInLimits } from '@symbolon/core/limits/console';
import type { ShownSession } from '@symbolon/host/service/browser-session-claim';
import {
  freshClock,
  freshVault,
  holder,
  issuer,
  type MakeRecords,
  present,
  start,
  twentyTimes,
} from '../database/testing/records.ts';
import { browserSessionLimits as limits } from '../limits/service-limits.ts';
import { createApiKeys } from './api-keys.ts';
import { sweepBrowserSessions } from './browser-session-rows.ts';
import { createBrowserSessions } from './browser-sessions.ts';
import { createSignInChallenges } from './sign-in-challenges.ts';

const holding = { way: 'signature', did: holder } as const;
const issuing = { way: 'signature', did: issuer } as const;

export function registerBrowserSessionConformance(name: string, make: MakeRecords): void {
  const open = async (context: TestContext) => {
    const database = await make(context);
    const clock = freshClock();
    const apiKeys = createApiKeys(database.kysely, clock);
    const sessions = createBrowserSessions({ database, clock, apiKeys });
    const isIn = async (shown: ShownSession) =>
      (await sessions.authenticate(shown, 'thorough')) !== undefined;
    return { database, clock, apiKeys, sessions, isIn };
  };

  test(`${name}: a session needs its id and its secret, and neither is kept`, async (context) => {
    const { database, sessions, isIn } = await open(context);
    const [one, other] = [await sessions.begin(holding), await sessions.begin(holding)];
    const bearer = present(await sessions.authenticate(one, 'thorough'));
    assert.deepEqual([bearer.did, bearer.scopes, bearer.keyId], [holder, new Set(), undefined]);
    assert.notEqual(one.id, other.id);
    assert.equal(await isIn({ id: one.id, secret: other.secret }), false);
    assert.equal(await isIn({ id: other.id, secret: one.secret }), false);
    for (const secret of ['', 'x', `${one.secret}A`]) assert.equal(await isIn({ id: one.id, secret }), false);
    const rows = JSON.stringify(await database.kysely.selectFrom('browserSessions').selectAll().execute());
    for (const text of [one.id, one.secret]) assert.ok(!rows.includes(text));
  });

  test(`${name}: a signature gives what the keys in force of its DID may, together`, async (context) => {
    const { apiKeys, sessions, isIn } = await open(context);
    const first = await apiKeys.create({ label: 'a', scopes: ['issue'], did: issuer });
    const second = await apiKeys.create({ label: 'b', scopes: ['templates'], did: issuer });
    await apiKeys.create({ label: 'of another', scopes: ['admin'], did: holder });
    await apiKeys.create({ label: 'of nobody', scopes: ['admin'] });
    const session = await sessions.begin(issuing);
    const bearer = present(await sessions.authenticate(session, 'thorough'));
    assert.deepEqual(bearer.scopes, new Set(['issue', 'templates']));
    assert.ok([first.facts.id, second.facts.id].includes(String(bearer.keyId)));
    await apiKeys.revoke(first.facts.id);
    const left = present(await sessions.authenticate(session, 'thorough'));
    assert.deepEqual([left.scopes, left.keyId], [new Set(['templates']), second.facts.id]);
    await apiKeys.revoke(second.facts.id);
    assert.equal(await isIn(session), false);
  });

  test(`${name}: a session of an API key has that key's scopes and ends with it`, async (context) => {
    const { apiKeys, sessions, isIn } = await open(context);
    const key = await apiKeys.create({ label: 'a', scopes: ['verify'], did: issuer });
    await apiKeys.create({ label: 'b', scopes: ['issue'], did: issuer });
    const bearer = { ...present(await apiKeys.authenticate(key.token)), keyId: key.facts.id };
    const session = await sessions.begin({ way: 'apiKey', bearer });
    assert.deepEqual(present(await sessions.authenticate(session, 'thorough')).scopes, new Set(['verify']));
    await apiKeys.revoke(key.facts.id);
    assert.equal(await isIn(session), false);
  });

  test(`${name}: a session ends by rest, by age and by its owner, and then for good`, async (context) => {
    const { clock, sessions, isIn } = await open(context);
    const resting = await sessions.begin(holding);
    const busy = await sessions.begin(holding);
    const left = await sessions.begin(holding);
    const { session } = present(await sessions.authenticate(left, 'thorough'));
    const ended = await twentyTimes(() => sessions.end(present(session)));
    assert.equal(ended.filter(Boolean).length, 1);
    assert.equal(await isIn(left), false);
    for (let at = 0; at < signInLimits.sessionMs - signInLimits.idleMs; at += signInLimits.idleMs / 2) {
      assert.ok(await isIn(busy), `at ${at}`);
      clock.advanceMs(signInLimits.idleMs / 2);
    }
    assert.equal(await isIn(resting), false);
    assert.ok(await isIn(busy));
    clock.advanceMs(start + signInLimits.sessionMs - clock.nowMs());
    assert.equal(await isIn(busy), false);
  });

  test(`${name}: what a challenge begins, it begins once, however many race`, async (context) => {
    const { database, clock, sessions } = await open(context);
    const challenges = createSignInChallenges({ database, vault: freshVault(), clock });
    const { challenge } = await challenges.make();
    assert.equal(await challenges.isGood(challenge), true);
    const raced = await Promise.allSettled(
      Array.from({ length: 20 }, () => sessions.begin({ ...holding, challenge })),
    );
    assert.equal(raced.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const one of raced)
      if (one.status === 'rejected') assert.equal((one.reason as Fault).code, 'presenceRefused');
    const rows = await database.kysely.selectFrom('browserSessions').selectAll().execute();
    assert.equal(rows.length, 1);
    await sessions.end(present(rows[0]).id);
    await assert.rejects(sessions.begin({ ...holding, challenge }), Fault);
  });

  test(`${name}: a challenge is its maker's, to the letter, and for minutes`, async (context) => {
    const { database, clock } = await open(context);
    const challenges = createSignInChallenges({ database, vault: freshVault(), clock });
    const { challenge } = await challenges.make();
    const [word = '', expiresAt = '', mark = ''] = challenge.split('.');
    const wrong = [
      '',
      word,
      `${challenge} `,
      `${word}.${Number(expiresAt) + 1}.${mark}`,
      `${[...word].reverse().join('')}.${expiresAt}.${mark}`,
      `${word}.${expiresAt}.${'A'.repeat(43)}`,
      // The same bytes in another spelling.
      ...[...'BCDFGHJKLNOPRSTV'].map((letter) => `${word}.${expiresAt}.${mark.slice(0, -1)}${letter}`),
    ];
    for (const text of wrong)
      if (text !== challenge) assert.equal(await challenges.isGood(text), false, text);
    const elsewhere = await open(context);
    const others = createSignInChallenges({ database: elsewhere.database, vault: freshVault(), clock });
    assert.equal(await others.isGood(challenge), false);
    clock.advanceMs(signInLimits.challengeMs);
    assert.equal(await challenges.isGood(challenge), false);
  });

  test(`${name}: a party has so many sessions, and the oldest ends for the next`, async (context) => {
    const { clock, sessions, isIn } = await open(context);
    const begun: ShownSession[] = [];
    for (let count = 0; count <= limits.perPartyMax; count++) {
      begun.push(await sessions.begin(holding));
      clock.advanceMs(1);
    }
    const others = await sessions.begin(issuing);
    assert.deepEqual(
      await Promise.all([begun[0], begun[1], begun.at(-1), others].map((one) => isIn(present(one)))),
      [false, true, true, true],
    );
  });

  test(`${name}: a flood of made-up sessions keeps nobody out who was in`, async (context) => {
    const { sessions } = await open(context);
    const session = await sessions.begin(holding);
    const madeUp = { id: 'A'.repeat(22), secret: 'B'.repeat(43) };
    const flood = Promise.allSettled(
      Array.from({ length: 3 * limits.lookupsMax }, () => sessions.authenticate(madeUp, 'thorough')),
    );
    assert.ok(await sessions.authenticate(session, 'known'));
    const results = await flood;
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, limits.lookupsMax);
    const stranger = { id: session.id, secret: 'C'.repeat(43) };
    assert.equal(await sessions.authenticate(stranger, 'known'), undefined);
  });

  test(`${name}: sessions that are over are forgotten, later than any challenge`, async (context) => {
    const { database, clock, sessions } = await open(context);
    const first = await sessions.begin(holding);
    const mark = present((await sessions.authenticate(first, 'thorough'))?.session).slice(0, 16);
    assert.deepEqual(await sessions.ended([mark, '0'.repeat(16)]), ['0'.repeat(16)]);
    clock.advanceMs(signInLimits.idleMs);
    assert.deepEqual(await sessions.ended([mark]), [mark]);
    assert.equal(await sweepBrowserSessions(database.kysely, clock.nowMs()), 0);
    clock.advanceMs(limits.keptMs);
    await sessions.begin(holding);
    assert.equal(await sweepBrowserSessions(database.kysely, clock.nowMs()), 1);
    assert.ok(limits.keptMs > signInLimits.challengeMs);
  });
}
