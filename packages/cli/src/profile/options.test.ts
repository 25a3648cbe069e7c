import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coinAmount, coinsWord } from './options.ts';

test('amounts of the coin are said in its smallest unit or in Gas', () => {
  for (const [text, units] of [
    ['0', 0n],
    ['1500000', 1_500_000n],
    ['1.5gas', 1_500_000n],
    ['1.5 Gas', 1_500_000n],
    ['2gas', 2_000_000n],
    ['0.000001gas', 1n],
    ['9223372036854775807', 9_223_372_036_854_775_807n],
    ['9223372036854.775807gas', 9_223_372_036_854_775_807n],
  ] as const)
    assert.equal(coinAmount(text), units, text);
  assert.equal(coinsWord('2gas').isInGas, true);
  assert.equal(coinsWord('2').isInGas, false);
});

test('what is no such amount is refused, without repeating it', () => {
  for (const text of [
    '1.5',
    '-1',
    '1e6',
    '.5gas',
    '1.0000001gas',
    '1,5gas',
    '1.5ugas',
    '9223372036854.775808gas',
    ' 1',
    '1.gas',
    '',
  ])
    assert.throws(
      () => coinAmount(text),
      ({ message }: Error) => /such as 1\.5gas/.test(message),
      text,
    );
});
