import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unreadFilters } from './unread-filters.ts';

const rules = { status: ['Active', 'Revoked'], day: (value: string) => /^\d{4}$/.test(value) };

test('what a list knows, or is not asked, is not told', () => {
  assert.deepEqual(unreadFilters({ status: 'Revoked', day: 2020, other: 'x' }, rules), []);
  assert.deepEqual(unreadFilters({ status: undefined }, rules), []);
});

test('what it does not know is told with the word that was probably meant', () => {
  assert.deepEqual(unreadFilters({ status: 'revokd', day: 'soon' }, rules), [
    { name: 'status', value: 'revokd', meant: 'Revoked' },
    { name: 'day', value: 'soon', meant: undefined },
  ]);
  assert.deepEqual(unreadFilters({ status: '' }, rules), [{ name: 'status', value: '', meant: undefined }]);
  const [strange] = unreadFilters({ status: `\u202e${'x'.repeat(99)}` }, rules);
  assert.match(strange?.value ?? '', /^\\u202ex{59}$/);
  const [quoting] = unreadFilters({ status: 'a” is shown. “b' }, rules);
  assert.equal(quoting?.value, 'a’ is shown. ’b');
});
