import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memberChanges } from './member-changes.ts';

test('moments of the ledger are times that people read; other numbers stay', () => {
  const changes = memberChanges(
    '{"changedAt":1794971106618000,"count":1794971106618000}',
    '{"changedAt":1794971206618000,"count":1}',
  );
  assert.deepEqual(changes, [
    { name: 'changedAt', before: '2026-11-18 03:05:06 UTC', after: '2026-11-18 03:06:46 UTC' },
    { name: 'count', before: '1794971106618000', after: '1' },
  ]);
});

test('of two objects the members that differ are told', () => {
  assert.deepEqual(
    memberChanges('{"status":"active","in":12,"same":[1]}', '{"status":"revoked","in":1158,"same":[1]}'),
    [
      { name: 'status', before: 'active', after: 'revoked' },
      { name: 'in', before: '12', after: '1158' },
    ],
  );
  assert.deepEqual(memberChanges(undefined, '{"a":1}'), [{ name: 'a', before: undefined, after: '1' }]);
});

test('of anything else the whole is told, and long texts are cut', () => {
  assert.deepEqual(memberChanges('5', '6'), [{ name: undefined, before: '5', after: '6' }]);
  assert.deepEqual(memberChanges('x', undefined), [{ name: undefined, before: 'x', after: undefined }]);
  const [change] = memberChanges(undefined, 'y'.repeat(1_000));
  assert.equal(change?.after?.length, 161);
});

test('a member called like something of every object is a member', () => {
  assert.deepEqual(memberChanges('{}', '{"constructor":1}'), [
    { name: 'constructor', before: undefined, after: '1' },
  ]);
});
