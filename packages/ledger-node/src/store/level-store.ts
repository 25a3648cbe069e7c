/**
 * The Store in a folder, on LevelDB (`classic-level`). A write is one atomic batch, synced before it counts;
 * every row carries a checksum (`row-checksum.ts`); opening checks LevelDB's own files (`level-files.ts`) and
 * reads back which block was last confirmed (`head-file.ts`). Comparing that block with the newest one
 * in the rows is left to the chain, which knows where its head row lies.
 *
 * A crash between the synced batch and the head file leaves the head file behind the rows: harmless, the
 * batch was never confirmed. The other way round, rows behind the head file, is data loss.
 */
import { mkdir } from 'node:fs/promises';
import { assert } from '@symbolon/core/basics/assert';
import { ClassicLevel, type Iterator as LevelIterator } from 'classic-level';
import { HeadFile } from './head-file.ts';
import { checkLevelFiles } from './level-files.ts';
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
import { StoreCorrupt, StoreFailed, StoreFormatMismatch, toStoreError } from './store-errors.ts';

/** Raised whenever a node of the version before could not go on with what this one writes. */
export const storeFormatVersion = 2;
/** What this one can go on with. */
const oldestFormatVersion = 1;

/** The steps of one write, in order; the last two only happen when the write has a head. */
export type CrashPoint = 'beforeWrite' | 'afterSync' | 'beforeHead' | 'afterHead';

export interface LevelStoreOptions {
  cacheBytes?: number;
  writeBufferBytes?: number;
  /** Whether opening reads every table through, at about 1 s a gigabyte; logs are always checked. */
  checkTables?: boolean;
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
  readonly #checksums = new RowChecksums();
  #lastWrite: Promise<void> = Promise.resolve();
  /** The newest head handed to `write`, confirmed or not: heads only grow. */
  #requestedHead: AcknowledgedHead | undefined;
  #failure: Error | undefined;
  #closed = false;

  private constructor(
    level: Level,
    headFile: HeadFile,
    crashPoint: ((name: CrashPoint) => void) | undefined,
  ) {
    this.folder = level.location;
    this.#level = level;
    this.#headFile = headFile;
    this.#requestedHead = headFile.head;
    this.#crashPoint = crashPoint ?? (() => {});
  }

  /** Opens the store in `folder`, or makes a new one if the folder is empty or absent. */
  static async open(folder: string, options: LevelStoreOptions = {}): Promise<LevelStore> {
    const headFile = await prepareFolder(folder, options.checkTables ?? true);
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
      await checkFormat(level, headFile.head);
      return new LevelStore(level, headFile, options.crashPoint);
    } catch (error) {
      headFile.close();
      await level.close();
      throw toStoreError(folder, error);
    }
  }

  view(): StoreView {
    this.#assertOpen();
    const snapshot = this.#level.snapshot();
    return {
      get: (key) => this.get(key, snapshot),
      getMany: (keys) => this.getMany(keys, snapshot),
      scan: (range) => this.scan(range, snapshot),
      scanAll: (range) => this.#stream(this.#iterator(range, { snapshot })),
      close: () => snapshot.close(),
    };
  }

  get(key: Uint8Array, snapshot?: Snapshot): Uint8Array | undefined {
    this.#assertOpen();
    assertKey(key);
    return readRow(this.#level, key, snapshot);
  }

  async getMany(keys: readonly Uint8Array[], snapshot?: Snapshot): Promise<(Uint8Array | undefined)[]> {
    this.#assertOpen();
    for (const key of keys) assertKey(key);
    const stored = await this.#level.getMany([...keys], { snapshot }).catch((error) => {
      throw toStoreError(this.folder, error);
    });
    return stored.map((row, index) =>
      row === undefined ? undefined : valueOrThrow(this.folder, keys[index], row),
    );
  }

  async scan(range: ScanRange, snapshot?: Snapshot): Promise<Entry[]> {
    const limit = scanLimit(range);
    const iterator = this.#iterator(range, { limit, snapshot });
    const entries: Entry[] = [];
    try {
      for (;;) {
        const chunk = await this.#nextChunk(iterator);
        if (chunk.length === 0) return entries;
        for (const entry of chunk) entries.push(entry);
      }
    } finally {
      await iterator.close();
    }
  }

  scanAll(range: KeyRange): AsyncIterable<Entry> {
    // Made at once, not at the first step: the rows are those of the moment of the call.
    return this.#stream(this.#iterator(range));
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
    try {
      if (this.#failure === undefined) await emptyLog(this.#level);
    } finally {
      await this.#level.close();
      this.#headFile.close();
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
    if (this.#failure !== undefined) {
      await batch.close();
      throw new StoreFailed(this.folder, 'an earlier write failed', { cause: this.#failure });
    }
    try {
      this.#crashPoint('beforeWrite');
      await batch.write({ sync: true });
      this.#crashPoint('afterSync');
      if (head === undefined) return;
      this.#crashPoint('beforeHead');
      this.#headFile.write(head);
      this.#crashPoint('afterHead');
    } catch (error) {
      this.#failure = toStoreError(this.folder, error);
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

  async #nextChunk(iterator: RowIterator): Promise<Entry[]> {
    const rows = await iterator.nextv(chunkRows).catch((error) => {
      throw toStoreError(this.folder, error);
    });
    return rows.map(([key, stored]) => [plainView(key), valueOrThrow(this.folder, key, stored)]);
  }

  async *#stream(iterator: RowIterator): AsyncGenerator<Entry> {
    try {
      for (;;) {
        const chunk = await this.#nextChunk(iterator);
        if (chunk.length === 0) return;
        yield* chunk;
      }
    } finally {
      await iterator.close();
    }
  }

  #assertOpen(): void {
    assert(!this.#closed, 'the store is closed');
  }
}

/** Everything that has to be known about the folder before LevelDB may touch it. */
async function prepareFolder(folder: string, checkTables: boolean): Promise<HeadFile> {
  try {
    await mkdir(folder, { recursive: true });
    await assertUnlocked(folder);
    const storeExists = await checkLevelFiles(folder, { tables: checkTables });
    return HeadFile.open(folder, { storeExists });
  } catch (error) {
    throw toStoreError(folder, error);
  }
}

/**
 * Asks LevelDB for the folder's lock and nothing else: told to insist on a new store, it takes the lock, sees
 * the old one and leaves. Reading files while another process writes them would look like damage.
 */
async function assertUnlocked(folder: string): Promise<void> {
  const probe = new ClassicLevel(folder, { createIfMissing: false, errorIfExists: true });
  try {
    await probe.open();
  } catch (error) {
    const cause = (error as { cause?: { code?: unknown } }).cause;
    if (cause?.code === 'LEVEL_LOCKED') throw toStoreError(folder, error);
  } finally {
    await probe.close();
  }
}

/**
 * Has LevelDB write what only its log holds into a table, so that the next opening need not replay it. It does that
 * first whenever it is told to merge a range, and the range told here holds nothing.
 */
const emptyLog = (level: Level): Promise<void> => level.compactRange(lowestKey, lowestKey);

async function checkFormat(level: Level, head: AcknowledgedHead | undefined): Promise<void> {
  const format = readRow(level, formatKey);
  if (format === undefined) {
    const [first] = await level.keys({ limit: 1 }).all();
    if (first !== undefined) throw new StoreFormatMismatch(level.location, undefined, storeFormatVersion);
    if (head !== undefined) {
      throw new StoreCorrupt(level.location, `block ${head.seq} was confirmed, but no row is left`);
    }
    return writeFormat(level);
  }
  const [version] = format;
  if (format.length !== 1 || version < oldestFormatVersion || version > storeFormatVersion) {
    throw new StoreFormatMismatch(level.location, version, storeFormatVersion);
  }
  if (version < storeFormatVersion) await writeFormat(level);
}

function writeFormat(level: Level): Promise<void> {
  const { key, value } = new RowChecksums().add(formatKey, Uint8Array.of(storeFormatVersion));
  return level.put(key, value, { sync: true });
}

function readRow(level: Level, key: Uint8Array, snapshot?: Snapshot): Uint8Array | undefined {
  let stored: Uint8Array | undefined;
  try {
    // Without options it takes a shorter way.
    stored = snapshot ? level.getSync(key, { snapshot }) : level.getSync(key);
  } catch (error) {
    throw toStoreError(level.location, error, key);
  }
  return stored === undefined ? undefined : valueOrThrow(level.location, key, stored);
}

function valueOrThrow(folder: string, key: Uint8Array, stored: Uint8Array): Uint8Array {
  const value = valueOfRow(key, stored);
  if (value === undefined) throw new StoreCorrupt(folder, 'a row fails its checksum', { key });
  return value;
}

const plainView = (bytes: Uint8Array): Uint8Array =>
  new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
