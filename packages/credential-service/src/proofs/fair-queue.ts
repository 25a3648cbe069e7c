/**
 * Two queues that share the threads by time, not by turns: whoever has used less goes next. A hundred waiting range
 * proofs so delay a signature by one of them, and signatures cannot starve range proofs either.
 */
export type Lane = 'cheap' | 'expensive';

const lanes = ['cheap', 'expensive'] as const;
const otherLane = (lane: Lane): Lane => (lane === 'cheap' ? 'expensive' : 'cheap');

export class FairQueue<Item> {
  readonly #waiting: Readonly<Record<Lane, Set<Item>>> = { cheap: new Set(), expensive: new Set() };
  /** Time used while the other lane was waiting, too. */
  readonly #spentMs: Record<Lane, number> = { cheap: 0, expensive: 0 };

  get size(): number {
    return this.#waiting.cheap.size + this.#waiting.expensive.size;
  }

  add(lane: Lane, item: Item): void {
    // Whoever was away has not saved up for it.
    if (this.#waiting[lane].size === 0) {
      this.#spentMs[lane] = Math.max(this.#spentMs[lane], this.#spentMs[otherLane(lane)]);
    }
    this.#waiting[lane].add(item);
  }

  /** Takes an item out before its turn. */
  remove(item: Item): boolean {
    return lanes.some((lane) => this.#waiting[lane].delete(item));
  }

  next(): Item | undefined {
    const lane = this.#nextLane();
    if (lane === undefined) return undefined;
    const [item] = this.#waiting[lane];
    this.#waiting[lane].delete(item as Item);
    return item;
  }

  /** What an item took. Figures grow for as long as a service lives; only their difference counts. */
  spend(lane: Lane, ms: number): void {
    this.#spentMs[lane] += ms;
    const least = Math.min(this.#spentMs.cheap, this.#spentMs.expensive);
    for (const each of lanes) this.#spentMs[each] -= least;
  }

  /** Takes everything out. */
  drain(): Item[] {
    const items = lanes.flatMap((lane) => [...this.#waiting[lane]]);
    for (const lane of lanes) this.#waiting[lane].clear();
    return items;
  }

  #nextLane(): Lane | undefined {
    const { cheap, expensive } = this.#waiting;
    if (cheap.size === 0) return expensive.size === 0 ? undefined : 'expensive';
    if (expensive.size === 0) return 'cheap';
    return this.#spentMs.cheap <= this.#spentMs.expensive ? 'cheap' : 'expensive';
  }
}
