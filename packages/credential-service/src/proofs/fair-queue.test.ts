import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue } from './fair-queue.ts';

/** Sets hold an item once, so each is a text of its own. */
const fill = (cheap: number, expensive: number): FairQueue<string> => {
  const queue = new FairQueue<string>();
  for (let index = 0; index < cheap; index++) queue.add('cheap', `c${index}`);
  for (let index = 0; index < expensive; index++) queue.add('expensive', `e${index}`);
  return queue;
};

test('lanes share time, not turns', () => {
  const queue = fill(8, 2);
  const order: string[] = [];
  for (let item = queue.next(); item !== undefined; item = queue.next()) {
    order.push(item);
    queue.spend(item.startsWith('c') ? 'cheap' : 'expensive', item.startsWith('c') ? 10 : 40);
  }
  assert.equal(order.join(' '), 'c0 e0 c1 c2 c3 c4 e1 c5 c6 c7');
});

test('who was away has saved nothing up', () => {
  const queue = fill(0, 3);
  for (let index = 0; index < 3; index++) {
    queue.next();
    queue.spend('expensive', 40);
  }
  for (let index = 0; index < 9; index++) queue.add('cheap', `late c${index}`);
  queue.add('expensive', 'late e');
  const order = Array.from({ length: 3 }, () => {
    const item = queue.next() as string;
    queue.spend(item.includes('c') ? 'cheap' : 'expensive', 10);
    return item;
  });
  assert.deepEqual(order, ['late c0', 'late e', 'late c1']);
});

test('items are taken out before their turn, or all at once', () => {
  const queue = fill(2, 2);
  assert.equal(queue.remove('e0'), true);
  assert.equal(queue.remove('e0'), false);
  assert.equal(queue.size, 3);
  assert.deepEqual(queue.drain(), ['c0', 'c1', 'e1']);
  assert.equal(queue.next(), undefined);
});
