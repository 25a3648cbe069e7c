/** LevelStore on a damaged, foreign or occupied folder; what all stores do stands in `store.conformance.ts`. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ClassicLevel } from 'classic-level';
import { LevelStore, type LevelStoreOptions, storeFormatVersion } from './level-store.ts';
import { RowChecksums } from './row-checksum.ts';
import { bytes, everything } from './store.conformance.ts';
import { StoreCorrupt, StoreFailed, StoreFormatMismatch, StoreLocked } from './store-errors.ts';

const headKey = bytes('head');
const smallBuffer: LevelStoreOptions = { writeBufferBytes: 64 * 1024 };
const blocks = 60;

async function temporaryFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'symbolon-level-'));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}

/** Bytes that look random, do not compress and are the same in every run. */
function noise(length: number, seed: number): Uint8Array {
  let state = seed * 2_654_435_761 + 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

/** What a chain writes: a head row, accounts over and over, and a growing history. */
async function writeBlocks(store: LevelStore): Promise<Map<string, Uint8Array>> {
  const expected = new Map<string, Uint8Array>();
  for (let seq = 1; seq <= blocks; seq++) {
    const rows: [Uint8Array, Uint8Array][] = [[headKey, bytes(String(seq))]];
    for (let account = 0; account < 30; account++) {
      rows.push([bytes(`account ${(seq * 7 + account * 3) % 100}`), noise(60, seq * 100 + account)]);
    }
    rows.push([bytes(`block ${seq}`), noise(seq % 9 === 0 ? 40_000 : 900, seq)]);
    await store.write(rows, { seq: BigInt(seq), hash: new Uint8Array(32).fill(seq) });
    for (const [key, value] of rows) expected.set(Buffer.from(key).toString(), value);
  }
  return expected;
}

/** A store as a chain leaves it. */
async function writeChain(folder: string, options: LevelStoreOptions): Promise<Map<string, Uint8Array>> {
  const store = await LevelStore.open(folder, options);
  const expected = await writeBlocks(store);
  await store.close();
  return expected;
}

/** The same as a killed process leaves it, with rows that only the log holds. */
async function writeKilledChain(folder: string): Promise<Map<string, Uint8Array>> {
  const store = await LevelStore.open(folder);
  const expected = await writeBlocks(store);
  const asItWas = `${folder}-killed`;
  await cp(folder, asItWas, { recursive: true });
  await store.close();
  await rm(folder, { recursive: true });
  await rename(asItWas, folder);
  return expected;
}

/**
 * Opens a damaged store and reads everything every way. Each value read must be the right one, unless the
 * damage was named, or the head row is behind the acknowledged head, which the chain refuses to start from.
 */
async function outcome(folder: string, expected: Map<string, Uint8Array>): Promise<string> {
  let store: LevelStore;
  try {
    store = await LevelStore.open(folder);
  } catch (error) {
    assert.ok(error instanceof StoreCorrupt, String(error));
    assert.ok(error.message.includes(folder));
    return 'refused';
  }
  try {
    const head = store.get(headKey);
    const stored = head === undefined ? 0n : BigInt(Buffer.from(head).toString());
    if (stored < (store.acknowledgedHead()?.seq ?? 0n)) return 'behind';
    const keys = [...expected.keys()].map(bytes);
    const values = [...expected.values()];
    assert.deepEqual(
      keys.map((key) => store.get(key)),
      values,
    );
    assert.deepEqual(await store.getMany(keys), values);
    assert.equal((await store.scan(everything)).length, expected.size);
    return 'right';
  } catch (error) {
    assert.ok(error instanceof StoreCorrupt, String(error));
    return 'named on reading';
  } finally {
    await store.close();
  }
}

/** Repeats `damage` on fresh copies of one file of the store; answers how often each outcome came. */
async function damageRepeatedly(
  intact: string,
  expected: Map<string, Uint8Array>,
  options: { file: string; times: number; damage: (content: Buffer, step: number) => Buffer },
): Promise<Record<string, number>> {
  const copy = `${intact}-copy`;
  const outcomes: Record<string, number> = {};
  for (let step = 0; step < options.times; step++) {
    await cp(intact, copy, { recursive: true });
    const path = join(copy, options.file);
    await writeFile(path, options.damage(await readFile(path), step));
    const result = await outcome(copy, expected).catch((error) => {
      throw new Error(`${options.file}, damage ${step} of ${options.times}`, { cause: error });
    });
    outcomes[result] = (outcomes[result] ?? 0) + 1;
    await rm(copy, { recursive: true });
  }
  return outcomes;
}

/** One bit flipped, at places spread over the whole file. */
const flipOneBit =
  (times: number) =>
  (content: Buffer, step: number): Buffer => {
    const at = Math.floor((step * content.length) / times) + (step % 7);
    content[Math.min(at, content.length - 1)] ^= 1 << (step % 8);
    return content;
  };

const filesOf = async (folder: string, ending: RegExp): Promise<string[]> =>
  (await readdir(folder)).filter((name) => ending.test(name)).sort();

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

test('LevelStore: without the check of its tables a damaged row is still named', async (context) => {
  const folder = await temporaryFolder(context);
  const expected = await writeChain(folder, smallBuffer);
  const value = expected.get('block 1')!;
  for (const file of await filesOf(folder, /\.ldb$/)) {
    const content = await readFile(join(folder, file));
    const at = content.indexOf(value);
    if (at < 0) continue;
    content[at + 450] ^= 0x10;
    await writeFile(join(folder, file), content);
  }
  await assert.rejects(LevelStore.open(folder), StoreCorrupt);
  const store = await LevelStore.open(folder, { checkTables: false });
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
