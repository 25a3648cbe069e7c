/**
 * A binary heap that knows where each of its items stands, so that an item whose rank has changed is moved,
 * and any item is taken out, in logarithmic time. The waiting queue keeps its accounts in two of them
 * (`waiting-queue.ts`). It is not a sorted list: only the first item is known without work.
 *
 * Ranks live outside, in what `before` looks at. Whoever changes the rank of an item calls `place` with it
 * before anything else happens to the heap.
 */
import { assert } from '@symbolon/core/basics/assert';

export class IndexedHeap<Item extends object> {
  readonly #slots: Slot<Item>[] = [];
  readonly #slotOf = new Map<Item, Slot<Item>>();
  readonly #before: (left: Item, right: Item) => boolean;

  /** `before(left, right)`: left must come out earlier than right. */
  constructor(before: (left: Item, right: Item) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#slots.length;
  }

  first(): Item | undefined {
    return this.#slots[0]?.item;
  }

  /** Puts the item in, or moves it to where its changed rank belongs. */
  place(item: Item): void {
    let slot = this.#slotOf.get(item);
    if (slot === undefined) {
      slot = { item, position: this.#slots.length };
      this.#slotOf.set(item, slot);
      this.#slots.push(slot);
    }
    this.#settle(slot, slot.position);
  }

  /** Takes the item out; says whether it was in. */
  delete(item: Item): boolean {
    const slot = this.#slotOf.get(item);
    if (slot === undefined) return false;
    this.#slotOf.delete(item);
    const last = this.#slots.pop();
    assert(last !== undefined, 'a heap that knows an item is not empty');
    if (last !== slot) this.#settle(last, slot.position);
    return true;
  }

  takeFirst(): Item | undefined {
    const item = this.first();
    if (item !== undefined) this.delete(item);
    return item;
  }

  /** Finds the slot its position, starting from one that is free or its own. */
  #settle(slot: Slot<Item>, start: number): void {
    const risen = this.#rise(slot.item, start);
    this.#put(slot, risen === start ? this.#sink(slot.item, start) : risen);
  }

  #rise(item: Item, start: number): number {
    let position = start;
    while (position > 0) {
      const above = (position - 1) >> 1;
      const parent = this.#at(above);
      if (!this.#before(item, parent.item)) break;
      this.#put(parent, position);
      position = above;
    }
    return position;
  }

  #sink(item: Item, start: number): number {
    let position = start;
    for (;;) {
      const left = 2 * position + 1;
      if (left >= this.#slots.length) return position;
      let child = this.#at(left);
      if (left + 1 < this.#slots.length) {
        const right = this.#at(left + 1);
        if (this.#before(right.item, child.item)) child = right;
      }
      if (!this.#before(child.item, item)) return position;
      const below = child.position;
      this.#put(child, position);
      position = below;
    }
  }

  #at(position: number): Slot<Item> {
    const slot = this.#slots[position];
    assert(slot !== undefined, 'heap positions are within the heap');
    return slot;
  }

  #put(slot: Slot<Item>, position: number): void {
    this.#slots[position] = slot;
    slot.position = position;
  }
}

/** An item and where it stands; moving it costs no look-up. */
interface Slot<Item> {
  readonly item: Item;
  position: number;
}
