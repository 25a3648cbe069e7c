import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationText, summaryOf } from './figures.ts';

test('a row of numbers is summed up', () => {
  assert.deepEqual(summaryOf([3, 1, 10, 2]), { last: 2, least: 1, most: 10, middle: 2.5 });
  assert.deepEqual(summaryOf([7]), { last: 7, least: 7, most: 7, middle: 7 });
  assert.equal(summaryOf([]), undefined);
});

test('durations have the unit that people would say', () => {
  assert.deepEqual(
    [240, 1_000, 99_940, 600_000, 36_000_000].map((ms) => durationText(ms, '.')),
    ['240 ms', '1.0 s', '99.9 s', '10 min', '10 h'],
  );
  assert.equal(durationText(1_500, ','), '1,5 s');
});
