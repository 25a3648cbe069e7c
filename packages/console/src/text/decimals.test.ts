import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ambiguousMark, commonPoint, decimalText, readTypedDecimal } from './decimals.ts';

test('a decimal is typed with the mark of either language where nothing else can be meant', () => {
  for (const point of ['.', ',', undefined] as const)
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
      assert.equal(readTypedDecimal(typed, point), read, `${typed}, ${point}`);
});

test('one mark before three digits is the point of who writes so, and else could be two numbers', () => {
  for (const [typed, own, other] of [
    ['1,500', ',', '.'],
    ['-1.500', '.', ','],
  ] as const) {
    assert.equal(readTypedDecimal(typed, own), typed.replace(',', '.'));
    assert.equal(ambiguousMark(typed, own), undefined);
    for (const point of [other, undefined]) {
      assert.equal(readTypedDecimal(typed, point), undefined);
      assert.equal(ambiguousMark(typed, point), own);
    }
  }
  for (const typed of ['0,500', '1,50', '1500', '1,500.5', 'one'])
    assert.equal(ambiguousMark(typed, '.'), undefined);
});

test('with which point numbers of one hand were written shows in those that mean one number', () => {
  assert.equal(commonPoint(['1,7', '1,300', '12', '']), ',');
  assert.equal(commonPoint(['0.125', '1.300']), '.');
  assert.equal(commonPoint(['1.234,5', '2,0']), ',');
  assert.equal(commonPoint(['1,234,567']), '.');
  assert.equal(commonPoint(['1,300', '2,500', '7']), undefined, 'none of them tells');
  assert.equal(commonPoint(['1,7', '1.7']), undefined, 'they contradict');
});

test('what is no number is not made one', () => {
  for (const typed of ['', ',', '1,', ',5', '1,2,3', '1.23,4', '12,34.5', '1,234.567.8', '1e3', '1 3', 'one'])
    for (const point of ['.', ',', undefined] as const)
      assert.equal(readTypedDecimal(typed, point), undefined, `${typed}, ${point}`);
});

test('a decimal is written with the point of the language and without zeros at its end', () => {
  assert.equal(decimalText('1.70', 'en'), '1.7');
  assert.equal(decimalText('1.70', 'de'), '1,7');
  assert.equal(decimalText('2.00', 'de'), '2');
  assert.equal(decimalText('-1200.5', 'de'), '-1200,5');
});
