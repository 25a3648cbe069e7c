import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropDraft, keepDraft, keptDraft } from './kept-draft.ts';
import { blankTemplate, bodyOf } from './template-draft.ts';

const memory = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  };
};
const place = { issuer: 'did:zid:1', templateId: undefined };

test('a draft comes back as it was left, to whom it belongs and where it belongs', () => {
  const store = memory();
  const draft = { ...blankTemplate(), name: 'Library card', remark: 'x' };
  assert.equal(keepDraft(place, draft, store), true);
  const again = keptDraft(place, store);
  assert.ok(again);
  assert.deepEqual(bodyOf(again), bodyOf(draft));
  assert.equal(keptDraft({ ...place, issuer: 'did:zid:2' }, store), undefined);
  assert.equal(keptDraft({ ...place, templateId: 'did:zid:3' }, store), undefined);
  dropDraft(place, store);
  assert.equal(keptDraft(place, store), undefined);
});

test('a full browser is said, and what is no draft is none', () => {
  const full = {
    ...memory(),
    setItem: () => {
      throw new Error('full');
    },
  };
  assert.equal(keepDraft(place, blankTemplate(), full), false);
  assert.equal(keptDraft(place, { ...memory(), getItem: () => '{' }), undefined);
});
