import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doSeveral, type ItemProgress } from './several.ts';

test('each has its own end, and at most so many are under way', async () => {
  const ends = new Map<string, ItemProgress<string>>();
  let underWay = 0;
  let most = 0;
  await doSeveral({
    ids: ['a', 'b', 'c', 'd', 'e'],
    lanes: 2,
    work: async (id) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      if (id === 'b') throw new Error('refused');
      return id.toUpperCase();
    },
    tell: (id, progress) => ends.set(id, progress),
  });
  assert.equal(most, 2);
  assert.deepEqual(
    [...ends].map(([id, { state }]) => `${id} ${state}`),
    ['a done', 'b failed', 'c done', 'd done', 'e done'],
  );
});

test('what would go wrong with the rest leaves the rest as it is', async () => {
  const ends = new Map<string, string>();
  await doSeveral({
    ids: ['a', 'b', 'c'],
    lanes: 1,
    work: () => Promise.reject(new Error('no signature')),
    tell: (id, { state }) => ends.set(id, state),
    endsAll: () => true,
  });
  assert.deepEqual(
    [...ends],
    [
      ['a', 'failed'],
      ['b', 'waiting'],
      ['c', 'waiting'],
    ],
  );
});
