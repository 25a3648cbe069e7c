import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { BackupRow, DatabaseCopy } from '../common/backup-rows.ts';
import { DatabaseError, DatabaseUnreachable } from '../common/database-error.ts';
import { openDatabase } from '../open-database.ts';
import { copySqlite, openSqliteCopy } from './backup-sqlite.ts';

interface Tables {
  counter: { name: string; value: number; photo: Uint8Array | null };
}

const migrations = [
  {
    name: '0001-counters',
    statements: ({ text, integer, bytes, strict }: Record<string, string>) => [
      `create table counter (name ${text} primary key, value ${integer} not null, photo ${bytes}) ${strict}`,
    ],
  },
];

function temporaryFolder(context: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-copy-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function openCounters(context: TestContext, file: string) {
  const database = await openDatabase<Tables>(`sqlite:${file}`);
  context.after(() => database.close());
  await database.migrate(migrations as never);
  return database;
}

async function collect(copy: DatabaseCopy, table: string, orderBy?: string): Promise<BackupRow[]> {
  const rows: BackupRow[] = [];
  for await (const row of copy.rows(table, orderBy)) rows.push(row);
  return rows;
}

test('a copy made while rows are written holds one moment, in one file', async (context) => {
  const folder = temporaryFolder(context);
  const { kysely } = await openCounters(context, path.join(folder, 'live.db'));
  const filler = Array.from({ length: 500 }, (_, index) => ({
    name: `filler ${index}`,
    value: 0,
    photo: new Uint8Array(4_000).fill(index),
  }));
  await kysely.insertInto('counter').values(filler).execute();
  const pair = (value: number) =>
    kysely
      .insertInto('counter')
      .values([
        { name: 'a', value, photo: null },
        { name: 'z', value, photo: Uint8Array.of(1, 0, 255) },
      ])
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  await pair(0);
  let isCopied = false;
  const writing = (async () => {
    let value = 0;
    while (!isCopied) await pair(++value);
    return value;
  })();
  const progress: number[] = [];
  const target = path.join(folder, 'copy.db');
  await copySqlite(path.join(folder, 'live.db'), target, (done) => void progress.push(done));
  isCopied = true;
  assert.ok((await writing) > 0);
  assert.equal(statSync(target).mode & 0o777, 0o600);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('copy')),
    ['copy.db'],
  );
  chmodSync(target, 0o400);
  const copy = openSqliteCopy(target);
  assert.ok(copy.tables.includes('counter') && copy.tables.includes('symbolon_migration'));
  const rows = await collect(copy, 'counter', 'name');
  assert.equal(rows.length, 502);
  assert.equal(rows[0]?.value, rows.at(-1)?.value, 'both rows of a pair are of the same write');
  assert.deepEqual(rows.at(-1)?.photo, Uint8Array.of(1, 0, 255));
  copy.close();
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('copy')),
    ['copy.db'],
  );
});

test('a file that is in the way, missing, no database or damaged is told', async (context) => {
  const folder = temporaryFolder(context);
  const live = path.join(folder, 'live.db');
  const { kysely } = await openCounters(context, live);
  await kysely
    .insertInto('counter')
    .values(
      Array.from({ length: 300 }, (_, index) => ({
        name: `n${index}`,
        value: index,
        photo: new Uint8Array(99),
      })),
    )
    .execute();
  const target = path.join(folder, 'copy.db');
  await copySqlite(live, target);
  await assert.rejects(copySqlite(live, target), /EEXIST/);
  await assert.rejects(
    copySqlite(path.join(folder, 'none.db'), path.join(folder, 'x.db')),
    DatabaseUnreachable,
  );
  assert.throws(() => openSqliteCopy(path.join(folder, 'none.db')), DatabaseUnreachable);
  const text = path.join(folder, 'text.db');
  writeFileSync(text, 'this is a text and certainly not a database'.repeat(100));
  assert.throws(() => openSqliteCopy(text), DatabaseError);
  const bytes = readFileSync(target);
  bytes.fill(0xff, 2 * 4_096, 3 * 4_096);
  writeFileSync(target, bytes);
  assert.throws(() => openSqliteCopy(target), /is damaged/);
});
