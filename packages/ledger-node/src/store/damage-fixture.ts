/** Stores to be damaged by tests, ways to damage them, and what may come of it. */
import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ByteReader, readUint32 } from './level-bytes.ts';
import { LevelStore, type LevelStoreOptions } from './level-store.ts';
import { bytes, everything } from './store.conformance.ts';
import { StoreCorrupt } from './store-errors.ts';

const headKey = bytes('head');
export const smallBuffer: LevelStoreOptions = { writeBufferBytes: 64 * 1024 };
export const blocks = 60;

export async function temporaryFolder(context: TestContext): Promise<string> {
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
export async function writeChain(
  folder: string,
  options: LevelStoreOptions,
): Promise<Map<string, Uint8Array>> {
  const store = await LevelStore.open(folder, options);
  const expected = await writeBlocks(store);
  await store.close();
  return expected;
}

/** The same as a killed process leaves it, with rows that only the log holds. */
export async function writeKilledChain(folder: string): Promise<Map<string, Uint8Array>> {
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
export async function outcome(
  folder: string,
  expected: Map<string, Uint8Array>,
  options: LevelStoreOptions = {},
): Promise<string> {
  let store: LevelStore;
  try {
    store = await LevelStore.open(folder, options);
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
export async function damageRepeatedly(
  intact: string,
  expected: Map<string, Uint8Array>,
  options: {
    file: string;
    times: number;
    damage: (content: Buffer, step: number) => Buffer;
    /** What is looked at, `outcome` unless told. */
    examine?: typeof outcome;
  },
): Promise<Record<string, number>> {
  const copy = `${intact}-copy`;
  const outcomes: Record<string, number> = {};
  for (let step = 0; step < options.times; step++) {
    await cp(intact, copy, { recursive: true });
    const path = join(copy, options.file);
    await writeFile(path, options.damage(await readFile(path), step));
    const result = await (options.examine ?? outcome)(copy, expected).catch((error) => {
      throw new Error(`${options.file}, damage ${step} of ${options.times}`, { cause: error });
    });
    outcomes[result] = (outcomes[result] ?? 0) + 1;
    await rm(copy, { recursive: true });
  }
  return outcomes;
}

/** One bit flipped, at places spread over the whole file. */
export const flipOneBit =
  (times: number) =>
  (content: Buffer, step: number): Buffer => {
    const at = Math.floor((step * content.length) / times) + (step % 7);
    content[Math.min(at, content.length - 1)] ^= 1 << (step % 8);
    return content;
  };

export const filesOf = async (folder: string, ending: RegExp): Promise<string[]> =>
  (await readdir(folder)).filter((name) => ending.test(name)).sort();

/** Changes a file where it lies, as a disk or another process would under a store that is open. */
export function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

/** Clears every bit of a table's filters: LevelDB then finds none of its rows by their keys. */
export function clearFilters(path: string): void {
  const table = readFileSync(path);
  const part = (at: number, length: number) => table.subarray(at, at + length);
  const metaIndex = part(...handleAt(part(table.length - 48, 48), 0));
  const name = 'filter.leveldb.BuiltinBloomFilter2';
  const [filtersAt, filtersBytes] = handleAt(metaIndex, metaIndex.indexOf(name) + name.length);
  const filters = part(filtersAt, filtersBytes);
  // Behind the filters stand their places, then where these begin and a byte more.
  const placesAt = readUint32(filters, filters.length - 5);
  for (let place = placesAt; place < filters.length - 5; place += 4) {
    const [begin, end] = [readUint32(filters, place), readUint32(filters, place + 4)];
    // The last byte of a filter says how many bits a key has in it.
    if (end > begin) overwrite(path, filtersAt + begin, new Uint8Array(end - begin - 1));
  }
}

function handleAt(bytes: Uint8Array, at: number): [offset: number, size: number] {
  const reader = new ByteReader(bytes, at);
  const [offset, size] = [reader.varint(), reader.varint()];
  assert.ok(offset !== undefined && size !== undefined, 'a part of a table is named');
  return [offset, size];
}
