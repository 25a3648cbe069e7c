/**
 * The Store seam: sorted rows of bytes, one atomic durable write at a time. `LevelStore` keeps them in a
 * folder, `MemoryStore` in memory; `store.conformance.ts` says what both must do. The store knows nothing of
 * blocks or accounts: what a row means is the chain's business.
 */
import { assert } from '@symbolon/core/basics/assert';
import { storeLimits } from '../limits/node-limits.ts';

/** One row to write; `undefined` deletes the key. */
export type Row = readonly [key: Uint8Array, value: Uint8Array | undefined];

export type Entry = [key: Uint8Array, value: Uint8Array];

/** Keys from `gte` up to but without `lt`, in byte order, or from the end when `reverse` is set. */
export interface KeyRange {
  gte: Uint8Array;
  lt: Uint8Array;
  reverse?: boolean;
}

export interface ScanRange extends KeyRange {
  /** `storeLimits.scanRowsDefault` unless told, `storeLimits.scanRowsMax` at most. */
  limit?: number;
}

/** The newest block whose write was confirmed to somebody; blocks count from 1. */
export interface AcknowledgedHead {
  readonly seq: bigint;
  readonly hash: Uint8Array;
}

/** What can be read: from the store as it is now, or from a view of it. */
export interface StoreReader {
  get(key: Uint8Array): Uint8Array | undefined;

  getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]>;

  /** At most `limit` rows, all of one moment. The rows may be large: see `scanAll` where that matters. */
  scan(range: ScanRange): Promise<Entry[]>;

  /** Every row of the range, all of the moment of the call, a chunk in memory at a time. */
  scanAll(range: KeyRange): AsyncIterable<Entry>;
}

/**
 * The rows of one moment, whatever is written meanwhile. An open view keeps old rows on disk: close it. What is open
 * when the store closes is closed with it.
 */
export interface StoreView extends StoreReader {
  close(): Promise<void>;
}

export interface Store extends StoreReader {
  /**
   * All rows as they are now. A write shows in it whole or not at all, and only when it is on disk, which may be a
   * moment before the promise of the write resolves.
   */
  view(): StoreView;

  /**
   * One atomic batch, on disk before the promise resolves; of two rows with the same key the later counts.
   * The rows are read before this call returns. Writes take effect in the order of their calls. After one
   * failed, the store takes no more: what is on disk is then known only after opening it again.
   *
   * `head` is remembered beside the rows once they are on disk, so that opening the store can tell that
   * rows which were once confirmed are gone.
   */
  write(rows: Iterable<Row>, head?: AcknowledgedHead): Promise<void>;

  /** The `head` of the last confirmed write that had one, also one made before this opening. */
  acknowledgedHead(): AcknowledgedHead | undefined;

  close(): Promise<void>;
}

/** Keys that begin with this byte are the store's own: nobody reads or writes them through the seam. */
export const reservedKeyByte = 0xff;

/** The exclusive end of all keys a user of the store can have. */
export const keysEnd: Uint8Array = Uint8Array.of(reservedKeyByte);

export const headHashBytes = 32;

export function assertKey(key: Uint8Array): void {
  assert(key.length > 0 && key.length <= storeLimits.keyBytesMax, `a key of ${key.length} bytes`);
  assert(key[0] !== reservedKeyByte, 'a key that begins with the reserved byte');
}

export function assertValue(value: Uint8Array): void {
  assert(value.length <= storeLimits.valueBytesMax, `a value of ${value.length} bytes`);
}

export function assertRange(range: KeyRange): void {
  assert(Buffer.compare(range.lt, keysEnd) <= 0, 'a range that ends beyond the last key');
}

export function scanLimit(range: ScanRange): number {
  const limit = range.limit ?? storeLimits.scanRowsDefault;
  assert(
    Number.isInteger(limit) && limit > 0 && limit <= storeLimits.scanRowsMax,
    `a scan of ${limit} rows at most`,
  );
  return limit;
}

export function assertHead(head: AcknowledgedHead, previous: AcknowledgedHead | undefined): void {
  assert(head.seq > (previous?.seq ?? 0n) && head.seq < 2n ** 64n, 'an acknowledged head that does not grow');
  assert(head.hash.length === headHashBytes, 'an acknowledged head without a 32-byte hash');
}
