/**
 * The state as the last durable block left it, decoded on demand. A bounded cache of decoded entries stands in
 * front of the rows; it learns of a block only after that block is on disk.
 */

import { RecentMap } from '@symbolon/core/basics/recent-map';
import {
  decodeEntry,
  type StateChanges,
  type StateEntry,
  type StateReader,
  stateKeys,
} from '@symbolon/core/ledger/terms/state';
import type { Account } from '@symbolon/core/proto/ledger_pb';
import { storeLimits } from '../limits/node-limits.ts';
import type { StoreReader } from '../store/store.ts';
import { stateRow } from './rows.ts';

type StateRows = Pick<StoreReader, 'get' | 'getMany'>;

export class CommittedState implements StateReader {
  readonly #store: StateRows;
  readonly #cache: RecentMap<string, StateEntry>;
  #advances = 0;

  constructor(store: StateRows, entriesMax: number) {
    this.#store = store;
    this.#cache = new RecentMap(entriesMax);
  }

  read(key: string): StateEntry | undefined {
    const known = this.#cache.get(key);
    if (known) return known;
    const bytes = this.stored(key);
    return bytes && this.#remember(key, bytes);
  }

  account(address: string): Account | undefined {
    return this.read(stateKeys.account(address)) as Account | undefined;
  }

  /** Brings entries into the cache that will soon be read, all at once and off this thread. */
  async preload(keys: Iterable<string>): Promise<void> {
    const missing = new Map<string, Uint8Array>();
    for (const key of keys) {
      const row = this.#cache.has(key) ? undefined : rowOf(key);
      if (row) missing.set(key, row);
    }
    if (missing.size === 0) return;
    const advances = this.#advances;
    const values = await this.#store.getMany([...missing.values()]);
    // What was read while a block became durable may be of the state before it.
    if (this.#advances !== advances) return;
    for (const [index, key] of [...missing.keys()].entries()) {
      const bytes = values[index];
      if (bytes) this.#remember(key, bytes);
    }
  }

  /** The entry's bytes, read past the cache. */
  stored(key: string): Uint8Array | undefined {
    const row = rowOf(key);
    return row && this.#store.get(row);
  }

  /** Called once a block's changes are durable. */
  advance(changes: StateChanges): void {
    this.#advances++;
    for (const [key, entry] of changes) {
      if (entry) this.#cache.set(key, entry);
      else this.#cache.delete(key);
    }
  }

  /** Called when the rows are of another chain than before. */
  forget(): void {
    this.#advances++;
    this.#cache.clear();
  }

  #remember(key: string, bytes: Uint8Array): StateEntry {
    const entry = decodeEntry(key, bytes);
    this.#cache.set(key, entry);
    return entry;
  }
}

/** Anybody may ask for anything: what no row can be called is not there. */
function rowOf(key: string): Uint8Array | undefined {
  // Before it becomes bytes: there are never fewer of them than characters.
  if (key.length > storeLimits.keyBytesMax || !key.isWellFormed()) return undefined;
  const row = stateRow(key);
  return row.length > storeLimits.keyBytesMax ? undefined : row;
}
