import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { registerDatabaseConformance } from '@symbolon/host/database/common/database.conformance';
import { DatabaseError, DatabaseUnreachable } from '@symbolon/host/database/common/database-error';
import { openDatabase } from '@symbolon/host/database/open-database';
import { sql } from 'kysely';
import { ownerOfSuite } from '../support/owner.ts';
import { type RunningPostgres, startPostgres } from '../support/postgres.ts';

const owner = ownerOfSuite();
let postgres: RunningPostgres;
let made = 0;

before(async () => {
  postgres = await startPostgres(owner);
});

const createDatabase = () => postgres.createDatabase(`test${++made}`);

registerDatabaseConformance('postgres', async (context) => {
  const url = await createDatabase();
  return async (options) => {
    const database = await openDatabase(url, options);
    context.after(() => database.close());
    return database as never;
  };
});

test('a statement that takes too long is ended', async (context) => {
  const database = await openDatabase(await createDatabase(), { statementTimeoutMs: 100 });
  context.after(() => database.close());
  await assert.rejects(
    sql`select pg_sleep(5)`.execute(database.kysely),
    (error) => error instanceof DatabaseError && error.kind === 'timeout',
  );
  await database.ping();
});

test('the location and every message are without the password', async (context) => {
  const url = await createDatabase();
  const database = await openDatabase(url);
  context.after(() => database.close());
  assert.match(database.location, /^postgres:\/\/symbolon@127\.0\.0\.1:\d+\/test\d+$/);
  const wrong = url.replace(postgres.password, 'another-secret');
  for (const bad of [wrong, `${url}-that-is-not-there`]) {
    const error = await openDatabase(bad).catch((caught) => caught);
    assert.ok(error instanceof DatabaseUnreachable);
    assert.match(
      error.message,
      /cannot be reached: (password authentication failed|database .* does not exist)/,
    );
    assert.doesNotMatch(`${error.stack}${JSON.stringify(error)}`, /another-secret|a-password/);
  }
});

test('connections that break are replaced, and a server that is gone is an error', async (context) => {
  const broken: Error[] = [];
  const database = await openDatabase(await createDatabase(), { onIdleError: (error) => broken.push(error) });
  context.after(() => database.close());
  const other = await openDatabase(postgres.url);
  context.after(() => other.close());
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()
    and application_name = 'symbolon'`.execute(other.kysely);
  await assert.doesNotReject(async () => {
    await database.ping().catch(() => database.ping());
  });
  await postgres.stop();
  await assert.rejects(database.ping(), DatabaseError);
  assert.ok(broken.every((error) => error instanceof DatabaseError));
});
