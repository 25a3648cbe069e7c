/**
 * The Store in a folder, on LevelDB (`classic-level`). A write is one atomic batch, synced before it counts;
 * every row carries a checksum (`row-checksum.ts`); opening checks LevelDB's own files (`prepare-folder.ts`), its tables
 * at once or as they are read (`unchecked-tables.ts`), and reads back which block was last confirmed (`head-file.ts`).
 * Whoever meets damage tells the store, which then takes no more and says so to its owner.
 * Comparing that block with the newest one in the rows is left to the chain, which knows where its head row lies.
 *
 * A crash between the synced batch and the head file leaves the head file behind the rows: harmless, the
 * batch was never confirmed. The other way round, rows behind the head file, is data loss.
 */
import { join } from 'node:path';
import { assert } from '@symbolon/core/basics/assert';
import { ClassicLevel, type Iterator as LevelIterator } from 'classic-level';
import { storeLimits } from '../limits/node-limits.ts';
import type { HeadFile } from './head-file.ts';
import { fileNumber, listedTables } from './level-files.ts';
import { type Opening, type PreparedFolder, prepareFolder, type TablesChecked } from './prepare-folder.ts';
import { RowChecksums, valueOfRow } from './row-checksum.ts';
import {
  type AcknowledgedHead,
  assertHead,
  assertKey,
  assertRange,
  assertValue,
  type Entry,
  type KeyRange,
  type Row,
  reservedKeyByte,
  type ScanRange,
  type Store,
  type StoreView,
  scanLimit,
} from './store.ts';
import {
  StoreCorrupt,
  type StoreError,
  StoreFailed,
  StoreFormatMismatch,
  toStoreError,
} from './store-errors.ts';
import { startTableCheck, type TableCheck } from './table-check.ts';
import type { TableToCheck } from './table-file.ts';
import { TableGuard } from './table-guard.ts';
import { keepTables, type UncheckedTables } from './unchecked-tables.ts';

/** Raised whenever a node of the version before could not go on with what this one writes. */
export const storeFormatVersion = 2;
/** What this one can go on with. */
const oldestFormatVersion = 1;

/** The steps of one write, in order; the last two only happen when the write has a head. */
export type CrashPoint = 'beforeWrite' | 'afterSync' | 'beforeHead' | 'afterHead';

export interface LevelStoreOptions {
  cacheBytes?: number;
  writeBufferBytes?: number;
  /**
   * Whether opening reads every table through first, at about 1 s a gigabyte, or each part of a table is checked when
   * something is read from it, and `checkTables` does the rest. Logs are always checked.
   */
  tables?: TablesChecked;
  /** Whether nothing of it has to outlive the process: a write is then confirmed before it is on disk. */
  isScratch?: boolean;
  /** Called between the durability steps, so that a test can end the process exactly there. */
  crashPoint?: (name: CrashPoint) => void;
}

type Level = ClassicLevel<Uint8Array, Uint8Array>;
type RowIterator = LevelIterator<Level, Uint8Array, Uint8Array>;
type Snapshot = ReturnType<Level['snapshot']>;

const mebibyte = 1024 * 1024;
const defaultCacheBytes = 128 * mebibyte;
/** Rows are merged into the tables in portions of this size: larger ones less often, for more memory and log. */
const defaultWriteBufferBytes = 64 * mebibyte;

/** How much a scan brings from LevelDB at a time. */
const chunkRows = 1_000;
const chunkBytes = mebibyte;

const lowestKey = Uint8Array.of(0);
const formatKey = Uint8Array.of(reservedKeyByte, ...Buffer.from('format'));

export class LevelStore implements Store {
  readonly folder: string;
  readonly #level: Level;
  readonly #headFile: HeadFile;
  readonly #crashPoint: (name: CrashPoint) => void;
  readonly #isScratch: boolean;
  readonly #checksums = new RowChecksums();
  /** Until every table was read through. */
  #unchecked: UncheckedTables | undefined;
  #tableCheck: TableCheck | undefined;
  readonly #opening: Opening;
  #guard: TableGuard | undefined;
  readonly #guarded = Promise.withResolvers<void>();
  /** The first damage that was met, by whomever. */
  #damage: StoreCorrupt | undefined;
  #allChecked = { checked: 0, total: 0 };
  #lastWrite: Promise<void> = Promise.resolve();
  /** The newest head handed to `write`, confirmed or not: heads only grow. */
  #requestedHead: AcknowledgedHead | undefined;
  #failure: Error | undefined;
  #closed = false;

  private constructor(
    level: Level,
    { headFile, unchecked, opening }: PreparedFolder,
    { crashPoint = () => {}, isScratch = false }: LevelStoreOptions,
  ) {
    this.folder = level.location;
    this.#level = level;
    this.#headFile = headFile;
    this.#unchecked = unchecked;
    this.#opening = opening;
    // Nobody may be listening.
    this.#guarded.promise.catch(() => undefined);
    this.#requestedHead = headFile.head;
    this.#crashPoint = crashPoint;
    this.#isScratch = isScratch;
  }

  /** Opens the store in `folder`, or makes a new one if the folder is empty or absent. */
  static async open(folder: string, options: LevelStoreOptions = {}): Promise<LevelStore> {
    const prepared = await prepareFolder(folder, options.tables);
    const { headFile, unchecked } = prepared;
    const level: Level = new ClassicLevel(folder, {
      keyEncoding: 'view',
      valueEncoding: 'view',
      cacheSize: options.cacheBytes ?? defaultCacheBytes,
      writeBufferSize: options.writeBufferBytes ?? defaultWriteBufferBytes,
      compression: false,
      maxFileSize: 16 * mebibyte,
    });
    try {
      await level.open();
      unchecked?.follow();
      const store = new LevelStore(level, prepared, options);
      await store.#checkFormat();
      return store;
    } catch (error) {
      headFile.close();
      await level.close();
      const reason = toStoreError(folder, error);
      unchecked?.release({ isSound: !(reason instanceof StoreCorrupt) });
      throw reason;
    }
  }

  /** How much of the tables was read through, in bytes. */
  get tablesChecked(): { readonly checked: number; readonly total: number } {
    return this.#unchecked?.progress ?? this.#allChecked;
  }

  /** Whether no damage was met since the opening. */
  get isSound(): boolean {
    return this.#damage === undefined;
  }

  /**
   * Watches over the tables while the store is open: reads through what was not at the opening, and then looks whether it
   * stays as it is (`table-guard.ts`). Resolves when the store is closed; rejects with StoreCorrupt as soon as damage is
   * met, here or by whoever reads or writes.
   */
  guardTables(): Promise<void> {
    if (!this.#closed && !this.#guard) {
      const onFailure = this.#guarded.reject;
      this.#guard = new TableGuard({
        live: () => this.#liveTables(),
        isUnchecked: (number) => this.#unchecked?.isOpen(number) ?? false,
        wasThere: (number) => this.#opening.tables.has(number),
        openedAtMs: this.#opening.atMs,
        onDamage: (number, damage) =>
          this.#condemn(new StoreCorrupt(this.folder, `table ${this.#tableName(number)} ${damage}`)),
        onFailure,
      });
      this.#guard.start();
      this.checkTables().catch(onFailure);
    }
    return this.#guarded.promise;
  }

  /**
   * Reads through, in the background, what was not at the opening. Resolves when that is done or the store is closed;
   * rejects with StoreCorrupt when a table is damaged.
   */
  async checkTables(): Promise<void> {
    const unchecked = this.#unchecked;
    if (!unchecked || this.#closed || this.#tableCheck) return;
    let damage: StoreCorrupt | undefined;
    const check = startTableCheck(
      { tables: unchecked.orders(), restFactor: storeLimits.tableCheckRestFactor },
      (verdict) => {
        // What was merged meanwhile has been read already, and its link may be gone.
        if (damage || !unchecked.isOpen(verdict.number)) return;
        if (verdict.damage === undefined) return unchecked.pass(verdict.number);
        damage = unchecked.condemn(verdict.number, verdict.damage);
        this.#condemn(damage);
        void check.end();
      },
    );
    this.#tableCheck = check;
    await check.ended;
    if (damage) throw damage;
    if (!unchecked.isEmpty || this.#closed) return;
    this.#allChecked = unchecked.progress;
    this.#unchecked = undefined;
    unchecked.release(this);
  }

  view(): StoreView {
    this.#assertOpen();
    const snapshot = this.#level.snapshot();
    return {
      get: (key) => this.get(key, snapshot),
      getMany: (keys) => this.getMany(keys, snapshot),
      scan: (range) => this.scan(range, snapshot),
      scanAll: (range) => this.#stream(this.#iterator(range, { snapshot }), range),
      close: () => snapshot.close(),
    };
  }

  get(key: Uint8Array, snapshot?: Snapshot): Uint8Array | undefined {
    this.#assertOpen();
    assertKey(key);
    return this.#readRow(key, snapshot);
  }

  async getMany(keys: readonly Uint8Array[], snapshot?: Snapshot): Promise<(Uint8Array | undefined)[]> {
    this.#assertOpen();
    for (const key of keys) assertKey(key);
    try {
      for (const key of keys) this.#unchecked?.assertKey(key);
      const stored = await this.#level.getMany([...keys], { snapshot });
      this.#unchecked?.assertMerged();
      return stored.map((row, index) =>
        row === undefined ? undefined : valueOrThrow(this.folder, keys[index], row),
      );
    } catch (error) {
      throw this.#failed(error);
    }
  }

  async scan(range: ScanRange, snapshot?: Snapshot): Promise<Entry[]> {
    const limit = scanLimit(range);
    const entries: Entry[] = [];
    for await (const chunk of this.#chunks(this.#iterator(range, { limit, snapshot }), range))
      for (const entry of chunk) entries.push(entry);
    return entries;
  }

  scanAll(range: KeyRange): AsyncIterable<Entry> {
    // Made at once, not at the first step: the rows are those of the moment of the call.
    return this.#stream(this.#iterator(range), range);
  }

  async write(rows: Iterable<Row>, head?: AcknowledgedHead): Promise<void> {
    this.#assertOpen();
    if (head !== undefined) assertHead(head, this.#requestedHead);
    const batch = this.#batchOf(rows);
    const copy = head && { seq: head.seq, hash: Uint8Array.from(head.hash) };
    this.#requestedHead = copy ?? this.#requestedHead;
    // One after the other: LevelDB would run two in whichever order its threads pick them up.
    const written = this.#lastWrite.then(() => this.#commit(batch, copy));
    this.#lastWrite = written.catch(() => {});
    return written;
  }

  acknowledgedHead(): AcknowledgedHead | undefined {
    return this.#headFile.head;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#lastWrite;
    await this.#tableCheck?.end().catch(() => undefined);
    await this.#guard?.end();
    try {
      // Nothing is merged any more into tables that have to be restored.
      if (this.#failure === undefined && this.isSound) await emptyLog(this.#level);
    } finally {
      await this.#level.close();
      this.#unchecked?.release(this);
      this.#headFile.close();
      this.#guarded.resolve();
    }
  }

  #batchOf(rows: Iterable<Row>) {
    const batch = this.#level.batch();
    try {
      for (const [key, value] of rows) {
        assertKey(key);
        if (value === undefined) batch.del(key);
        else {
          assertValue(value);
          const stored = this.#checksums.add(key, value);
          batch.put(stored.key, stored.value);
        }
      }
      return batch;
    } catch (error) {
      void batch.close();
      throw error;
    }
  }

  async #commit(batch: ReturnType<Level['batch']>, head: AcknowledgedHead | undefined): Promise<void> {
    if (this.#damage) {
      await batch.close();
      throw this.#damage;
    }
    if (this.#failure !== undefined) {
      await batch.close();
      throw new StoreFailed(this.folder, 'an earlier write failed', { cause: this.#failure });
    }
    try {
      this.#crashPoint('beforeWrite');
      await batch.write({ sync: !this.#isScratch });
      this.#crashPoint('afterSync');
      if (head === undefined) return;
      this.#crashPoint('beforeHead');
      this.#headFile.write(head);
      this.#crashPoint('afterHead');
    } catch (error) {
      this.#failure = this.#failed(error);
      throw this.#failure;
    }
  }

  #iterator(range: KeyRange, options: { limit?: number; snapshot?: Snapshot } = {}): RowIterator {
    this.#assertOpen();
    assertRange(range);
    const { gte, lt, reverse = false } = range;
    const { limit = -1, snapshot } = options;
    return this.#level.iterator({ gte, lt, reverse, limit, snapshot, highWaterMarkBytes: chunkBytes });
  }

  async *#stream(iterator: RowIterator, range: KeyRange): AsyncGenerator<Entry> {
    for await (const chunk of this.#chunks(iterator, range)) yield* chunk;
  }

  async *#chunks(iterator: RowIterator, range: KeyRange): AsyncGenerator<Entry[]> {
    let from = range.reverse ? range.lt : range.gte;
    try {
      for (;;) {
        const { entries, to } = await this.#nextChunk(iterator, range, from);
        if (entries.length === 0) return;
        yield entries;
        from = to;
      }
    } finally {
      await iterator.close();
    }
  }

  async #nextChunk(
    iterator: RowIterator,
    range: KeyRange,
    from: Uint8Array,
  ): Promise<{ entries: Entry[]; to: Uint8Array }> {
    try {
      const rows = await iterator.nextv(chunkRows);
      // At the end of the range: that nothing more is there has to be known as well.
      const to = rows.at(-1)?.[0] ?? (range.reverse ? range.gte : range.lt);
      this.#unchecked?.assertMerged();
      if (range.reverse) this.#unchecked?.assertRange(to, from);
      else this.#unchecked?.assertRange(from, to);
      const entries = rows.map(
        ([key, stored]): Entry => [plainView(key), valueOrThrow(this.folder, key, stored)],
      );
      return { entries, to };
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #readRow(key: Uint8Array, snapshot?: Snapshot): Uint8Array | undefined {
    try {
      this.#unchecked?.assertKey(key);
      // Without options it takes a shorter way.
      const stored = snapshot ? this.#level.getSync(key, { snapshot }) : this.#level.getSync(key);
      this.#unchecked?.assertMerged();
      return stored === undefined ? undefined : valueOrThrow(this.folder, key, stored);
    } catch (error) {
      throw this.#failed(error, key);
    }
  }

  /** What is to be thrown when reading or writing failed. */
  #failed(thrown: unknown, key?: Uint8Array): StoreError {
    const error = toStoreError(this.folder, thrown, key);
    if (error instanceof StoreCorrupt) this.#condemn(error);
    return error;
  }

  /** Damage was met: from now on the whole store knows, takes no more, and the next opening reads everything first. */
  #condemn(damage: StoreCorrupt): void {
    if (this.#damage) return;
    this.#damage = damage;
    this.#guarded.reject(damage);
    if (this.#level.status === 'open') keepTables(this.folder, this.#liveTables());
  }

  #liveTables(): TableToCheck[] {
    return listedTables(this.#level.getProperty('leveldb.sstables')).map(({ number, bytes }) => ({
      number,
      bytes,
      path: join(this.folder, this.#tableName(number)),
    }));
  }

  #tableName(number: number): string {
    return this.#opening.tables.get(number) ?? `${fileNumber(number)}.ldb`;
  }

  async #checkFormat(): Promise<void> {
    const format = this.#readRow(formatKey);
    if (format === undefined) return this.#beginFormat();
    const [version] = format;
    if (format.length !== 1 || version < oldestFormatVersion || version > storeFormatVersion) {
      throw new StoreFormatMismatch(this.folder, version, storeFormatVersion);
    }
    if (version < storeFormatVersion) await this.#writeFormat();
  }

  async #beginFormat(): Promise<void> {
    const [first] = await this.#level.keys({ limit: 1 }).all();
    if (first !== undefined) throw new StoreFormatMismatch(this.folder, undefined, storeFormatVersion);
    const { head } = this.#headFile;
    if (head !== undefined) {
      throw new StoreCorrupt(this.folder, `block ${head.seq} was confirmed, but no row is left`);
    }
    return this.#writeFormat();
  }

  #writeFormat(): Promise<void> {
    const { key, value } = this.#checksums.add(formatKey, Uint8Array.of(storeFormatVersion));
    return this.#level.put(key, value, { sync: true });
  }

  #assertOpen(): void {
    assert(!this.#closed, 'the store is closed');
  }
}

/**
 * Has LevelDB write what only its log holds into a table, so that the next opening need not replay it. It does that
 * first whenever it is told to merge a range, and the range told here holds nothing.
 */
const emptyLog = (level: Level): Promise<void> => level.compactRange(lowestKey, lowestKey);

function valueOrThrow(folder: string, key: Uint8Array, stored: Uint8Array): Uint8Array {
  const value = valueOfRow(key, stored);
  if (value === undefined) throw new StoreCorrupt(folder, 'a row fails its checksum', { key });
  return value;
}

const plainView = (bytes: Uint8Array): Uint8Array =>
  new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
