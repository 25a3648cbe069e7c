import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOfName } from './names.ts';

const parties = new Map(
  Object.entries({ a1: 'Mira Example', a2: 'Oren', a3: 'Oren Example', a4: 'Twin', a5: 'Twin' }).map(
    ([address, name]) => [address, { name }],
  ),
);

test('a whole name stands for an address where it means one party alone', () => {
  assert.equal(addressOfName('mira example', parties), 'a1');
  assert.equal(addressOfName('Oren Example', parties), 'a3');
  for (const typed of ['', 'Mira', 'Oren', 'Twin', 'Nobody'])
    assert.equal(addressOfName(typed, parties), undefined);
});
