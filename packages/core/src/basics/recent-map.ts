/**
 * A bounded map that keeps what is asked for. It has two generations: when the younger is full it becomes the older,
 * and what was not asked for since then is forgotten. (Deleting the oldest entry of one Map each time would be slow:
 * a Map walks over its deleted entries to find its first.)
 */
export class RecentMap<Key, Value extends NonNullable<unknown>> {
  readonly #generationMax: number;
  /** What stands here hides an older value of the same key. */
  #younger = new Map<Key, Value>();
  #older = new Map<Key, Value>();

  constructor(entriesMax: number) {
    this.#generationMax = Math.ceil(entriesMax / 2);
  }

  get(key: Key): Value | undefined {
    const young = this.#younger.get(key);
    if (young !== undefined) return young;
    const old = this.#older.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  /** Does not count as asking for it. */
  has(key: Key): boolean {
    return this.#younger.has(key) || this.#older.has(key);
  }

  set(key: Key, value: Value): void {
    if (this.#younger.size >= this.#generationMax && !this.#younger.has(key)) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(key, value);
  }

  delete(key: Key): void {
    this.#younger.delete(key);
    this.#older.delete(key);
  }

  clear(): void {
    this.#younger.clear();
    this.#older.clear();
  }
}
