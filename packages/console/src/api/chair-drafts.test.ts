import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chairDrafts } from './chair-drafts.ts';
import { createQueryClient } from './query-client.ts';

test('what was typed is there again until it is sent or the chair is left, and not after a while', () => {
  const queries = createQueryClient();
  const drafts = chairDrafts<string>(queries, 'offer');
  drafts.keep('degree', 'Mira');
  drafts.keep('transcript', '180');
  assert.equal(drafts.read('degree'), 'Mira');
  assert.equal(chairDrafts(queries, 'other').read('degree'), undefined);
  const [query] = queries.getQueryCache().getAll();
  assert.equal(query?.gcTime, Number.POSITIVE_INFINITY, 'nobody looks at it meanwhile');
  drafts.forget('degree');
  assert.equal(drafts.read('degree'), undefined);
  assert.equal(drafts.read('transcript'), '180');
  // As whoever leaves a chair forgets what was read in it.
  for (const one of queries.getQueryCache().getAll()) one.reset();
  assert.equal(drafts.read('transcript'), undefined);
});
