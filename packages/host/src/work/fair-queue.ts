/**
 * A queue that callers share by what their items cost, not by turns: everybody's next item begins where the caller's
 * last one ended, on a clock that runs with the items taken out (start-time fair queueing). Whoever has much waiting so
 * waits for itself, and whoever comes with little goes next.
 */
export interface QueuedFor {
  readonly caller: string;
  readonly cost: number;
}

interface Entry<Item> extends QueuedFor {
  readonly item: Item;
  readonly start: number;
}

export class FairQueue<Item> {
  /** In the order of arrival: of equal starts the first goes first. */
  readonly #entries = new Map<Item, Entry<Item>>();
  /** Where the last item of a caller ends, for callers who are ahead of the clock. */
  readonly #ends = new Map<string, number>();
  readonly #sizes = new Map<string, number>();
  #clock = 0;

  get size(): number {
    return this.#entries.size;
  }

  sizeOf(caller: string): number {
    return this.#sizes.get(caller) ?? 0;
  }

  add(item: Item, { caller, cost }: QueuedFor): void {
    // Time in which a caller asked for nothing gives it no advantage now.
    const start = Math.max(this.#clock, this.#ends.get(caller) ?? 0);
    this.#entries.set(item, { item, caller, cost, start });
    this.#ends.set(caller, start + cost);
    this.#sizes.set(caller, this.sizeOf(caller) + 1);
  }

  /** Takes an item out before its turn. */
  remove(item: Item): boolean {
    const entry = this.#entries.get(item);
    if (!entry) return false;
    this.#takeOut(entry);
    return true;
  }

  /** Takes out the item whose turn it is, among those that fit. */
  next(fits: (item: Item) => boolean = () => true): Item | undefined {
    let first: Entry<Item> | undefined;
    for (const entry of this.#entries.values())
      if ((!first || entry.start < first.start) && fits(entry.item)) first = entry;
    if (!first) return undefined;
    this.#clock = Math.max(this.#clock, first.start);
    this.#takeOut(first);
    return first.item;
  }

  /** Takes everything out. */
  drain(): Item[] {
    const items = [...this.#entries.keys()];
    for (const item of items) this.remove(item);
    return items;
  }

  #takeOut({ item, caller }: Entry<Item>): void {
    this.#entries.delete(item);
    const left = this.sizeOf(caller) - 1;
    if (left > 0) this.#sizes.set(caller, left);
    else this.#sizes.delete(caller);
    // With nobody waiting everybody is even; otherwise callers whom the clock has passed are forgotten.
    for (const [each, end] of this.#ends)
      if (this.#entries.size === 0 || (end <= this.#clock && !this.#sizes.has(each))) this.#ends.delete(each);
  }
}
