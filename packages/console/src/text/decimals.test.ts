import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decimalText, readTypedDecimal } from './decimals.ts';

test('a decimal is typed with the mark of either language where nothing else can be meant', () => {
  for (const language of ['en', 'de'] as const)
    for (const [typed, read] of [
      ['1,3', '1.3'],
      ['1.3', '1.3'],
      [' -0,25 ', '-0.25'],
      ['−0,5', '-0.5'],
      ['0,125', '0.125'],
      ['12', '12'],
      ['1.234,5', '1234.5'],
      ['1,234.5', '1234.5'],
      ['1.234.567', '1234567'],
      ['1,234,567', '1234567'],
    ] as const)
      assert.equal(readTypedDecimal(typed, language), read, `${typed}, ${language}`);
});

test('one mark before three digits is the point of the language, and else could be two numbers', () => {
  assert.equal(readTypedDecimal('1,500', 'de'), '1.500');
  assert.equal(readTypedDecimal('1.500', 'en'), '1.500');
  assert.equal(readTypedDecimal('1.500', 'de'), undefined);
  assert.equal(readTypedDecimal('1,500', 'en'), undefined);
  assert.equal(readTypedDecimal('1,500'), undefined, 'as of a program');
});

test('what is no number is not made one', () => {
  for (const typed of ['', ',', '1,', ',5', '1,2,3', '1.23,4', '12,34.5', '1,234.567.8', '1e3', '1 3', 'one'])
    for (const language of ['en', 'de'] as const)
      assert.equal(readTypedDecimal(typed, language), undefined, `${typed}, ${language}`);
});

test('a decimal is written with the point of the language and without zeros at its end', () => {
  assert.equal(decimalText('1.70', 'en'), '1.7');
  assert.equal(decimalText('1.70', 'de'), '1,7');
  assert.equal(decimalText('2.00', 'de'), '2');
  assert.equal(decimalText('-1200.5', 'de'), '-1200,5');
});
