import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTypedDecimal } from './typed-decimal.ts';

test('a comma is a point, unless it may be one of thousands', () => {
  assert.equal(readTypedDecimal(' 1,3 '), '1.3');
  assert.equal(readTypedDecimal('-12,25'), '-12.25');
  assert.equal(readTypedDecimal('0,005'), '0.005');
  assert.equal(readTypedDecimal('1.3'), '1.3');
  for (const kept of ['1,300', '12,000', '1,300,000', '1,', ',5', 'many, or few'])
    assert.equal(readTypedDecimal(kept), kept);
});
