import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unreadFilters } from '../../text/unread-filters.ts';
import { auditRules, isListed, readAuditSearch, readRequestSearch, requestRules } from './searches.ts';

test('filters of the URL: what is known is taken, everything else falls back', () => {
  assert.deepEqual(readRequestSearch({ key: 'abcd2345', outcome: 'refused' }), {
    key: 'abcd2345',
    outcome: 'refused',
    own: false,
  });
  assert.deepEqual(readRequestSearch({ key: '../etc', outcome: 7, own: true }), {
    key: undefined,
    outcome: 'all',
    own: true,
  });
  assert.deepEqual(readAuditSearch({ action: 'apiKey.create', subject: 'did:zid:00' }), {
    action: 'apiKey.create',
    subject: 'did:zid:00',
  });
  assert.deepEqual(readAuditSearch({ action: 'credential.isue', subject: '' }), {
    action: undefined,
    subject: undefined,
  });
});

test('what nobody knows is told, with the name that was probably meant', () => {
  assert.deepEqual(unreadFilters({ action: 'credential.isue' }, auditRules), [
    { name: 'action', value: 'credential.isue', meant: 'credential.issue' },
  ]);
  assert.deepEqual(
    unreadFilters({ key: '../etc', outcome: 7, own: true }, requestRules).map(({ name }) => name),
    ['key', 'outcome'],
  );
});

test('what the console asks by itself is listed when somebody wants it, or when it was refused', () => {
  const seen = { operation: 'getSignedIn', status: 200 };
  assert.equal(isListed(seen, { outcome: 'all', own: false }), false);
  assert.equal(isListed(seen, { outcome: 'all', own: true }), true);
  assert.equal(isListed({ ...seen, operation: 'countIssuerRecords' }, { outcome: 'all', own: false }), false);
  assert.equal(isListed({ ...seen, status: 401 }, { outcome: 'all', own: false }), true);
  assert.equal(isListed({ operation: 'makeOffer', status: 200 }, { outcome: 'all', own: false }), true);
  assert.equal(isListed({ operation: 'makeOffer', status: 200 }, { outcome: 'refused', own: true }), false);
});
