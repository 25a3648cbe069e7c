import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pairUp } from './pairing.ts';

test('the first has the first that fits', () => {
  assert.deepEqual(
    [...pairUp(2, 3, () => true)],
    [
      [0, 0],
      [1, 1],
    ],
  );
});

test('whoever came first moves on where a later one would go without', () => {
  const fitting = [[0, 1], [0, 2], [0]];
  assert.deepEqual(
    [...pairUp(3, 3, (place, thing) => fitting[place]?.includes(thing) ?? false)],
    [
      [0, 1],
      [1, 2],
      [2, 0],
    ],
  );
});

/** Every way there is, as nobody would do it with more than a few. */
function mostPairs(
  fitting: readonly (readonly boolean[])[],
  place = 0,
  taken: readonly number[] = [],
): number {
  const row = fitting[place];
  if (!row) return taken.length;
  const tries = row.flatMap((isFit, thing) =>
    isFit && !taken.includes(thing) ? [mostPairs(fitting, place + 1, [...taken, thing])] : [],
  );
  return Math.max(mostPairs(fitting, place + 1, taken), ...tries);
}

test('there are as many pairs as can be, each of what fits and of nothing twice', () => {
  const rows = fc.array(fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), { maxLength: 5 });
  fc.assert(
    fc.property(rows, (fitting) => {
      const pairs = pairUp(fitting.length, 4, (place, thing) => fitting[place]?.[thing] ?? false);
      assert.equal(pairs.size, mostPairs(fitting));
      assert.equal(new Set(pairs.values()).size, pairs.size);
      for (const [place, thing] of pairs) assert.ok(fitting[place]?.[thing]);
    }),
  );
});
