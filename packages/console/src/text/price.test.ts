import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceFigure, priceText } from './price.ts';

const coin = { symbol: 'EXC', decimals: 2 };

test('prices are written in their unit, to the last digit', () => {
  assert.equal(priceText({ ...coin, amount: '250' }, 'en'), '2.5 EXC');
  assert.equal(priceText({ ...coin, amount: '100' }, 'en'), '1 EXC');
  assert.equal(priceText({ ...coin, amount: '3' }, 'de'), '0,03 EXC');
  assert.equal(
    priceText({ ...coin, amount: '123456789012345678901' }, 'en'),
    '1,234,567,890,123,456,789.01 EXC',
  );
});

test('the figure alone has the marks of its language, too', () => {
  assert.equal(priceFigure({ ...coin, amount: '123450' }, 'de'), '1.234,5');
  assert.equal(priceFigure({ ...coin, amount: '250' }, 'en'), '2.5');
});

test('what cannot be a price is told as it came', () => {
  assert.equal(priceText({ ...coin, amount: '1e3' }, 'en'), '1e3 EXC');
  assert.equal(priceText({ ...coin, decimals: 99, amount: '1' }, 'en'), '1 EXC');
});
