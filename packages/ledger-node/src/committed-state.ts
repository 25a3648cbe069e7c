/**
 * The state as the last durable block left it, decoded on demand. A bounded cache of decoded entries stands in
 * front of the store; it learns of a block only after that block is on disk.
 */
import {
  decodeEntry,
  type StateChanges,
  type StateEntry,
  type StateReader,
} from '@symbolon/core/ledger/state';
import { stateRow } from './rows.ts';
import type { Store } from './store/store.ts';

export class CommittedState implements StateReader {
  readonly #store: Pick<Store, 'get'>;
  readonly #entriesMax: number;
  readonly #cache = new Map<string, StateEntry>();

  constructor(store: Pick<Store, 'get'>, entriesMax: number) {
    this.#store = store;
    this.#entriesMax = entriesMax;
  }

  read(key: string): StateEntry | undefined {
    const cached = this.#cache.get(key);
    if (cached) return cached;
    const bytes = this.#store.get(stateRow(key));
    if (!bytes) return undefined;
    const entry = decodeEntry(key, bytes);
    this.#remember(key, entry);
    return entry;
  }

  /** Called once a block's changes are durable. */
  advance(changes: StateChanges): void {
    for (const [key, entry] of changes) {
      this.#cache.delete(key);
      if (entry) this.#remember(key, entry);
    }
  }

  #remember(key: string, entry: StateEntry): void {
    this.#cache.set(key, entry);
    if (this.#cache.size <= this.#entriesMax) return;
    for (const oldest of this.#cache.keys()) {
      this.#cache.delete(oldest);
      break;
    }
  }
}
