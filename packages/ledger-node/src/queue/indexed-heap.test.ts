import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { IndexedHeap } from './indexed-heap.ts';

interface Ranked {
  readonly id: number;
  rank: number;
}

const before = (left: Ranked, right: Ranked): boolean =>
  left.rank < right.rank || (left.rank === right.rank && left.id < right.id);

function drain(heap: IndexedHeap<Ranked>): number[] {
  const ids: number[] = [];
  for (let item = heap.takeFirst(); item !== undefined; item = heap.takeFirst()) ids.push(item.id);
  return ids;
}

describe('IndexedHeap', () => {
  it('is empty at first and says so', () => {
    const heap = new IndexedHeap(before);
    assert.equal(heap.size, 0);
    assert.equal(heap.first(), undefined);
    assert.equal(heap.takeFirst(), undefined);
    assert.equal(heap.delete({ id: 1, rank: 1 }), false);
  });

  it('gives its items in order', () => {
    const heap = new IndexedHeap(before);
    for (const [id, rank] of [5, 3, 9, 1, 7].entries()) heap.place({ id, rank });
    assert.equal(heap.first()?.rank, 1);
    assert.deepEqual(drain(heap), [3, 1, 0, 4, 2]);
  });

  it('holds an item once, however often it is placed', () => {
    const heap = new IndexedHeap(before);
    const item = { id: 1, rank: 1 };
    heap.place(item);
    heap.place(item);
    assert.equal(heap.size, 1);
    assert.equal(heap.delete(item), true);
    assert.equal(heap.delete(item), false);
    assert.equal(heap.first(), undefined);
  });

  it('moves an item whose rank has changed, both ways', () => {
    const heap = new IndexedHeap(before);
    const items = Array.from({ length: 15 }, (_, id) => ({ id, rank: 10 * id }));
    for (const item of items) heap.place(item);
    items[14]!.rank = -1;
    heap.place(items[14]!);
    assert.equal(heap.first(), items[14]);
    items[14]!.rank = 55;
    heap.place(items[14]!);
    assert.deepEqual(drain(heap), [0, 1, 2, 3, 4, 5, 14, 6, 7, 8, 9, 10, 11, 12, 13]);
  });

  it('agrees with a sorted list under any sequence of changes', () => {
    const step = fc.record({
      action: fc.constantFrom('place', 'place', 'delete', 'takeFirst'),
      id: fc.nat({ max: 30 }),
      rank: fc.nat({ max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
        const heap = new IndexedHeap(before);
        const items = Array.from({ length: 31 }, (_, id): Ranked => ({ id, rank: 0 }));
        const inside = new Set<Ranked>();
        const sorted = (): Ranked[] => [...inside].sort((a, b) => a.rank - b.rank || a.id - b.id);
        for (const { action, id, rank } of steps) {
          const item = items[id]!;
          if (action === 'place') {
            item.rank = rank;
            heap.place(item);
            inside.add(item);
          } else if (action === 'delete') {
            assert.equal(heap.delete(item), inside.delete(item));
          } else {
            const first = sorted()[0];
            assert.equal(heap.takeFirst(), first);
            if (first !== undefined) inside.delete(first);
          }
          assert.equal(heap.size, inside.size);
          assert.equal(heap.first(), sorted()[0]);
        }
        const expected = sorted().map((item) => item.id);
        assert.deepEqual(drain(heap), expected);
      }),
    );
  });
});
