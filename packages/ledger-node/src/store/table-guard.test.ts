/** Tables that change under a store that is open, after they were checked: whoever meets it, the whole store knows. */
import assert from 'node:assert/strict';
import { linkSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { storeLimits } from '../limits/node-limits.ts';
import {
  clearFilters,
  filesOf,
  outcome,
  overwrite,
  smallBuffer,
  temporaryFolder,
  writeChain,
} from './damage-fixture.ts';
import { listedTables } from './level-files.ts';
import { LevelStore, type LevelStoreOptions } from './level-store.ts';
import { bytes } from './store.conformance.ts';
import { StoreCorrupt } from './store-errors.ts';
import { TableGuard } from './table-guard.ts';

const asRead = { tables: 'checkedAsRead' } as const;

interface Checked {
  readonly store: LevelStore;
  readonly expected: Map<string, Uint8Array>;
  /** The path of the table with this row. */
  readonly table: string;
  readonly value: Uint8Array;
}

/** A store whose tables were read through, and one row in one of them. */
async function openChecked(context: TestContext, options: LevelStoreOptions = {}): Promise<Checked> {
  const folder = join(await temporaryFolder(context), 'store');
  const expected = await writeChain(folder, smallBuffer);
  const store = await LevelStore.open(folder, { ...asRead, ...options });
  context.after(() => store.close());
  await store.checkTables();
  const value = expected.get('block 17')!;
  const tables = (await filesOf(folder, /\.ldb$/)).map((name) => join(folder, name));
  const table = tables.find((path) => readFileSync(path).indexOf(value) >= 0)!;
  return { store, expected, table, value };
}

const rowOf = ({ table, value }: Checked): number => readFileSync(table).indexOf(value);

async function assertEnded({ store, expected }: Checked, guarded: Promise<void>, words: RegExp) {
  await assert.rejects(guarded, (error) => {
    assert.ok(error instanceof StoreCorrupt, String(error));
    assert.match(error.damage, words);
    return true;
  });
  assert.equal(store.isSound, false);
  await assert.rejects(store.write([[bytes('more'), bytes('rows')]]), StoreCorrupt);
  await store.close();
  assert.equal(
    await outcome(store.folder, expected, asRead),
    'refused',
    'the next opening reads all tables first',
  );
}

const readings: Record<string, (store: LevelStore) => unknown> = {
  'of one row': (store) => store.get(bytes('block 17')),
  'of several rows': (store) => store.getMany([bytes('head'), bytes('block 17')]),
  'of a range': (store) => store.scan({ gte: bytes('block'), lt: bytes('c') }),
  'of a view': (store) => store.view().get(bytes('block 17')),
};
for (const [name, read] of Object.entries(readings)) {
  test(`a row that a reading ${name} finds damaged ends the store`, async (context) => {
    const checked = await openChecked(context);
    overwrite(checked.table, rowOf(checked) + 5, Uint8Array.of(checked.value[5] ^ 1));
    await assert.rejects(async () => read(checked.store), /a row fails its checksum/);
    assert.equal(checked.store.isSound, false);
    await assertEnded(checked, checked.store.guardTables(), /^a row fails its checksum$/);
  });
}

for (const isTimePutBack of [false, true]) {
  test(`a filter that changes is found soon${isTimePutBack ? ', though its time is put back' : ''}`, async (context) => {
    const checked = await openChecked(context);
    const guarded = checked.store.guardTables();
    // Until it was looked at: the guard's timer is due before this one.
    await sleep(3 * storeLimits.tableLookMs);
    const { atime, mtime } = statSync(checked.table);
    clearFilters(checked.table);
    if (isTimePutBack) utimesSync(checked.table, atime, mtime);
    assert.equal(checked.store.get(bytes('block 17')), undefined, 'LevelDB believes it');
    await assertEnded(checked, guarded, /^table \d+\.ldb has a damaged block at byte \d+$/);
  });
}

test('a table that is written to after its check, before it is looked at, is found', async (context) => {
  const checked = await openChecked(context);
  clearFilters(checked.table);
  await assertEnded(checked, checked.store.guardTables(), /^table \d+\.ldb has a damaged block/);
});

test('a table that is deleted is found', async (context) => {
  const checked = await openChecked(context);
  const guarded = checked.store.guardTables();
  await sleep(3 * storeLimits.tableLookMs);
  rmSync(checked.table);
  await assert.rejects(guarded, /table \d+\.ldb is missing$/);
  assert.equal(checked.store.isSound, false);
});

test('times, links and merges without damage end nothing, and nothing is left of them', async (context) => {
  const { store, table } = await openChecked(context, smallBuffer);
  const ended: unknown[] = [];
  store.guardTables().catch((error) => ended.push(error));
  await sleep(3 * storeLimits.tableLookMs);
  utimesSync(table, 1, 1);
  linkSync(table, `${store.folder}-link`);
  const tables = await filesOf(store.folder, /\.ldb$/);
  for (let round = 0; round < 400; round++)
    await store.write([[bytes(`account ${round % 100}`), new Uint8Array(4_000).fill(round)]]);
  await sleep(2 * storeLimits.tableRoundMs);
  assert.notDeepEqual(await filesOf(store.folder, /\.ldb$/), tables, 'LevelDB has merged');
  assert.deepEqual(ended, []);
  assert.equal(store.isSound, true);
  await store.close();
  assert.ok(!(await readdir(store.folder)).includes('unchecked'));
});

/** A guard of these files that is started by nobody: a test calls what its timers would. */
function guardOf(paths: readonly string[], found: string[]): TableGuard {
  return new TableGuard({
    live: () => paths.map((path, number) => ({ number, path, bytes: undefined })),
    isUnchecked: () => false,
    wasThere: () => true,
    openedAtMs: Date.now(),
    onDamage: (number, damage) => found.push(`${number} ${damage}`),
    onFailure: (error) => assert.fail(String(error)),
  });
}

test('a further pass finds what changes without a trace in size and times', async (context) => {
  const folder = join(await temporaryFolder(context), 'store');
  await writeChain(folder, smallBuffer);
  const paths = (await filesOf(folder, /\.ldb$/)).map((name) => join(folder, name));
  const found: string[] = [];
  const guard = guardOf(paths, found);
  await guard.readThrough();
  assert.deepEqual(found, []);
  const { atime, mtime } = statSync(paths[1]);
  clearFilters(paths[1]);
  utimesSync(paths[1], atime, mtime);
  await guard.readThrough();
  assert.equal(found.length, 1);
  assert.match(found[0], /^1 has a damaged block at byte \d+$/);
  await guard.end();
});

test('the tables that LevelDB names are read from its own list', () => {
  const property =
    "--- level 0 ---\n 5:57493['\\x00' @ 1 : 1 .. 'b' @ 180 : 1]\n--- level 1 ---\n 12:7['a' @ 1 : 1 .. 'a' @ 1 : 1]\n";
  assert.deepEqual(listedTables(property), [
    { number: 5, bytes: 57_493 },
    { number: 12, bytes: 7 },
  ]);
  assert.deepEqual(listedTables('--- level 0 ---\n'), []);
});
