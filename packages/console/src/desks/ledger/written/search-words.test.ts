import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneOf } from './search-words.ts';

test('what the address says is one of those that are known, or the first', () => {
  const names = ['72', '200'] as const;
  assert.equal(oneOf('200', [...names]), '200');
  assert.equal(oneOf(200, [...names]), '200');
  for (const unknown of [undefined, '', 7, {}, ['200'], null]) assert.equal(oneOf(unknown, [...names]), '72');
});
