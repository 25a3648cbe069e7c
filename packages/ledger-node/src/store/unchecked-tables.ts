/**
 * The tables of a store that was opened before they were read through, and what may be answered meanwhile: no row, and
 * no "there is none", before the parts of every table that could hold it have been checked.
 *
 * LevelDB merges tables in the background and writes new checksums over whatever it found, so damage could get into a
 * table that looks sound, and the evidence would be deleted. Therefore each unchecked table has a second link in the
 * folder `unchecked` until it was read through, and one that LevelDB has merged away is read through before the next
 * answer: its manifest says so before any row of the merged table can be read. Sometimes LevelDB notices the damage
 * itself while it merges, and ends the process without a word about what it was. So whatever is found in the folder at
 * an opening, after a sudden end in the middle of this or because a table was damaged, has all tables read through first.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { currentManifest, fileNumber, readLevelManifest, type TableFile } from './level-files.ts';
import { CheckedBlocks, footerDamage } from './level-table.ts';
import { StoreCorrupt } from './store-errors.ts';
import { findDamage } from './table-check.ts';
import { readPart, type TableToCheck, tableFileDamage, withTable } from './table-file.ts';

const folderName = 'unchecked';

interface OpenTable extends TableFile {
  readonly link: string;
  /** What of it is known to be sound; undefined when nothing was read from it yet. */
  blocks: CheckedBlocks | undefined;
}

export class UncheckedTables {
  readonly #folder: string;
  /** Everything that was there at the opening, by level, in the order of keys but for level 0. */
  readonly #levels: readonly (readonly OpenTable[])[];
  /** By number: those that were not read through yet. */
  readonly #open: Map<number, OpenTable>;
  readonly #bytes: number;
  #checkedBytes = 0;
  #manifest: { readonly file: number; bytesSeen: number } | undefined;

  private constructor(folder: string, tables: readonly OpenTable[]) {
    this.#folder = folder;
    this.#open = new Map(tables.map((table) => [table.number, table]));
    this.#bytes = tables.reduce((sum, { bytes }) => sum + bytes, 0);
    const levels = Map.groupBy(tables, ({ level }) => level);
    this.#levels = Array.from(levels, ([level, ofLevel]) =>
      level === 0 ? ofLevel : ofLevel.sort((left, right) => Buffer.compare(left.firstKey, right.firstKey)),
    );
  }

  /** Takes the tables of a folder that LevelDB does not have open. Throws what a glance at each of them shows. */
  static hold(folder: string, tables: readonly TableFile[]): UncheckedTables {
    const room = join(folder, folderName);
    mkdirSync(room, { recursive: true });
    const held: OpenTable[] = [];
    for (const table of tables) {
      const { name, bytes } = table;
      const path = join(folder, name);
      const glance = withTable({ path, bytes }, footerDamage);
      if (glance !== undefined) throw new StoreCorrupt(folder, `table ${name} ${glance}`);
      const link = join(room, name);
      if (isLinked(path, link)) held.push({ ...table, link, blocks: undefined });
      // Where the file system makes no links, nothing would keep the table for later.
      else assertTable(folder, { name, path, bytes });
    }
    return new UncheckedTables(folder, held);
  }

  /** Called once LevelDB has the folder open. */
  follow(): void {
    const file = openSync(join(this.#folder, currentManifest(this.#folder)), 'r');
    this.#manifest = { file, bytesSeen: 0 };
    this.assertMerged();
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  isOpen(number: number): boolean {
    return this.#open.has(number);
  }

  get progress(): { readonly checked: number; readonly total: number } {
    return { checked: this.#checkedBytes, total: this.#bytes };
  }

  /** What is to be read through, the upper levels first: LevelDB merges these most. */
  orders(): TableToCheck[] {
    return [...this.#open.values()]
      .sort((left, right) => left.level - right.level)
      .map(({ number, link, bytes }) => ({ number, path: link, bytes }));
  }

  /** Throws if a part of a table that could hold this key is damaged. */
  assertKey(key: Uint8Array): void {
    for (const level of this.#levels) {
      const isSorted = level[0].level > 0;
      for (let place = isSorted ? firstReaching(level, key) : 0; place < level.length; place++) {
        const { firstKey, lastKey } = level[place];
        if (isSorted && Buffer.compare(firstKey, key) > 0) break;
        if (Buffer.compare(firstKey, key) <= 0 && Buffer.compare(lastKey, key) >= 0)
          this.#assertPart(level[place], key, key);
      }
    }
  }

  /** The same for all keys between these two, and for the places next to them, which a search goes through. */
  assertRange(first: Uint8Array, last: Uint8Array): void {
    for (const level of this.#levels) {
      const isSorted = level[0].level > 0;
      for (
        let place = isSorted ? Math.max(0, firstReaching(level, first) - 1) : 0;
        place < level.length;
        place++
      ) {
        this.#assertPart(level[place], first, last);
        if (isSorted && Buffer.compare(level[place].firstKey, last) > 0) break;
      }
    }
  }

  /** Called after every reading, before it is answered: throws if what LevelDB has merged since was damaged. */
  assertMerged(): void {
    const manifest = this.#manifest;
    if (!manifest) return;
    const { size } = fstatSync(manifest.file);
    if (size === manifest.bytesSeen) return;
    const { tables } = readLevelManifest(this.#folder, 'the manifest', readPart(manifest.file, 0, size));
    for (const table of this.#open.values()) {
      if (tables.has(table.number)) continue;
      const damage = tableFileDamage({ path: table.link, bytes: table.bytes });
      if (damage !== undefined) throw this.condemn(table.number, damage);
      this.pass(table.number);
    }
    manifest.bytesSeen = size;
  }

  /** The table was read through, and is sound. */
  pass(number: number): void {
    const table = this.#open.get(number);
    if (!table) return;
    this.#open.delete(number);
    this.#checkedBytes += table.bytes;
    table.blocks = undefined;
    rmSync(table.link, { force: true });
  }

  /** The table is damaged: what is to be thrown. */
  condemn(number: number, damage: string): StoreCorrupt {
    const name = this.#open.get(number)?.name ?? fileNumber(number);
    return new StoreCorrupt(this.#folder, `table ${name} ${damage}`);
  }

  /**
   * Lets go once LevelDB has closed the folder. What it has not merged away is there at the next opening; what it has is
   * read now. If that is damaged, or anything else of the store, the links stay.
   */
  release({ isSound }: { isSound: boolean }): void {
    let isWhole = isSound;
    try {
      this.assertMerged();
    } catch {
      // The next opening tells it.
      isWhole = false;
    }
    if (this.#manifest) closeSync(this.#manifest.file);
    this.#manifest = undefined;
    if (isWhole) rmSync(join(this.#folder, folderName), { recursive: true, force: true });
  }

  #assertPart(table: OpenTable, first: Uint8Array, last: Uint8Array): void {
    if (!this.#open.has(table.number)) return;
    const damage = withTable({ path: table.link, bytes: table.bytes }, (source) => {
      if (!table.blocks) {
        const blocks = CheckedBlocks.of(source);
        if (typeof blocks === 'string') return blocks;
        table.blocks = blocks;
      }
      return table.blocks.damageBetween(source, first, last);
    });
    if (damage !== undefined) throw this.condemn(table.number, damage);
  }
}

/** Has the next opening read these tables through first, and keeps them for that, also when LevelDB merges them away. */
export function keepTables(folder: string, tables: readonly Pick<TableToCheck, 'path'>[]): void {
  const room = join(folder, folderName);
  try {
    mkdirSync(room, { recursive: true });
  } catch {
    // Where nothing can be written, the next opening meets the damage as this one did.
  }
  for (const { path } of tables) isLinked(path, join(room, basename(path)));
}

/** Whether the last opening ended before its tables were read through, or with damage. */
export const isCheckOwed = (folder: string): boolean => existsSync(join(folder, folderName));

/**
 * Reads through what an earlier opening left unchecked: all tables, and those that were merged since. Throws
 * StoreCorrupt while one is damaged; a table that was put back in its place is sound.
 */
export async function settleCheck(folder: string, tables: readonly TableFile[]): Promise<void> {
  await assertTables(folder, tables);
  const room = join(folder, folderName);
  const names = new Set(tables.map(({ name }) => name));
  for (const name of readdirSync(room))
    if (!names.has(name)) assertTable(folder, { name, path: join(room, name), bytes: undefined });
  rmSync(room, { recursive: true });
}

/** Reads every table through, before anything else. */
export async function assertTables(folder: string, tables: readonly TableFile[]): Promise<void> {
  const orders = tables.map(({ number, name, bytes }) => ({ number, path: join(folder, name), bytes }));
  const found = await findDamage(orders);
  if (!found) return;
  const damaged = tables.find(({ number }) => number === found.number);
  throw new StoreCorrupt(folder, `table ${damaged?.name} ${found.damage}`);
}

/** Reads one table through, here and now. */
function assertTable(
  folder: string,
  { name, ...order }: Omit<TableToCheck, 'number'> & { name: string },
): void {
  const damage = tableFileDamage(order);
  if (damage !== undefined) throw new StoreCorrupt(folder, `table ${name} ${damage}`);
}

/** The first table of a sorted level that reaches up to the key; as many as there are if none does. */
function firstReaching(level: readonly OpenTable[], key: Uint8Array): number {
  let [low, high] = [0, level.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Buffer.compare(level[middle].lastKey, key) >= 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

function isLinked(path: string, link: string): boolean {
  try {
    linkSync(path, link);
    return true;
  } catch {
    return false;
  }
}
