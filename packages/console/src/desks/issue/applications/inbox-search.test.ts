import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboxQuestion, readInboxSearch, writeInboxSearch } from './inbox-search.ts';

const did = `did:zid:${'ab'.repeat(32)}`;

test('what the address says is read back as it was written', () => {
  const search = { status: 'Rejected', order: 'oldest', template: did, holder: undefined } as const;
  assert.deepEqual(readInboxSearch(writeInboxSearch(search)), search);
  assert.deepEqual(inboxQuestion(search), { status: 'Rejected', order: 'oldest', templateId: did });
});

test('what is unknown falls back to what is usual, which the address does not have', () => {
  const usual = readInboxSearch({ status: 'Nonsense', order: 3, template: '../x', holder: ['a'] });
  assert.deepEqual(usual, { status: 'Pending', order: 'newest', template: undefined, holder: undefined });
  assert.deepEqual(writeInboxSearch(usual), {});
});
