/**
 * Checks the files of a LevelDB folder before LevelDB opens it. `classic-level` offers neither checksum checks
 * nor paranoid opening: damaged log records are skipped, tables are read as they are, a missing CURRENT file
 * makes LevelDB start an empty store and delete the old one. Each of these is refused here, before anything is touched.
 * Whether the rows in the tables are sound is asked by `unchecked-tables.ts`: that takes as long as there are rows.
 */
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ByteReader } from './level-bytes.ts';
import { readLog } from './level-log.ts';
import { keyTrailerBytes } from './level-table.ts';
import { StoreCorrupt } from './store-errors.ts';

/** A table as the manifest describes it. */
export interface ListedTable {
  readonly bytes: number;
  /** Tables of one level have no key in common, but for those of level 0. */
  readonly level: number;
  readonly firstKey: Uint8Array;
  readonly lastKey: Uint8Array;
}

/** What the manifest says belongs to the store: its tables by number, and the oldest log still needed. */
export interface Manifest {
  tables: Map<number, ListedTable>;
  logNumber: number;
}

/** A table that is there. */
export interface TableFile extends ListedTable {
  readonly number: number;
  readonly name: string;
}

/**
 * The tables of the LevelDB store in the folder, undefined when there is no store; throws StoreCorrupt when something
 * is missing, or what leads to the tables is damaged.
 */
export async function checkLevelFiles(folder: string): Promise<TableFile[] | undefined> {
  const names = await readdir(folder);
  if (!names.includes('CURRENT')) {
    const data = names.find((name) => /^\d+\.(ldb|sst|log)$/.test(name));
    if (data !== undefined) throw new StoreCorrupt(folder, `CURRENT is missing, but ${data} is there`);
    return undefined;
  }
  const manifest = await loadManifest(folder);
  await checkLogs(folder, names, manifest);
  const present = new Set(names);
  return Array.from(manifest.tables, ([number, table]) => {
    const name = tableFile(number, present);
    if (name === undefined) throw new StoreCorrupt(folder, `table ${fileNumber(number)} is missing`);
    return { ...table, number, name };
  });
}

async function loadManifest(folder: string): Promise<Manifest> {
  const name = currentManifest(folder);
  const bytes = await readFile(join(folder, name)).catch((error) => {
    throw new StoreCorrupt(folder, `${name} cannot be read`, { cause: error });
  });
  return readLevelManifest(folder, name, bytes);
}

/** The name of the manifest that counts. */
export function currentManifest(folder: string): string {
  const current = readFileSync(join(folder, 'CURRENT'), 'latin1');
  if (!/^MANIFEST-\d{6,}\n$/.test(current)) throw new StoreCorrupt(folder, 'CURRENT names no manifest');
  return current.trimEnd();
}

export function readLevelManifest(folder: string, name: string, bytes: Uint8Array): Manifest {
  const { records, lostBetween } = readLog(bytes);
  const manifest = lostBetween || records.length === 0 ? undefined : parseManifest(records);
  if (manifest === undefined) throw new StoreCorrupt(folder, `${name} is damaged`);
  return manifest;
}

/** The tables that an open LevelDB says it has (`leveldb.sstables`): a line each, ` number:bytes[first key .. last key]`. */
export const listedTables = (property: string): Pick<TableFile, 'number' | 'bytes'>[] =>
  Array.from(property.matchAll(/^ (\d+):(\d+)\[/gm), ([, number, bytes]) => ({
    number: Number(number),
    bytes: Number(bytes),
  }));

/** A table's file: LevelDB has given it two endings. */
export const tableFile = (number: number, names: ReadonlySet<string>): string | undefined =>
  [`${fileNumber(number)}.ldb`, `${fileNumber(number)}.sst`].find((name) => names.has(name));

/** The logs that are still needed, the oldest first; undefined when the oldest is not there. */
export function neededLogs(names: readonly string[], { logNumber }: Manifest): string[] | undefined {
  const numbers = names
    .flatMap((name) => /^(\d+)\.log$/.exec(name)?.[1] ?? [])
    .map(Number)
    .filter((number) => number >= logNumber)
    .sort((left, right) => left - right);
  // Number 0 stands in the manifest of a store that never had a log.
  if (logNumber > 0 && numbers[0] !== logNumber) return undefined;
  return numbers.map((number) => `${fileNumber(number)}.log`);
}

async function checkLogs(folder: string, names: string[], manifest: Manifest): Promise<void> {
  const logs = neededLogs(names, manifest);
  if (!logs) throw new StoreCorrupt(folder, `log ${fileNumber(manifest.logNumber)} is missing`);
  let endingLost: string | undefined;
  for (const name of logs) {
    const content = readLog(await readFile(join(folder, name)));
    if (content.lostBetween) throw new StoreCorrupt(folder, `${name} has a damaged record among good ones`);
    if (endingLost !== undefined && content.records.length > 0) {
      throw new StoreCorrupt(folder, `${endingLost} ends in a damaged record, but later ones are there`);
    }
    if (content.lostAtEnd) endingLost = name;
  }
}

export const fileNumber = (number: number): string => String(number).padStart(6, '0');

/** The tags of a manifest record ("version edit"); 8 was never used. */
const tags = {
  comparator: 1,
  logNumber: 2,
  nextFileNumber: 3,
  lastSequence: 4,
  compactPointer: 5,
  deletedTable: 6,
  newTable: 7,
  previousLogNumber: 9,
} as const;

/** Undefined when a record is not one that LevelDB writes. */
export function parseManifest(records: readonly Uint8Array[]): Manifest | undefined {
  const manifest: Manifest = { tables: new Map(), logNumber: 0 };
  for (const record of records) {
    const reader = new ByteReader(record);
    // Within one record deletions come first, also when they are of the same number on another level.
    while (!reader.done) if (!applyEdit(reader, manifest)) return undefined;
  }
  return manifest;
}

function applyEdit(reader: ByteReader, manifest: Manifest): boolean {
  switch (reader.varint()) {
    case tags.comparator:
      return reader.slice() !== undefined;
    case tags.logNumber: {
      const number = reader.varint();
      if (number !== undefined) manifest.logNumber = number;
      return number !== undefined;
    }
    case tags.nextFileNumber:
    case tags.lastSequence:
    case tags.previousLogNumber:
      return reader.varint() !== undefined;
    case tags.compactPointer:
      return reader.varint() !== undefined && reader.slice() !== undefined;
    case tags.deletedTable: {
      const level = reader.varint();
      const number = reader.varint();
      if (level === undefined || number === undefined) return false;
      manifest.tables.delete(number);
      return true;
    }
    case tags.newTable: {
      const level = reader.varint();
      const number = reader.varint();
      const bytes = reader.varint();
      const first = reader.slice();
      const last = reader.slice();
      if (level === undefined || number === undefined || bytes === undefined || !first || !last) return false;
      const [firstKey, lastKey] = [first, last].map((key) => key.subarray(0, -keyTrailerBytes));
      manifest.tables.set(number, { bytes, level, firstKey, lastKey });
      return true;
    }
    default:
      return false;
  }
}
