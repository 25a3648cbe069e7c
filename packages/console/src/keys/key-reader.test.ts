import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyReader } from './key-reader.ts';

const press = (key: string, held: { readonly ctrlKey?: boolean; readonly altKey?: boolean } = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});
const bindings = ['mod+k', 'g a', 'g i', 'j', '?', 'Enter'];

test('single keys, held keys and keys one after the other', () => {
  const read = createKeyReader(() => 0);
  assert.equal(read(press('j'), bindings, false), 'j');
  assert.equal(read(press('J'), bindings, false), 'j');
  assert.equal(read(press('Enter'), bindings, false), 'Enter');
  assert.equal(read(press('k', { ctrlKey: true }), bindings, false), 'mod+k');
  assert.equal(read(press('g'), bindings, false), undefined);
  assert.equal(read(press('i'), bindings, false), 'g i');
  assert.equal(read(press('i'), bindings, false), undefined);
});

test('whoever types is left alone, but for held keys', () => {
  const read = createKeyReader(() => 0);
  assert.equal(read(press('j'), bindings, true), undefined);
  assert.equal(read(press('k', { ctrlKey: true }), bindings, true), 'mod+k');
  assert.equal(read(press('j', { altKey: true }), bindings, false), undefined);
});

test('the second key of a pair comes soon or not at all', () => {
  let now = 0;
  const read = createKeyReader(() => now);
  read(press('g'), bindings, false);
  now = 5_000;
  assert.equal(read(press('a'), bindings, false), undefined);
});
