import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase } from '../open-database.ts';
import { registerDatabaseConformance } from './database.conformance.ts';
import { DatabaseUnreachable } from './database-error.ts';

function tempFolder(context: TestContext): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-database-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

registerDatabaseConformance('sqlite', async (context) => {
  const file = path.join(tempFolder(context), 'data.db');
  return async (options) => {
    const database = await openDatabase(`sqlite:${file}`, options);
    context.after(() => database.close());
    return database as never;
  };
});

test('the file, its companions and a new folder are for their owner alone', async (context) => {
  const folder = path.join(tempFolder(context), 'new');
  const file = path.join(folder, 'data.db');
  const { kysely, close } = await openDatabase(`sqlite:${file}`);
  context.after(close);
  await sql`create table t (a integer)`.execute(kysely);
  const mode = (name: string) => statSync(name).mode & 0o777;
  assert.equal(mode(folder), 0o700);
  for (const end of ['', '-wal', '-shm']) assert.equal(mode(file + end), 0o600, end);
});

test('writes are synced, foreign keys are kept', async (context) => {
  const { kysely, close } = await openDatabase(`sqlite:${path.join(tempFolder(context), 'a.db')}`);
  context.after(close);
  const setting = async (name: string) =>
    Object.values((await sql.raw<object>(`pragma ${name}`).execute(kysely)).rows[0])[0];
  assert.equal(await setting('journal_mode'), 'wal');
  assert.equal(await setting('synchronous'), 2);
  assert.equal(await setting('foreign_keys'), 1);
});

test('a database in memory works and leaves no file', async (context) => {
  const database = await openDatabase('sqlite::memory:');
  context.after(() => database.close());
  await database.ping();
  assert.equal(database.location, 'sqlite::memory:');
});

test('what cannot be opened is said plainly, and no password is shown', async (context) => {
  const folder = tempFolder(context);
  writeFileSync(
    path.join(folder, 'notes.txt'),
    'not a database, but long enough to look like one'.repeat(100),
  );
  const attempts: [string, RegExp][] = [
    [`sqlite:${folder}/notes.txt`, /notes\.txt cannot be opened: file is not a database/],
    [`sqlite:${folder}`, /cannot be opened/],
    ['sqlite:', /names a file: sqlite:service.db/],
    ['mysql://user:hunter2@host/name', /begins with sqlite: or postgres/],
    ['postgres://', /cannot be reached|is not postgres/],
    ['postgres://user:hunter2@[bad/name', /is not postgres:/],
    [
      'postgres://user:hunter2@127.0.0.1:1/name?password=hunter2',
      /^postgres:\/\/user@127.0.0.1:1\/name cannot be reached: .*ECONNREFUSED/,
    ],
  ];
  for (const [url, message] of attempts) {
    const error = await openDatabase(url, { connectTimeoutMs: 500 }).catch((caught) => caught);
    assert.ok(error instanceof DatabaseUnreachable, url);
    assert.match(error.message, message);
    assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)} ${error.cause}`, /hunter2/);
  }
});

test('the event loop turns while a statement works, and waiting writes share commits', async (context) => {
  const { kysely, close } = await openDatabase(`sqlite:${path.join(tempFolder(context), 'a.db')}`);
  context.after(close);
  let turns = 0;
  const clock = setInterval(() => turns++, 1);
  context.after(() => clearInterval(clock));
  const slow =
    sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000) select max(i) from n`.execute(
      kysely,
    );
  await slow;
  assert.ok(turns > 3, `${turns}`);
  await sql`create table t (a integer primary key)`.execute(kysely);
  const writes = Array.from({ length: 1_000 }, (_, a) => sql`insert into t values (${a})`.execute(kysely));
  await Promise.all(writes);
  const { rows } = await sql<{ n: number }>`select count(*) as n from t`.execute(kysely);
  assert.equal(rows[0].n, 1_000);
});

test('a write that makes the common commit impossible fails alone', async (context) => {
  const { kysely, close } = await openDatabase('sqlite::memory:');
  context.after(close);
  await sql`create table parent (a integer primary key)`.execute(kysely);
  await sql`create table child (a integer references parent (a) deferrable initially deferred)`.execute(
    kysely,
  );
  await sql`insert into parent values (1)`.execute(kysely);
  const parents = [1, 1, 99, 1, 98, 1];
  const outcomes = await Promise.allSettled(
    parents.map((a) => sql`insert into child values (${a})`.execute(kysely)),
  );
  assert.deepEqual(
    outcomes.map(({ status }) => status === 'fulfilled'),
    parents.map((a) => a === 1),
  );
  const { rows } = await sql<{ n: number }>`select count(*) as n from child`.execute(kysely);
  assert.equal(rows[0].n, 4);
});

test('a statement that begins a transaction by itself is refused', async (context) => {
  const { kysely, ping, close } = await openDatabase('sqlite::memory:');
  context.after(close);
  await assert.rejects(sql`begin`.execute(kysely), /transaction\(\)/);
  await ping();
});

test('who waits is told when the database is closed', async () => {
  const database = await openDatabase('sqlite::memory:');
  const held = database.transaction(async () => delay(50)).catch((error) => error);
  await delay(10);
  const waiting = database.ping().catch((error) => error);
  await database.close();
  assert.match(String(await waiting), /closed/);
  assert.match(String(await held), /closed/);
});
