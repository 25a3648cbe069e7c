import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FairQueue } from './fair-queue.ts';

interface Order {
  readonly caller: string;
  readonly cost: number;
  readonly count: number;
}

/** Items are named by caller and number. */
function fill(...orders: Order[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const { caller, cost, count } of orders)
    for (let index = 0; index < count; index++) queue.add(`${caller}${index}`, { caller, cost });
  return queue;
}

function order(queue: FairQueue<string>): string[] {
  const items: string[] = [];
  for (let item = queue.next(); item !== undefined; item = queue.next()) items.push(item);
  return items;
}

test('callers share by cost, not by turns', () => {
  const queue = fill({ caller: 'h', cost: 4, count: 2 }, { caller: 'l', cost: 1, count: 8 });
  assert.equal(order(queue).join(' '), 'h0 l0 l1 l2 l3 h1 l4 l5 l6 l7');
});

test('who comes late goes next, however much of others waits', () => {
  const queue = fill({ caller: 'h', cost: 76, count: 100 });
  assert.equal(queue.next(), 'h0');
  queue.add('late0', { caller: 'late', cost: 1 });
  queue.add('late1', { caller: 'late', cost: 1 });
  assert.deepEqual([queue.next(), queue.next(), queue.next()], ['late0', 'late1', 'h1']);
});

test('who was away has saved nothing up, and who was alone owes nothing', () => {
  const queue = fill({ caller: 'a', cost: 10, count: 5 });
  assert.equal(order(queue).length, 5);
  for (const caller of ['b', 'a'])
    for (let index = 0; index < 2; index++) queue.add(`${caller}${index}`, { caller, cost: 1 });
  assert.deepEqual(order(queue), ['b0', 'a0', 'b1', 'a1']);
});

test('a place that takes only some items gets the first of those', () => {
  const queue = fill({ caller: 'h', cost: 76, count: 3 }, { caller: 'l', cost: 1, count: 1 });
  const isLight = (item: string) => item.startsWith('l');
  assert.equal(queue.next(isLight), 'l0');
  assert.equal(queue.next(isLight), undefined);
  assert.equal(queue.next(), 'h0');
});

test('items are taken out before their turn, or all at once, and counted by caller', () => {
  const queue = fill({ caller: 'a', cost: 1, count: 2 }, { caller: 'b', cost: 1, count: 2 });
  assert.equal(queue.remove('b0'), true);
  assert.equal(queue.remove('b0'), false);
  assert.deepEqual([queue.size, queue.sizeOf('a'), queue.sizeOf('b'), queue.sizeOf('c')], [3, 2, 1, 0]);
  assert.deepEqual(queue.drain().sort(), ['a0', 'a1', 'b1']);
  assert.deepEqual([queue.next(), queue.size, queue.sizeOf('a')], [undefined, 0, 0]);
});

test('while two callers wait, neither gets ahead of the other by more than one item', () => {
  const costs = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(costs, costs, (ofA, ofB) => {
      const queue = new FairQueue<readonly [caller: 'a' | 'b', cost: number]>();
      for (const cost of ofA) queue.add(['a', cost], { caller: 'a', cost });
      for (const cost of ofB) queue.add(['b', cost], { caller: 'b', cost });
      const used = { a: 0, b: 0 };
      const largest = Math.max(...ofA, ...ofB);
      while (queue.sizeOf('a') > 0 && queue.sizeOf('b') > 0) {
        const [caller, cost] = queue.next() as ['a' | 'b', number];
        used[caller] += cost;
        assert.ok(Math.abs(used.a - used.b) <= largest);
      }
    }),
  );
});
