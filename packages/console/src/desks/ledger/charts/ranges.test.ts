import assert from 'node:assert/strict';
import { test } from 'node:test';
import { existingBlocks, offeredRanges } from './ranges.ts';

test('no more blocks are offered than there are', () => {
  assert.deepEqual(offeredRanges(21), [{ value: '72', blocks: 21 }]);
  assert.deepEqual(offeredRanges(72), [{ value: '72', blocks: 72 }]);
  assert.deepEqual(offeredRanges(90), [
    { value: '72', blocks: 72 },
    { value: '200', blocks: 90 },
  ]);
  assert.deepEqual(
    offeredRanges(5_000).map(({ blocks }) => blocks),
    [72, 200, 1_000],
  );
});

test('how many there are follows from what was read', () => {
  const blocks = (count: number, newest: number) =>
    Array.from({ length: count }, (_, at) => ({ seq: newest - count + 1 + at }));
  assert.equal(existingBlocks(blocks(21, 21), '72'), 21);
  // A node may have begun its index late.
  assert.equal(existingBlocks(blocks(21, 900), '72'), 21);
  assert.equal(existingBlocks(blocks(72, 900), '72'), 900);
  assert.equal(existingBlocks([], '72'), 0);
});
