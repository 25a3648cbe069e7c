/** The readers of LevelDB's files, on files LevelDB wrote and on bytes it never would. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ClassicLevel } from 'classic-level';
import fc from 'fast-check';
import { ByteReader, crc32c } from './level-bytes.ts';
import { checkLevelFiles, parseManifest } from './level-files.ts';
import { readLog } from './level-log.ts';
import { tableDamage } from './level-table.ts';
import { decodeSnappy } from './snappy.ts';
import { bytes } from './store.conformance.ts';
import { StoreCorrupt } from './store-errors.ts';

async function levelFolder(context: TestContext, rows: number, compacted: boolean): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'symbolon-files-'));
  context.after(() => rm(folder, { recursive: true }));
  const level = new ClassicLevel(folder, { writeBufferSize: 64 * 1024 });
  for (let index = 0; index < rows; index++)
    await level.put(`row ${index}`, 'compressible '.repeat(index % 300));
  if (compacted) await level.compactRange('a', 'z');
  await level.close();
  return folder;
}

const content = async (folder: string, ending: RegExp): Promise<Buffer[]> =>
  Promise.all(
    (await readdir(folder))
      .filter((name) => ending.test(name))
      .sort()
      .map((name) => readFile(join(folder, name))),
  );

test('crc32c gives the published check values', () => {
  assert.equal(crc32c(bytes('123456789'), 0, 9), 0xe3069283);
  assert.equal(crc32c(new Uint8Array(32), 0, 32), 0x8a9136aa);
  assert.equal(crc32c(bytes('xx123456789yy'), 2, 11), 0xe3069283);
  assert.equal(crc32c(bytes(''), 0, 0), 0);
});

test('tables that LevelDB compressed check, each flipped bit outside the padding shows', async (context) => {
  const folder = await levelFolder(context, 600, true);
  const tables = await content(folder, /\.ldb$/);
  assert.ok(tables.length > 0);
  for (const table of tables) {
    assert.equal(tableDamage(table), undefined);
    for (let at = 0; at < table.length - 48; at += 61) {
      table[at] ^= 1 << (at % 8);
      assert.notEqual(tableDamage(table), undefined, `byte ${at}`);
      table[at] ^= 1 << (at % 8);
    }
    for (const length of [0, 1, 47, 48, 100, table.length - 1]) {
      assert.notEqual(tableDamage(table.subarray(0, length)), undefined, `${length} bytes`);
    }
    assert.notEqual(tableDamage(Buffer.concat([Buffer.alloc(1), table])), undefined);
  }
});

test('a log gives its records back, and says where one was lost', async (context) => {
  const folder = await levelFolder(context, 40, false);
  const [log] = await content(folder, /\.log$/);
  const intact = readLog(log);
  assert.ok(intact.records.length > 0 && !intact.lostBetween && !intact.lostAtEnd);
  const cut = readLog(log.subarray(0, log.length - 1));
  assert.deepEqual(
    [cut.records.length, cut.lostBetween, cut.lostAtEnd],
    [intact.records.length - 1, false, true],
  );
  const twice = Buffer.alloc(32_768 + log.length);
  log.copy(twice);
  log.copy(twice, 32_768);
  twice[20] ^= 1;
  assert.equal(readLog(twice).lostBetween, true);
  assert.deepEqual(readLog(new Uint8Array(0)), { records: [], lostBetween: false, lostAtEnd: false });
  assert.deepEqual(readLog(new Uint8Array(3)), { records: [], lostBetween: false, lostAtEnd: true });
});

test('damage at the end of a log that has a successor is named', async (context) => {
  const folder = await levelFolder(context, 40, false);
  const [name] = (await readdir(folder)).filter((file) => file.endsWith('.log'));
  const log = await readFile(join(folder, name));
  await writeFile(join(folder, '999999.log'), log);
  assert.deepEqual(await checkLevelFiles(folder), []);
  await writeFile(join(folder, name), log.subarray(0, log.length - 1));
  await assert.rejects(checkLevelFiles(folder), StoreCorrupt);
  await writeFile(join(folder, '999999.log'), '');
  assert.deepEqual(await checkLevelFiles(folder), []);
});

test('a folder without a store is none, a manifest of nonsense is damage', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'symbolon-files-'));
  context.after(() => rm(folder, { recursive: true }));
  assert.equal(await checkLevelFiles(folder), undefined);
  assert.equal(parseManifest([Uint8Array.of(8)]), undefined);
  assert.equal(parseManifest([Uint8Array.of(2)]), undefined);
  assert.equal(parseManifest([Uint8Array.of(7, 0, 5, 9, 4, 1)]), undefined);
  assert.deepEqual(parseManifest([Uint8Array.of(2, 3, 7, 0, 5, 9, 1, 0, 1, 0), Uint8Array.of(6, 0, 5)]), {
    tables: new Map(),
    logNumber: 3,
  });
});

test('snappy decodes literals and every kind of copy, and refuses what does not fit', () => {
  const text = (block: number[]) => {
    const decoded = decodeSnappy(Uint8Array.from(block));
    return decoded === undefined ? undefined : Buffer.from(decoded).toString();
  };
  assert.equal(text([0]), '');
  assert.equal(text([3, 8, 97, 98, 99]), 'abc');
  assert.equal(text([9, 4, 97, 98, 0b000_011_01, 2]), 'ababababa', 'one-byte distance, overlapping');
  assert.equal(text([5, 4, 97, 98, 0b000010_10, 2, 0]), 'ababa', 'two-byte distance');
  assert.equal(text([5, 4, 97, 98, 0b000010_11, 2, 0, 0, 0]), 'ababa', 'four-byte distance');
  assert.equal(text([2, 60 << 2, 1, 97, 98]), 'ab', 'long literal');
  for (const bad of [
    [],
    [3, 8, 97],
    [2, 8, 97, 98, 99],
    [5, 4, 97, 98],
    [5, 4, 97, 98, 10, 3, 0],
    [5, 4, 97, 98, 10, 0, 0],
  ]) {
    assert.equal(text(bad), undefined, `${bad}`);
  }
  assert.equal(text([0xff, 0xff, 0xff, 0xff, 0x0f]), undefined, 'too long to be an index');
});

test('no bytes make the readers throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
      decodeSnappy(noise);
      readLog(noise);
      parseManifest([noise]);
      tableDamage(noise);
      const reader = new ByteReader(noise);
      while (!reader.done && reader.slice() !== undefined);
    }),
  );
});
