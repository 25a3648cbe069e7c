/** Where a transaction begins, and what is left where it cannot. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { Kysely } from 'kysely';
import { DatabaseError } from '../common/database-error.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

interface Tables {
  counter: { name: string };
}

async function open(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'symbolon-sqlite-'));
  const file = join(folder, 'test.db');
  const settings = { file, isOwned: false, busyTimeoutMs: 20, cachedStatementsMax: 10 };
  const connection = new SqliteConnection(settings);
  const kysely = new Kysely<Tables>({ dialect: sqliteDialect(connection, 10_000) });
  const other = new DatabaseSync(file);
  context.after(async () => {
    other.close();
    await kysely.destroy();
    rmSync(folder, { recursive: true, force: true });
  });
  await connection.opened();
  await connection.run({ sql: 'create table counter (name text primary key)', parameters: [] });
  const add = (name: string) =>
    kysely.transaction().execute(async (tx) => {
      await tx.insertInto('counter').values({ name }).execute();
    });
  const names = async () =>
    (await kysely.selectFrom('counter').select('name').orderBy('name').execute()).map(({ name }) => name);
  return { kysely, other, add, names };
}

test('a transaction that cannot begin runs none of its statements, and the next one can', async (context) => {
  const { other, add, names } = await open(context);
  other.exec('begin immediate');
  await assert.rejects(
    add('locked out'),
    (error) => error instanceof DatabaseError && error.kind === 'contention',
  );
  other.exec('commit');
  assert.deepEqual(await names(), []);
  await add('next');
  assert.deepEqual(await names(), ['next']);
});

test('a transaction may go on after a first statement that failed', async (context) => {
  const { kysely, add, names } = await open(context);
  await add('taken');
  await kysely.transaction().execute(async (tx) => {
    const adding = tx.insertInto('counter').values({ name: 'taken' }).execute();
    await assert.rejects(adding, (error) => error instanceof DatabaseError && error.kind === 'unique');
    await tx.insertInto('counter').values({ name: 'free' }).execute();
  });
  assert.deepEqual(await names(), ['free', 'taken']);
});

test('a transaction without statements ends without a trace', async (context) => {
  const { kysely, add, names } = await open(context);
  await kysely.transaction().execute(async () => undefined);
  await assert.rejects(
    kysely.transaction().execute(() => Promise.reject(new Error('changed my mind'))),
    /changed my mind/,
  );
  await add('next');
  assert.deepEqual(await names(), ['next']);
});

test('statements of one transaction may be given at once', async (context) => {
  const { kysely, names } = await open(context);
  await kysely.transaction().execute(async (tx) => {
    const adding = ['one', 'two', 'three'].map((name) => tx.insertInto('counter').values({ name }).execute());
    await Promise.all(adding);
  });
  assert.deepEqual(await names(), ['one', 'three', 'two']);
});

test('a transaction that is given up while its first statement runs leaves nothing behind', async (context) => {
  const { kysely, add, names } = await open(context);
  const givenUp = kysely.transaction().execute(async (tx) => {
    void tx.insertInto('counter').values({ name: 'given up' }).execute();
    throw new Error('changed my mind');
  });
  await assert.rejects(givenUp, /changed my mind/);
  await add('next');
  assert.deepEqual(await names(), ['next']);
});
