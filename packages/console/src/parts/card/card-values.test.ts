import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributeText, holderOf, tellingOf } from './card-values.ts';

test('values are written as people write them', () => {
  assert.equal(attributeText({ type: 'decimal' }, '1.70', 'en'), '1.7');
  assert.equal(attributeText({ type: 'decimal' }, '2.00', 'en'), '2');
  assert.equal(attributeText({ type: 'decimal' }, '100', 'en'), '100');
  assert.equal(attributeText({ type: 'decimal' }, '1.70', 'de'), '1,7');
  assert.equal(attributeText({ type: 'date' }, '1999-04-12', 'en'), '12 Apr 1999');
  assert.equal(attributeText({ type: 'integer' }, 180, 'en'), '180');
});

test('a card is told by its first text that is neither a name nor a number of somebody', () => {
  const value = (key: string, text: string) => ({ key, text, type: 'text' as const });
  const address = [value('name', 'Oren Example'), value('street', 'Main 1'), value('city', 'Exampletown')];
  assert.equal(tellingOf(address), 'Exampletown');
  assert.equal(holderOf(address), 'Oren Example');
  assert.equal(tellingOf(address.slice(0, 2)), 'Main 1');
  assert.equal(tellingOf([]), undefined);
});
