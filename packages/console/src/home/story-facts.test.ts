import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockCounts, type StoryRecord, storyFacts } from './story-facts.ts';

const registries = { templateId: 'degree', templateRegistry: 'T', credentialRegistry: 'C' };
const record = (
  block: number,
  to: string,
  method: string,
  params: object,
  hasFailed = false,
): StoryRecord => ({
  block,
  to,
  hasFailed,
  input: JSON.stringify({ method, params }),
});

test('counts what was done, and tells each block of it once, the first one first', () => {
  const facts = storyFacts(
    [
      record(9, 'C', 'revoke', { credentials: ['a'] }),
      record(8, 'C', 'issue', { entries: [{}] }),
      record(8, 'C', 'issue', { entries: [{}] }),
      record(7, 'C', 'issue', { entries: [{}] }),
      record(4, 'T', 'addTemplate', { templateId: 'another' }),
      record(3, 'T', 'addTemplate', { templateId: 'degree' }),
    ],
    registries,
  );
  assert.deepEqual(facts, {
    registered: { count: 1, blocks: [3] },
    issued: { count: 3, blocks: [7, 8] },
    revoked: { count: 1, blocks: [9] },
  });
});

test('what failed, was sent elsewhere or says nothing is no fact', () => {
  const facts = storyFacts(
    [
      record(9, 'C', 'revoke', { credentials: ['a'] }, true),
      record(8, 'X', 'issue', { entries: [{}] }),
      record(7, 'C', 'issue', { entries: 'many' }),
      { block: 6, to: 'C', hasFailed: false, input: 'not json' },
      { block: 5, to: undefined, hasFailed: false, input: undefined },
    ],
    registries,
  );
  assert.deepEqual(facts, { registered: undefined, issued: undefined, revoked: undefined });
});

test('blocks without transactions are bars of no height', () => {
  const at = (block: number): StoryRecord => ({ block, to: undefined, hasFailed: false, input: undefined });
  assert.deepEqual(blockCounts([at(9), at(9), at(7), at(2)], 10, 4), [1, 0, 2, 0]);
});
