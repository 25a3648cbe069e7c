import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typedUnits, unitsOf } from './typed-amounts.ts';

test('what is typed becomes smallest units, exactly', () => {
  assert.equal(unitsOf('2.5', 6, 'en'), 2_500_000n);
  assert.equal(unitsOf(' 2,5 ', 6, 'en'), 2_500_000n);
  assert.equal(unitsOf('0', 6, 'en'), 0n);
  assert.equal(unitsOf('9007199254740993.000001', 6, 'en'), 9_007_199_254_740_993_000_001n);
  assert.equal(unitsOf('7', 0, 'en'), 7n);
  for (const wrong of ['', '-1', '1.', '.5', '1e3', '1.0000001', '1 000', '1,000', '9'.repeat(40)])
    assert.equal(unitsOf(wrong, 6, 'en'), undefined, wrong);
});

test('and back, in the spelling of the reader', () => {
  for (const text of ['2.5', '0', '0.000001', '12', '100'])
    assert.equal(typedUnits(unitsOf(text, 6, 'en') as bigint, 6, 'en'), text);
  assert.equal(typedUnits(5n, 0, 'en'), '5');
  assert.equal(typedUnits(2_500_000n, 6, 'de'), '2,5');
  for (const units of [1_234n, 1_200n, 999_999n, 7n])
    assert.equal(unitsOf(typedUnits(units, 3, 'de'), 3, 'de'), units, 'it is read back as the same');
});
