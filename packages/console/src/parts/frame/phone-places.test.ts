import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phonePlaces } from './phone-places.ts';

const [plain, number, hidden, below] = [
  {},
  { isNumber: true },
  { isHiddenOnPhone: true },
  { isBelowOnPhone: true },
];

test('a status ends the line of its subject, whatever is left out between them', () => {
  assert.deepEqual(phonePlaces([plain, hidden, plain, hidden]), ['start', 'hidden', 'end', 'hidden']);
  assert.deepEqual(phonePlaces([plain, plain, plain, number]), ['start', 'end', 'start', 'end']);
  assert.deepEqual(phonePlaces([plain, plain, hidden, number]), ['start', 'end', 'hidden', 'end']);
  assert.deepEqual(phonePlaces([plain, hidden, below, number]), ['start', 'hidden', 'below', 'end']);
});
