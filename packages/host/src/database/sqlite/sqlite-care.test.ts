import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Database } from '../common/database.ts';
import { DatabaseInUse, DatabaseSetBack } from '../common/database-error.ts';
import { openDatabase } from '../open-database.ts';
import { examineSqlite } from './sqlite-care.ts';
import {
  isFailed,
  make,
  own,
  owningProcess,
  put,
  rowsOf,
  scriptOf,
  tempFolder,
  until,
} from './sqlite-fixture.ts';

describe('the owner of a SQLite file', () => {
  test('is one, in this process and in any other, and a crash frees the file at once', async (context) => {
    const file = path.join(tempFolder(context), 'a.db');
    const first = await openDatabase(`sqlite:${file}`, { isOwner: true });
    await assert.rejects(openDatabase(`sqlite:${file}`, { isOwner: true }), DatabaseInUse);
    const beside = await openDatabase(`sqlite:${file}`);
    await make(beside as Database<unknown>);
    await beside.close();
    await first.close();
    const kill = await owningProcess(context, file);
    await assert.rejects(openDatabase(`sqlite:${file}`, { isOwner: true }), DatabaseInUse);
    await kill();
    await (await openDatabase(`sqlite:${file}`, { isOwner: true })).close();
  });

  test('brings a deleted log home and writes no more', async (context) => {
    const file = path.join(tempFolder(context), 'a.db');
    const { database, damages } = await own(context, file);
    await make(database);
    await put(database, 1);
    rmSync(`${file}-wal`);
    await put(database, 2);
    await until('it notices', () => database.health().problem !== undefined);
    assert.match(
      database.health().problem ?? '',
      /log of the database \(a\.db-wal\) was deleted or replaced/,
    );
    await assert.rejects(put(database, 3), isFailed(/nothing is written any more/));
    await assert.rejects(
      database.transaction(async () => undefined),
      isFailed(/nothing is written any more/),
    );
    assert.ok(database.health().failures > 0);
    assert.equal(damages.length, 1);
    assert.equal(rowsOf(file), 2, 'all that was answered is in the file');
  });

  test('notices when the file itself is another one', async (context) => {
    const file = path.join(tempFolder(context), 'a.db');
    const { database } = await own(context, file);
    await make(database);
    renameSync(file, `${file}.away`);
    writeFileSync(file, '');
    await until('it notices', () => database.health().problem !== undefined);
    assert.match(database.health().problem ?? '', /the database file \(a\.db\)/);
    await assert.rejects(put(database, 1), isFailed(/nothing is written any more/));
  });

  test('does not begin on a file that lost its log while nobody ran', async (context) => {
    const file = path.join(tempFolder(context), 'a.db');
    const kill = await owningProcess(context, file);
    await kill();
    assert.ok(existsSync(`${file}-wal`));
    rmSync(`${file}-wal`);
    await assert.rejects(openDatabase(`sqlite:${file}`, { isOwner: true }), DatabaseSetBack);
    await assert.rejects(examineSqlite(file), DatabaseSetBack);
    rmSync(`${file}-seen`);
    await (await openDatabase(`sqlite:${file}`, { isOwner: true })).close();
  });

  test('begins after a crash, an orderly end and others` use, with nothing to complain about', async (context) => {
    const file = path.join(tempFolder(context), 'a.db');
    const kill = await owningProcess(context, file);
    await kill();
    // Whoever closes last brings the log home and removes it.
    await (await openDatabase(`sqlite:${file}`)).close();
    assert.ok(!existsSync(`${file}-wal`));
    const { database } = await own(context, file);
    database.examine();
    await until('the verdict', () => database.health().integrity === 'ok');
    assert.equal(database.health().problem, undefined);
    await examineSqlite(file);
  });
});

/** Mounting needs a namespace of one's own, which not every machine grants. */
const mayMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

test('a full disk is said to be that, and is over when there is room', {
  skip: !mayMount,
}, async (context) => {
  const folder = tempFolder(context);
  const code = `
    import { rmSync, writeFileSync } from 'node:fs';
    import { setTimeout as delay } from 'node:timers/promises';
    const folder = ${JSON.stringify(folder)};
    const database = await openDatabase('sqlite:' + folder + '/a.db', { isOwner: true });
    const { kysely } = database;
    await kysely.schema.createTable('t').addColumn('a', 'text').execute();
    const put = (a) => kysely.insertInto('t').values({ a }).execute();
    await put('before');
    try { writeFileSync(folder + '/ballast', Buffer.alloc(8 << 20)); } catch {}
    const told = await put('x'.repeat(200_000)).then(() => 'written', (error) => error.kind + ': ' + error.message);
    await delay(2_500);
    const { problem } = database.health();
    rmSync(folder + '/ballast');
    await delay(2_500);
    await put('after');
    const rows = await kysely.selectFrom('t').select('a').execute();
    console.log(JSON.stringify({ told, problem, later: database.health().problem, rows: rows.map(({ a }) => a) }));
    await database.close();`;
  const script = scriptOf(context, code);
  const shell = 'mount -t tmpfs -o size=1m none "$1" && exec "$2" "$3"';
  const { stdout, stderr } = spawnSync(
    'unshare',
    ['-rm', 'sh', '-c', shell, 'sh', folder, process.execPath, script],
    { encoding: 'utf8' },
  );
  const { told, problem, later, rows } = JSON.parse(stdout || `"${stderr}"`);
  assert.match(told, /^failed: database or disk is full/);
  assert.match(problem ?? '', /full|disk I\/O/);
  assert.equal(later, undefined);
  assert.deepEqual(rows, ['before', 'after']);
});
