/**
 * Words between processes on one real PostgreSQL: what one says wakes those who wait at another, a connection that is cut
 * is opened again, and what makes no sense harms nobody.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@symbolon/host/database/open-database';
import { databaseLimits } from '@symbolon/host/limits/server-limits';
import { fixedClock } from '@symbolon/host/testing/fixed-clock';
import { sql } from 'kysely';
import { ownerOfSuite } from '../support/owner.ts';
import { type RunningPostgres, startPostgres } from '../support/postgres.ts';
import { startNode } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService } from '../support/service-http.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
let server: RunningPostgres;
before(async () => {
  server = await startPostgres(owner);
});

async function processOf(context: TestContext, isOpen = true) {
  const errors: Error[] = [];
  const database = await openDatabase(server.url, { onIdleError: (error) => errors.push(error) });
  context.after(() => database.close());
  const { signals } = database;
  assert.ok(signals);
  const heard: string[] = [];
  signals.listen((word) => heard.push(word));
  if (isOpen) signals.open();
  return { database, signals, heard, errors };
}

type Process = Awaited<ReturnType<typeof processOf>>;

/** Says it again and again until it is heard: the connection that hears may not be there yet. */
const untilHeard = (from: Process, word: string, to: Process) =>
  until(`${word} is heard`, async () => {
    from.signals.say(word);
    await sleep(50);
    return to.heard.includes(word);
  });

describe('words between processes', () => {
  test('are heard here at once, and at the other in a moment, each once', async (context) => {
    const [one, other] = [await processOf(context), await processOf(context)];
    await untilHeard(one, 'begin', other);
    one.heard.length = 0;
    for (const word of ['a', 'b', 'a']) one.signals.say(word);
    assert.deepEqual(one.heard, ['a', 'b', 'a']);
    await until('both are heard', () => other.heard.includes('b'));
    assert.deepEqual(
      other.heard.filter((word) => word !== 'begin'),
      ['a', 'b'],
    );
    assert.equal(one.heard.length, 3, 'nobody hears their own words twice');
  });

  test('come in pieces, however many they are', async (context) => {
    const [one, other] = [await processOf(context), await processOf(context)];
    await untilHeard(one, 'begin', other);
    const words = Array.from({ length: 2_000 }, (_, index) => `session ${index}`);
    for (const word of words) one.signals.say(word);
    await until('all are heard', () => other.heard.includes('session 1999'));
    assert.deepEqual(
      other.heard.filter((word) => word !== 'begin'),
      words,
    );
  });

  test('that are too long or have line ends cost the others nothing', async (context) => {
    const [one, other] = [await processOf(context), await processOf(context)];
    await untilHeard(one, 'begin', other);
    for (const word of ['x'.repeat(databaseLimits.signalBytesMax + 1), 'two\nlines', 'fine', "it's \\ ü"])
      one.signals.say(word);
    await until('the others are heard', () => other.heard.includes("it's \\ ü"));
    assert.deepEqual(
      other.heard.filter((word) => word !== 'begin'),
      ['fine', "it's \\ ü"],
    );
  });

  test('are heard again after the connection was cut', async (context) => {
    const [one, other] = [await processOf(context), await processOf(context)];
    await untilHeard(one, 'before', other);
    const cut = sql<{ cut: boolean }>`select pg_terminate_backend(pid) as cut from pg_stat_activity
      where query = 'listen symbolon'`;
    assert.ok((await cut.execute(one.database.kysely)).rows.length >= 2);
    await untilHeard(one, 'after', other);
    await untilHeard(other, 'back', one);
    assert.ok(other.errors.length > 0, 'it is told');
  });

  test('of strangers are only words', async (context) => {
    const one = await processOf(context);
    const said = (payload: string) =>
      sql`select pg_notify('symbolon', ${payload})`.execute(one.database.kysely);
    await until('it is heard', async () => {
      for (const payload of ['', 'nobody', 'x\n\n', '\n', 'y\nlast']) await said(payload);
      return one.heard.includes('last');
    });
    assert.deepEqual([...new Set(one.heard)].sort(), ['', 'last']);
  });

  test('that were said last are said before the end, and none is heard by who has not opened', async (context) => {
    const [one, other] = [await processOf(context), await processOf(context)];
    const closed = await processOf(context, false);
    await untilHeard(one, 'begin', other);
    one.signals.say('last');
    await one.database.close();
    await until('the last word is heard', () => other.heard.includes('last'));
    one.signals.say('too late');
    assert.deepEqual(closed.heard, []);
  });

  test('are lost while the database is away, and nothing else', async (context) => {
    const { url, stop } = await startPostgres(context);
    const database = await openDatabase(url);
    context.after(() => database.close());
    database.signals?.open();
    await stop();
    database.signals?.say('lost');
    await sleep(200);
    await assert.rejects(database.ping());
  });
});

describe('two processes of a service', () => {
  const proofs = shareProofs(owner);
  let services: readonly [RunningService, RunningService];
  /** Stands still, so that nothing is read again for its age. */
  const clock = fixedClock(Date.now());

  before(async () => {
    const database = await server.createDatabase('signals');
    const node = await startNode(owner);
    const config = { masterKey: { value: randomBytes(32).toString('hex') } };
    const order = { node, proofs, database, clock, config };
    services = [await startService(owner, order), await startService(owner, order)];
  });

  const forever = 3_600_000;

  test('who waits for a session at one is woken by the other', async () => {
    const [one, other] = services.map(({ served }) => served.parts.sessionEvents);
    assert.ok(one && other);
    const woken = other.wait('some-session', forever);
    const saying = setInterval(() => one.changed('some-session'), 50);
    await woken;
    clearInterval(saying);
  });

  test('who waits for another session is not', async () => {
    const [one, other] = services.map(({ served }) => served.parts.sessionEvents);
    assert.ok(one && other);
    const another = other.wait('another', 1_000).then(() => 'by time');
    const mine = other.wait('mine', forever);
    one.changed('mine');
    await mine;
    assert.equal(await Promise.race([another, Promise.resolve('still waiting')]), 'still waiting');
    await another;
  });

  test('an API key that is revoked at one is refused at the other', async () => {
    const [one, other] = services;
    const { token, facts } = await one.served.apiKeys.create({ label: 'brief', scopes: ['admin'] });
    const status = async () => (await getService(other.url, '/cred/v1/audit', { apiKey: token })).status;
    assert.equal(await status(), 200);
    assert.equal(await status(), 200);
    await one.served.apiKeys.revoke(facts.id);
    await until('it is refused', async () => (await status()) === 401);
  });

  test('a browser that signs out at one hears no more at the other', async () => {
    const [one, other] = services.map(({ served }) => served.parts.browserSessions);
    assert.ok(one && other);
    const { token } = await services[0].served.apiKeys.create({ label: 'desk', scopes: ['admin'] });
    const bearer = await services[0].served.apiKeys.authenticate(token);
    assert.ok(bearer?.keyId !== undefined);
    const made = await one.begin({ way: 'apiKey', bearer: { ...bearer, keyId: bearer.keyId } });
    const known = await other.authenticate(made, 'thorough');
    const session = (known as { session?: string } | undefined)?.session;
    assert.ok(session !== undefined);
    const ended = other.endOf(session, new AbortController().signal);
    const over = new Promise((resolve) => ended.addEventListener('abort', resolve));
    await one.end(session);
    await over;
    assert.ok(ended.aborted);
  });
});
