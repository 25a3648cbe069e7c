/**
 * The Store in memory, for tests and simulations: same rules and same order as `LevelStore`, nothing on disk.
 */
import { assert } from '@symbolon/core/basics/assert';
import {
  type AcknowledgedHead,
  assertHead,
  assertKey,
  assertRange,
  assertValue,
  type Entry,
  type KeyRange,
  type Row,
  type ScanRange,
  type Store,
  type StoreView,
  scanLimit,
} from '../store/store.ts';

export class MemoryStore implements Store {
  /** Keys as text of one character a byte, whose order is the order of the bytes. */
  readonly #values = new Map<string, Uint8Array>();
  readonly #sortedKeys: string[] = [];
  #head: AcknowledgedHead | undefined;
  /** Of a view: the store it is a view of. */
  #viewed: MemoryStore | undefined;
  #closed = false;

  get(key: Uint8Array): Uint8Array | undefined {
    this.#assertOpen();
    assertKey(key);
    return this.#values.get(keyText(key))?.slice();
  }

  async getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    return keys.map((key) => this.get(key));
  }

  async scan(range: ScanRange): Promise<Entry[]> {
    return this.#entries(range, scanLimit(range));
  }

  view(): StoreView {
    this.#assertOpen();
    const copy = new MemoryStore();
    copy.#viewed = this;
    for (const [key, value] of this.#values) copy.#values.set(key, value);
    for (const key of this.#sortedKeys) copy.#sortedKeys.push(key);
    return copy;
  }

  scanAll(range: KeyRange): AsyncIterable<Entry> {
    const entries = this.#entries(range, Number.POSITIVE_INFINITY);
    return (async function* () {
      yield* entries;
    })();
  }

  async write(rows: Iterable<Row>, head?: AcknowledgedHead): Promise<void> {
    this.#assertOpen();
    if (head !== undefined) assertHead(head, this.#head);
    // All rows are read before the first is applied: an iterable that throws changes nothing.
    const copies: [string, Uint8Array | undefined][] = [];
    for (const [key, value] of rows) {
      assertKey(key);
      if (value !== undefined) assertValue(value);
      copies.push([keyText(key), value === undefined ? undefined : Uint8Array.from(value)]);
    }
    for (const [key, value] of copies) this.#apply(key, value);
    if (head !== undefined) this.#head = { seq: head.seq, hash: Uint8Array.from(head.hash) };
  }

  acknowledgedHead(): AcknowledgedHead | undefined {
    return this.#head;
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #assertOpen(): void {
    const isViewedOpen = this.#viewed === undefined || !this.#viewed.#closed;
    assert(!this.#closed && isViewedOpen, 'the store is closed');
  }

  #apply(key: string, value: Uint8Array | undefined): void {
    if (value === undefined) {
      if (this.#values.delete(key)) this.#sortedKeys.splice(this.#position(key), 1);
      return;
    }
    if (!this.#values.has(key)) this.#sortedKeys.splice(this.#position(key), 0, key);
    this.#values.set(key, value);
  }

  /** Where the first key not below `key` stands. */
  #position(key: string): number {
    let low = 0;
    let high = this.#sortedKeys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sortedKeys[middle] < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #entries(range: KeyRange, limit: number): Entry[] {
    this.#assertOpen();
    assertRange(range);
    const keys = this.#sortedKeys.slice(
      this.#position(keyText(range.gte)),
      this.#position(keyText(range.lt)),
    );
    if (range.reverse === true) keys.reverse();
    return keys.slice(0, limit).map((key) => [keyBytes(key), this.#value(key).slice()]);
  }

  #value(key: string): Uint8Array {
    const value = this.#values.get(key);
    assert(value !== undefined, 'every sorted key has a value');
    return value;
  }
}

const keyText = (key: Uint8Array): string =>
  Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');

const keyBytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
