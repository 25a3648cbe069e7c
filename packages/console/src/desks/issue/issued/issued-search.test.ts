import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issuedQuestion, readIssuedSearch, writeIssuedSearch } from './issued-search.ts';

const did = `did:zid:${'ab'.repeat(32)}`;

test('filters of the address become the question, and what is no filter is left out', () => {
  const search = readIssuedSearch({
    status: 'Revoked',
    template: did,
    from: '2026-01-02',
    before: 'soon',
    holder: 7,
  });
  assert.deepEqual(issuedQuestion(search), { status: 'Revoked', templateId: did, from: '2026-01-02' });
  assert.deepEqual(writeIssuedSearch(search), { status: 'Revoked', template: did, from: '2026-01-02' });
  assert.deepEqual(issuedQuestion(readIssuedSearch({ status: 'Missing' })), {});
});
