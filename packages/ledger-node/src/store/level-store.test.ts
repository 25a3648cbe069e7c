/** LevelStore on a damaged, foreign or occupied folder; what all stores do stands in `store.conformance.ts`. */
import assert from 'node:assert/strict';
import { cp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ClassicLevel } from 'classic-level';
import {
  blocks,
  damageRepeatedly,
  filesOf,
  flipOneBit,
  outcome,
  smallBuffer,
  temporaryFolder,
  writeChain,
  writeKilledChain,
} from './damage-fixture.ts';
import { LevelStore, storeFormatVersion } from './level-store.ts';
import { RowChecksums } from './row-checksum.ts';
import { bytes, everything } from './store.conformance.ts';
import { StoreCorrupt, StoreFailed, StoreFormatMismatch, StoreLocked } from './store-errors.ts';

test('LevelStore: a store reopened again and again keeps everything', async (context) => {
  const folder = join(await temporaryFolder(context), 'store');
  const expected = await writeChain(folder, smallBuffer);
  for (let round = 0; round < 3; round++) assert.equal(await outcome(folder, expected), 'right');
  const store = await LevelStore.open(folder);
  assert.deepEqual(store.acknowledgedHead(), { seq: BigInt(blocks), hash: new Uint8Array(32).fill(blocks) });
  await store.close();
});

test('LevelStore: closing leaves nothing in the log to be read again', async (context) => {
  const folder = join(await temporaryFolder(context), 'store');
  const expected = await writeChain(folder, {});
  for (const file of await filesOf(folder, /\.log$/)) assert.equal((await stat(join(folder, file))).size, 0);
  assert.equal(await outcome(folder, expected), 'right');
});

test('LevelStore: a flipped bit in a table is found on opening', async (context) => {
  const folder = join(await temporaryFolder(context), 'store');
  const expected = await writeChain(folder, smallBuffer);
  const tables = await filesOf(folder, /\.ldb$/);
  assert.ok(tables.length >= 2, 'the rows fill several tables');
  const times = 30;
  for (const file of tables) {
    const outcomes = await damageRepeatedly(folder, expected, { file, times, damage: flipOneBit(times) });
    // Only the padding of the footer may change without harm.
    assert.ok(outcomes.refused >= times - 1 && outcomes.refused + (outcomes.right ?? 0) === times);
  }
  const [file] = tables;
  const short = await damageRepeatedly(folder, expected, {
    file,
    times: 5,
    damage: (content, step) => content.subarray(0, Math.floor((step * content.length) / 5)),
  });
  assert.deepEqual(short, { refused: 5 });
});

test('LevelStore: a flipped bit in the log is found on opening or shows in the head', async (context) => {
  const folder = join(await temporaryFolder(context), 'store');
  const expected = await writeKilledChain(folder);
  const [file] = await filesOf(folder, /\.log$/);
  const times = 40;
  const outcomes = await damageRepeatedly(folder, expected, { file, times, damage: flipOneBit(times) });
  assert.ok(outcomes.refused > 30, 'damage among good records');
  assert.equal(outcomes.refused + (outcomes.behind ?? 0), times);
  const last = await damageRepeatedly(folder, expected, {
    file,
    times: 12,
    damage: (content, step) => {
      content[content.length - 1 - step * 80] ^= 1 << (step % 8);
      return content;
    },
  });
  assert.deepEqual(last, { behind: 12 });
});

test('LevelStore: a log cut short leaves the store behind its acknowledged head', async (context) => {
  const folder = join(await temporaryFolder(context), 'store');
  const expected = await writeKilledChain(folder);
  const [file] = await filesOf(folder, /\.log$/);
  const outcomes = await damageRepeatedly(folder, expected, {
    file,
    times: 24,
    damage: (content, step) =>
      content.subarray(
        0,
        step < 12 ? content.length - 1 - step * 3 : Math.floor((step - 11) * content.length) / 13,
      ),
  });
  assert.deepEqual(outcomes, { behind: 24 });
  const emptied = await damageRepeatedly(folder, expected, { file, times: 1, damage: () => Buffer.alloc(0) });
  assert.deepEqual(emptied, { refused: 1 });
});

test('LevelStore: damage to the manifest, CURRENT or the head file is found', async (context) => {
  const folder = join(await temporaryFolder(context), 'store');
  const expected = await writeChain(folder, smallBuffer);
  const [manifest] = await filesOf(folder, /^MANIFEST/);
  for (const [file, times] of [
    [manifest, 24],
    ['CURRENT', 10],
    ['head', 22],
  ] as const) {
    const outcomes = await damageRepeatedly(folder, expected, { file, times, damage: flipOneBit(times) });
    assert.equal(
      (outcomes.refused ?? 0) + (outcomes.behind ?? 0),
      times,
      `${file}: ${JSON.stringify(outcomes)}`,
    );
  }
  for (const file of [manifest, 'CURRENT', 'head']) {
    const outcomes = await damageRepeatedly(folder, expected, {
      file,
      times: 12,
      damage: (content, step) => content.subarray(0, Math.floor((step * content.length) / 12)),
    });
    assert.equal(outcomes.right, undefined, `${file}: ${JSON.stringify(outcomes)}`);
  }
});

test('LevelStore: a missing file is named, never replaced by an empty store', async (context) => {
  const folder = join(await temporaryFolder(context), 'store');
  await writeChain(folder, smallBuffer);
  for (const file of await filesOf(folder, /^(\d+\.(ldb|log)|MANIFEST-\d+|CURRENT|head)$/)) {
    const copy = `${folder}-copy`;
    await cp(folder, copy, { recursive: true });
    await rm(join(copy, file));
    await assert.rejects(LevelStore.open(copy), (error) => {
      assert.ok(error instanceof StoreCorrupt);
      assert.match(error.damage, /missing|cannot be read/);
      return true;
    });
    assert.ok(!(await readdir(copy)).includes(file), `${file} was made anew`);
    await rm(copy, { recursive: true });
  }
});

test('LevelStore: a row that is damaged after the check of its table is still named', async (context) => {
  const folder = await temporaryFolder(context);
  const expected = await writeChain(folder, smallBuffer);
  const value = expected.get('block 1')!;
  const store = await LevelStore.open(folder);
  for (const file of await filesOf(folder, /\.ldb$/)) {
    const at = (await readFile(join(folder, file))).indexOf(value);
    if (at < 0) continue;
    const table = await open(join(folder, file), 'r+');
    await table.write(Uint8Array.of(value[450] ^ 0x10), 0, 1, at + 450);
    await table.close();
  }
  const named = (error: unknown) => {
    assert.ok(error instanceof StoreCorrupt);
    assert.equal(error.damage, 'a row fails its checksum');
    assert.equal(error.key, Buffer.from('block 1').toString('hex'));
    return true;
  };
  assert.throws(() => store.get(bytes('block 1')), named);
  await assert.rejects(store.getMany([bytes('block 2'), bytes('block 1')]), named);
  await assert.rejects(store.scan(everything), named);
  await assert.rejects(async () => {
    for await (const _ of store.scanAll(everything));
  }, named);
  assert.deepEqual(store.get(bytes('block 2')), expected.get('block 2'));
  await store.close();
  await assert.rejects(LevelStore.open(folder), StoreCorrupt);
});

test('LevelStore: a folder is open once', async (context) => {
  const folder = await temporaryFolder(context);
  const store = await LevelStore.open(folder);
  await assert.rejects(LevelStore.open(folder), (error) => {
    assert.ok(error instanceof StoreLocked);
    assert.equal(error.folder, folder);
    return true;
  });
  await store.close();
  await (await LevelStore.open(folder)).close();
});

test('LevelStore: a store of another format version, or of something else, is refused', async (context) => {
  const folder = await temporaryFolder(context);
  await (await LevelStore.open(folder)).close();
  const formatKey = Uint8Array.of(0xff, ...bytes('format'));
  const edit = async (change: (level: ClassicLevel<Uint8Array, Uint8Array>) => Promise<void>) => {
    const level = new ClassicLevel<Uint8Array, Uint8Array>(folder, {
      keyEncoding: 'view',
      valueEncoding: 'view',
    });
    await change(level);
    await level.close();
  };
  const setVersion = (version: number) =>
    edit((level) => level.put(formatKey, new RowChecksums().add(formatKey, Uint8Array.of(version)).value));
  for (const version of [0, storeFormatVersion + 1]) {
    await setVersion(version);
    await assert.rejects(LevelStore.open(folder), (error) => {
      assert.ok(error instanceof StoreFormatMismatch);
      assert.equal(error.found, version);
      return true;
    });
  }
  await setVersion(1);
  await (await LevelStore.open(folder)).close();
  await edit(async (level) => {
    assert.equal((await level.get(formatKey))?.[0], storeFormatVersion, 'an older one is taken on');
  });
  await edit((level) => level.put(formatKey, bytes('garbage')));
  await assert.rejects(LevelStore.open(folder), StoreCorrupt);
  await edit(async (level) => {
    await level.del(formatKey);
    await level.put(bytes('somebody'), bytes('else'));
  });
  await assert.rejects(LevelStore.open(folder), StoreFormatMismatch);
});

test('LevelStore: after a failed write nothing more is written', async (context) => {
  const folder = await temporaryFolder(context);
  let broken = false;
  const store = await LevelStore.open(folder, {
    crashPoint: () => {
      if (broken) throw new Error('disk gone');
    },
  });
  await store.write([[bytes('a'), bytes('1')]]);
  broken = true;
  const failing = store.write([[bytes('a'), bytes('2')]]);
  const queued = store.write([[bytes('a'), bytes('3')]]);
  await assert.rejects(failing, StoreFailed);
  await assert.rejects(queued, StoreFailed);
  broken = false;
  await assert.rejects(store.write([[bytes('a'), bytes('4')]]), /an earlier write failed/);
  assert.deepEqual(store.get(bytes('a')), bytes('1'));
  await store.close();
});

test('LevelStore: a crash while the store was being made leaves a folder that opens', async (context) => {
  const folder = await temporaryFolder(context);
  await writeFile(join(folder, 'head.new'), 'half');
  await writeFile(join(folder, 'MANIFEST-000001'), '');
  const store = await LevelStore.open(folder);
  await store.write([[bytes('a'), bytes('1')]], { seq: 1n, hash: new Uint8Array(32) });
  await store.close();
  await rm(join(folder, 'LOCK'));
  const again = await LevelStore.open(folder);
  assert.deepEqual(again.get(bytes('a')), bytes('1'));
  await again.close();
  await truncate(join(folder, 'head'), 43);
  await assert.rejects(LevelStore.open(folder), /head file has a wrong size/);
});
