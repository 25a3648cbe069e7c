import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributeText, holderOf, tellingOf } from './card-values.ts';

test('values are written as people write them', () => {
  assert.equal(attributeText({ type: 'decimal' }, '1.70', 'en'), '1.7');
  assert.equal(attributeText({ type: 'decimal' }, '2.00', 'en'), '2');
  assert.equal(attributeText({ type: 'decimal' }, '100', 'en'), '100');
  assert.equal(attributeText({ type: 'decimal' }, '1.70', 'de'), '1,7');
  assert.equal(attributeText({ type: 'decimal' }, '1300.5', 'de'), '1300,5');
  assert.equal(attributeText({ type: 'text' }, '1.70', 'de'), '1.70', 'a text is nobody’s number');
  assert.equal(attributeText({ type: 'date' }, '1999-04-12', 'en'), '12 Apr 1999');
  assert.equal(attributeText({ type: 'integer' }, 180, 'en'), '180');
});

const value = (key: string, text: string) => ({ key, text, type: 'text' as const });

test('a card is told by its first text that is neither a name nor a number of somebody', () => {
  const address = [value('name', 'Oren Example'), value('street', 'Main 1'), value('city', 'Exampletown')];
  assert.equal(tellingOf(address), 'Exampletown');
  assert.equal(holderOf(address), 'Oren Example');
  assert.equal(tellingOf(address.slice(0, 2)), 'Main 1');
  assert.equal(tellingOf([]), undefined);
  const member = [value('matrikelnummer', 'EX-1'), value('student_id', 'EX-2'), value('course', 'Logic 2')];
  assert.equal(tellingOf(member), 'Logic 2');
});

test('a template tells of its cards what they will tell', () => {
  for (const [keys, told] of [
    [['name', 'studentNumber', 'degree', 'faculty'], 'degree'],
    [['name', 'street', 'city', 'country'], 'city'],
    [['fullName', 'period'], 'period'],
  ] as const)
    for (const textOf of [(key: string) => key, (key: string) => `7 of ${key}`, (key: string) => `of ${key}`])
      assert.equal(tellingOf(keys.map((key) => value(key, textOf(key)))), textOf(told));
});
