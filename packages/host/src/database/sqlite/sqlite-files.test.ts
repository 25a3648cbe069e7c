import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { DatabaseAddressWrong, DatabaseInUse, DatabaseSetBack } from '../common/database-error.ts';
import { openDatabase } from '../open-database.ts';
import { copySqlite } from './backup-sqlite.ts';
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

/** Names and bytes of all that is in a folder. */
const contentsOf = (folder: string) =>
  readdirSync(folder)
    .toSorted()
    .map((name) => [name, readFileSync(path.join(folder, name)).toString('base64')]);

/** A file with a log beside it, left by an owner that was killed. */
async function crashed(context: Parameters<typeof own>[0]) {
  const folder = tempFolder(context);
  const file = path.join(folder, 'a.db');
  const kill = await owningProcess(context, file);
  await kill();
  assert.ok(statSync(`${file}-wal`).size > 0);
  return { folder, file };
}

describe('a SQLite file that is not all there', () => {
  test('is refused by its name when it is gone beside its log, and nothing is touched', async (context) => {
    const { folder, file } = await crashed(context);
    rmSync(file);
    const before = contentsOf(folder);
    for (const isOwner of [true, false])
      await assert.rejects(openDatabase(`sqlite:${file}`, { isOwner }), (error: Error) => {
        assert.ok(error instanceof DatabaseSetBack, String(error));
        assert.match(error.message, /the database file \(.*a\.db\) is gone/);
        assert.doesNotMatch(error.message, /log .* was deleted/);
        return true;
      });
    await assert.rejects(examineSqlite(file), DatabaseSetBack);
    assert.deepEqual(contentsOf(folder), before);
    writeFileSync(file, '');
    await assert.rejects(openDatabase(`sqlite:${file}`, { isOwner: true }), /is empty/);
    assert.deepEqual(
      contentsOf(folder).filter(([name]) => name !== 'a.db'),
      before,
    );
  });

  test('is refused by everybody when its log is gone, and nothing is touched', async (context) => {
    const { folder, file } = await crashed(context);
    for (const name of ['-wal', '-shm']) renameSync(`${file}${name}`, `${folder}.kept${name}`);
    context.after(() => ['-wal', '-shm'].map((name) => rmSync(`${folder}.kept${name}`, { force: true })));
    const before = contentsOf(folder);
    for (const isOwner of [true, false])
      await assert.rejects(openDatabase(`sqlite:${file}`, { isOwner }), /write-ahead log .* was deleted/);
    await assert.rejects(copySqlite(file, `${file}-copy`), DatabaseSetBack);
    assert.deepEqual(contentsOf(folder), before);
    for (const name of ['-wal', '-shm']) renameSync(`${folder}.kept${name}`, `${file}${name}`);
    await (await openDatabase(`sqlite:${file}`, { isOwner: true })).close();
  });

  test('is put back under its name when it is deleted while it is open', async (context) => {
    const file = path.join(tempFolder(context), 'a.db');
    const { database, damages } = await own(context, file);
    await make(database);
    await put(database, 1);
    rmSync(file);
    await put(database, 2);
    await until('it notices', () => database.health().problem !== undefined);
    assert.match(database.health().problem ?? '', /a\.db\) was deleted or replaced.*written back.*restart/);
    assert.equal(damages.length, 1);
    await assert.rejects(put(database, 3), isFailed(/nothing is written any more/));
    await assert.rejects(openDatabase(`sqlite:${file}`), /not written any more.*restart/s);
    await database.close();
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(rowsOf(file), 2, 'all that was answered is in the file');
    await (await openDatabase(`sqlite:${file}`, { isOwner: true })).close();
    await (await openDatabase(`sqlite:${file}`)).close();
  });

  test('is saved beside the file that was put in its place', async (context) => {
    const file = path.join(tempFolder(context), 'a.db');
    const { database } = await own(context, file);
    await make(database);
    await put(database, 1);
    renameSync(file, `${file}.away`);
    copyFileSync(`${file}.away`, file);
    await until('it notices', () => database.health().problem !== undefined);
    assert.match(database.health().problem ?? '', /what it held is in a\.db-rescued/);
    assert.equal(rowsOf(`${file}-rescued`), 1);
  });
});

describe('the names of a SQLite file', () => {
  test('lead to one lock, through links of the file and of its folder', async (context) => {
    const folder = tempFolder(context);
    const file = path.join(folder, 'a.db');
    await own(context, file);
    mkdirSync(path.join(folder, 'other'));
    const link = path.join(folder, 'other', 'b.db');
    symlinkSync('../a.db', link);
    await assert.rejects(openDatabase(`sqlite:${link}`, { isOwner: true }), DatabaseInUse);
    assert.deepEqual(readdirSync(path.join(folder, 'other')), ['b.db']);
  });

  test('are not several, and name a file', async (context) => {
    const folder = tempFolder(context);
    const file = path.join(folder, 'a.db');
    await own(context, file);
    linkSync(file, `${folder}/b.db`);
    for (const isOwner of [true, false])
      await assert.rejects(openDatabase(`sqlite:${folder}/b.db`, { isOwner }), /2 names \(hard links\)/);
    chmodSync(folder, 0o700);
    await assert.rejects(openDatabase(`sqlite:${folder}`, { isOwner: true }), DatabaseAddressWrong);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.ok(!existsSync(`${folder}-lock`));
  });
});

describe('the owner of a SQLite file that is harmed while it is open', () => {
  test('stops when the log was cut short, and brings nothing of it into the file', async (context) => {
    const file = path.join(tempFolder(context), 'a.db');
    const { database, damages } = await own(context, file);
    await make(database);
    for (let a = 0; a < 50; a += 1) await put(database, a);
    await until('a beat', () => existsSync(`${file}-seen`));
    const before = readFileSync(file);
    truncateSync(`${file}-wal`, 0);
    await put(database, 50).catch(() => undefined);
    await until('it notices', () => database.health().problem !== undefined);
    assert.match(database.health().problem ?? '', /write-ahead log .*cut short.*restore a backup/);
    await assert.rejects(put(database, 51), isFailed(/nothing is written any more/));
    assert.equal(damages.length, 1);
    await database.close();
    assert.ok(readFileSync(file).equals(before), 'what is left is not made worse');
  });

  test('goes on when others bring the log home and begin it anew', async (context) => {
    const file = path.join(tempFolder(context), 'a.db');
    const { database } = await own(context, file);
    await make(database);
    for (let round = 0; round < 3; round += 1) {
      for (let a = 0; a < 20; a += 1) await put(database, round * 20 + a);
      await sql`pragma wal_checkpoint(restart)`.execute(database.kysely);
      await delay(1_100);
    }
    assert.equal(database.health().problem, undefined);
  });

  test('writes no more after any statement that finds damage', async (context) => {
    const folder = tempFolder(context);
    const file = path.join(folder, 'a.db');
    const made = await openDatabase(`sqlite:${file}`);
    await make(made as never);
    await sql`create table big (a integer primary key, b text)`.execute(made.kysely);
    for (let a = 0; a < 40; a += 1)
      await sql`insert into big values (${a}, ${'x'.repeat(2_000)})`.execute(made.kysely);
    await made.close();
    const bytes = readFileSync(file);
    for (let page = 4; page * 4_096 < bytes.length; page += 1)
      bytes.fill(0xff, page * 4_096, page * 4_096 + 8);
    writeFileSync(file, bytes);
    const { database, damages } = await own(context, file);
    await put(database, 1);
    await assert.rejects(sql`select sum(length(b)) from big`.execute(database.kysely), isFailed(/malformed/));
    assert.match(database.health().problem ?? '', /is damaged.*restore a backup/);
    await assert.rejects(put(database, 2), isFailed(/nothing is written any more/));
    await until('it is told', () => damages.length === 1);
    await assert.rejects(openDatabase(`sqlite:${file}`), /not written any more/);
  });
});

/** Mounting needs a namespace of one's own, which not every machine grants. */
const mayMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

test('a file that cannot be written back is said to be lost with the process', {
  skip: !mayMount,
}, (context) => {
  const folder = tempFolder(context);
  const script = scriptOf(
    context,
    `import { rmSync, writeFileSync } from 'node:fs';
    import { setTimeout as delay } from 'node:timers/promises';
    const folder = ${JSON.stringify(folder)};
    const database = await openDatabase('sqlite:' + folder + '/a.db', { isOwner: true });
    await database.kysely.schema.createTable('t').addColumn('a', 'text').execute();
    rmSync(folder + '/a.db');
    try { writeFileSync(folder + '/ballast', Buffer.alloc(8 << 20)); } catch {}
    await delay(2_500);
    console.log(database.health().problem);
    process.exit();`,
  );
  const shell = 'mount -t tmpfs -o size=1m none "$1" && exec "$2" "$3"';
  const words = ['-rm', 'sh', '-c', shell, 'sh', folder, process.execPath, script];
  const { stdout, stderr } = spawnSync('unshare', words, { encoding: 'utf8' });
  assert.match(stdout, /lost when this process ends/, stderr);
});
