import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areTextsStorable, isStorable } from './storable-text.ts';

test('a text with a zero byte or half a character cannot be kept, wherever it stands', () => {
  for (const good of ['', 'a', 'ÿ€😀', '\u0001\u001f']) assert.ok(isStorable(good));
  for (const bad of ['\0', 'a\0b', '\ud800', 'a\udc00']) {
    assert.ok(!isStorable(bad));
    const values = [bad, [bad], { a: { b: [bad] } }, { [bad]: 1 }, new Map([['a', bad]]), new Set([bad])];
    for (const value of values) assert.ok(!areTextsStorable(value));
  }
  const fine = { a: [1, 2n, null, true, undefined, new Uint8Array(1)], b: new Map([['c', 'd']]) };
  assert.ok(areTextsStorable(fine));
});
