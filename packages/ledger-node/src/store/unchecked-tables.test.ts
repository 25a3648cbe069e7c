/** A store that is opened before its tables were read through: it answers right or not at all, and damage is found. */
import assert from 'node:assert/strict';
import { cp, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  damageRepeatedly,
  filesOf,
  flipOneBit,
  outcome,
  smallBuffer,
  temporaryFolder,
  writeChain,
} from './damage-fixture.ts';
import { checkLevelFiles } from './level-files.ts';
import { LevelStore } from './level-store.ts';
import { bytes } from './store.conformance.ts';
import { StoreCorrupt } from './store-errors.ts';
import { findDamage } from './table-check.ts';

const asRead = { tables: 'checkedAsRead' } as const;

/** What became of reading, and then of the check in the background; where that found damage, the next opening knows. */
async function outcomeAsRead(folder: string, expected: Map<string, Uint8Array>): Promise<string> {
  const reading = await outcome(folder, expected, asRead);
  if (reading === 'refused') return reading;
  const checking = await LevelStore.open(folder, asRead).then(
    async (store) => {
      const found = await store.checkTables().then(
        () => 'sound',
        (error) => {
          assert.ok(error instanceof StoreCorrupt, String(error));
          assert.equal(store.isSound, false);
          return 'found';
        },
      );
      await store.close();
      return found;
    },
    (error) => {
      assert.ok(error instanceof StoreCorrupt, String(error));
      return 'found';
    },
  );
  if (checking === 'found') await assert.rejects(LevelStore.open(folder, asRead), StoreCorrupt);
  return `${reading}, ${checking}`;
}

test('a flipped bit in an unchecked table is never served, and always found', async (context) => {
  const folder = join(await temporaryFolder(context), 'store');
  const expected = await writeChain(folder, smallBuffer);
  const times = 30;
  for (const file of await filesOf(folder, /\.ldb$/)) {
    const outcomes = await damageRepeatedly(folder, expected, {
      file,
      times,
      damage: flipOneBit(times),
      examine: outcomeAsRead,
    });
    const { refused = 0, 'named on reading, found': named = 0, 'right, sound': harmless = 0 } = outcomes;
    assert.equal(refused + named + harmless, times, JSON.stringify(outcomes));
    assert.ok(harmless <= 1, 'only the padding of the footer may change without harm');
    assert.ok(named > 0, JSON.stringify(outcomes));
  }
});

test('one row is answered or refused by what the tables around it hold, a missing one as well', async (context) => {
  const folder = join(await temporaryFolder(context), 'store');
  const expected = await writeChain(folder, smallBuffer);
  const keys = [...expected.keys(), 'account', 'block 1 and more', 'zzz'];
  for (const file of await filesOf(folder, /\.ldb$/)) {
    const times = 40;
    await damageRepeatedly(folder, expected, {
      file,
      times,
      damage: flipOneBit(times),
      examine: async (copy) => {
        const store = await LevelStore.open(copy, asRead).catch((error) => {
          assert.ok(error instanceof StoreCorrupt, String(error));
        });
        if (!store) return 'refused';
        for (const key of keys) {
          try {
            assert.deepEqual(store.get(bytes(key)), expected.get(key), key);
          } catch (error) {
            assert.ok(error instanceof StoreCorrupt, String(error));
          }
        }
        await store.close();
        return 'read';
      },
    });
  }
});

test('a sound store is read through in the background, and nothing is left of that', async (context) => {
  const folder = join(await temporaryFolder(context), 'store');
  const expected = await writeChain(folder, smallBuffer);
  const store = await LevelStore.open(folder, asRead);
  const { checked, total } = store.tablesChecked;
  assert.ok(checked === 0 && total > 100_000);
  assert.deepEqual((await readdir(join(folder, 'unchecked'))).sort(), await filesOf(folder, /\.ldb$/));
  const done = store.checkTables();
  for (const [key, value] of expected) assert.deepEqual(store.get(bytes(key)), value);
  expected.set('meanwhile', bytes('written'));
  await store.write([[bytes('meanwhile'), bytes('written')]]);
  await done;
  assert.deepEqual(store.tablesChecked, { checked: total, total });
  assert.equal(store.isSound, true);
  assert.ok(!(await readdir(folder)).includes('unchecked'));
  assert.deepEqual(store.get(bytes('meanwhile')), bytes('written'));
  await store.close();
  assert.equal(await outcome(folder, expected), 'right');
});

test('a store that is closed before or during the check leaves nothing behind', async (context) => {
  const folder = join(await temporaryFolder(context), 'store');
  const expected = await writeChain(folder, smallBuffer);
  const unread = await LevelStore.open(folder, asRead);
  await unread.close();
  assert.ok(!(await readdir(folder)).includes('unchecked'));
  const store = await LevelStore.open(folder, asRead);
  const done = store.checkTables();
  await store.close();
  await done;
  assert.ok(!(await readdir(folder)).includes('unchecked'));
  assert.equal(await outcome(folder, expected, asRead), 'right');
});

/** Writes over all keys until LevelDB has merged a table away. */
async function writeUntilMerged(store: LevelStore, name: string): Promise<void> {
  for (let round = 0; (await readdir(store.folder)).includes(name); round++) {
    assert.ok(round < 2_000, `${name} is never merged`);
    const rows = Array.from({ length: 20 }, (_, index) => {
      const key = bytes(index % 2 === 0 ? `account ${(round + index) % 100}` : `a filler ${round} ${index}`);
      return [key, new Uint8Array(400).fill(round)] as const;
    });
    await store.write(rows);
  }
}

/** Flips the kind of one row in a table: what was a value is a deletion, and the row's own checksum still holds. */
async function deleteRow(context: TestContext): Promise<{ folder: string; file: string }> {
  const folder = join(await temporaryFolder(context), 'store');
  const value = (await writeChain(folder, smallBuffer)).get('block 17')!;
  for (const file of await filesOf(folder, /\.ldb$/)) {
    const path = join(folder, file);
    const content = await readFile(path);
    // Eight bytes before the value stands its kind, then its sequence number.
    const at = content.indexOf(value) - 8;
    if (at < 0) continue;
    assert.equal(content[at], 1, 'the row is a value');
    const table = await open(path, 'r+');
    await table.write(Uint8Array.of(0), 0, 1, at);
    await table.close();
    return { folder, file };
  }
  throw new Error('no table has the row');
}

test('damage that LevelDB merges into a sound table is named before the next answer', async (context) => {
  const { folder, file } = await deleteRow(context);
  const named = (error: unknown) => {
    assert.ok(error instanceof StoreCorrupt);
    assert.match(error.damage, new RegExp(`^table ${file} has a damaged block at byte`));
    return true;
  };
  const store = await LevelStore.open(folder, { ...asRead, ...smallBuffer });
  await writeUntilMerged(store, file);
  assert.throws(() => store.get(bytes('nowhere near')), named);
  assert.equal(store.isSound, false);
  await store.close();
  // Every table of the store checks now, and the row is gone.
  for (const tables of ['checkedFirst', 'checkedAsRead'] as const)
    await assert.rejects(LevelStore.open(folder, { tables }), named);
});

test('a process that ends before it has looked at what was merged leaves that to the next', async (context) => {
  const { folder, file } = await deleteRow(context);
  const store = await LevelStore.open(folder, { ...asRead, ...smallBuffer });
  await writeUntilMerged(store, file);
  const asKilled = `${folder}-killed`;
  await cp(folder, asKilled, { recursive: true });
  await store.close();
  await assert.rejects(LevelStore.open(asKilled, asRead), new RegExp(`table ${file} has a damaged block`));
  await assert.rejects(LevelStore.open(folder, asRead), new RegExp(`table ${file} has a damaged block`));
});

test('several threads find the damaged table that one finds', async (context) => {
  const folder = join(await temporaryFolder(context), 'store');
  await writeChain(folder, smallBuffer);
  const orders = async () =>
    (await checkLevelFiles(folder))!.map(({ number, name, bytes }) => ({
      number,
      path: join(folder, name),
      bytes,
    }));
  for (const threads of [1, 2, 3]) assert.equal(await findDamage(await orders(), threads), undefined);
  const [, , file] = await filesOf(folder, /\.ldb$/);
  const table = await open(join(folder, file), 'r+');
  await table.write(Uint8Array.of(0xff, 0xff), 0, 2, 5_000);
  await table.close();
  for (const threads of [1, 2, 3]) {
    const found = await findDamage(await orders(), threads);
    assert.equal(found?.number, Number.parseInt(file, 10));
    assert.match(found?.damage ?? '', /has a damaged block/);
  }
});

test('a damaged table that is put back in its place is taken', async (context) => {
  const folder = join(await temporaryFolder(context), 'store');
  const expected = await writeChain(folder, smallBuffer);
  const sound = `${folder}-sound`;
  await cp(folder, sound, { recursive: true });
  const [file] = await filesOf(folder, /\.ldb$/);
  const table = await open(join(folder, file), 'r+');
  await table.write(Uint8Array.of(0xff, 0xff), 0, 2, 5_000);
  await table.close();
  const store = await LevelStore.open(folder, asRead);
  await assert.rejects(store.checkTables(), StoreCorrupt);
  await store.close();
  await assert.rejects(LevelStore.open(folder), StoreCorrupt);
  await rm(join(folder, file));
  await cp(join(sound, file), join(folder, file));
  assert.equal(await outcomeAsRead(folder, expected), 'right, sound');
});
