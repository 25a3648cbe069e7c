/**
 * The state as the last durable block left it, decoded on demand. A bounded cache of decoded entries stands in
 * front of the store; it learns of a block only after that block is on disk. The cache has two generations: when
 * the younger is full it becomes the older, and what was not asked for since is forgotten. (Deleting the oldest
 * entry of one Map each time would be slow: a Map walks over its deleted entries to find its first.)
 */
import {
  decodeEntry,
  type StateChanges,
  type StateEntry,
  type StateReader,
} from '@symbolon/core/ledger/state';
import { storeLimits } from '@symbolon/core/limits';
import { stateRow } from './rows.ts';
import type { Store } from './store/store.ts';

export class CommittedState implements StateReader {
  readonly #store: Pick<Store, 'get'>;
  readonly #generationMax: number;
  #younger = new Map<string, StateEntry>();
  #older = new Map<string, StateEntry>();

  constructor(store: Pick<Store, 'get'>, entriesMax: number) {
    this.#store = store;
    this.#generationMax = Math.ceil(entriesMax / 2);
  }

  read(key: string): StateEntry | undefined {
    const young = this.#younger.get(key);
    if (young) return young;
    const entry = this.#older.get(key) ?? this.#decode(key);
    if (entry) this.#remember(key, entry);
    return entry;
  }

  /** The entry's bytes, read past the cache. Anybody may ask for anything: what no row can be called is not there. */
  stored(key: string): Uint8Array | undefined {
    // Before it becomes bytes: there are never fewer of them than characters.
    if (key.length > storeLimits.keyBytesMax || !key.isWellFormed()) return undefined;
    const row = stateRow(key);
    return row.length > storeLimits.keyBytesMax ? undefined : this.#store.get(row);
  }

  /** Called once a block's changes are durable. */
  advance(changes: StateChanges): void {
    for (const [key, entry] of changes) {
      if (entry) {
        this.#remember(key, entry);
      } else {
        this.#younger.delete(key);
        this.#older.delete(key);
      }
    }
  }

  #decode(key: string): StateEntry | undefined {
    const bytes = this.stored(key);
    return bytes && decodeEntry(key, bytes);
  }

  /** What stands in the younger generation hides an older version of the same entry. */
  #remember(key: string, entry: StateEntry): void {
    if (this.#younger.size >= this.#generationMax && !this.#younger.has(key)) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(key, entry);
  }
}
