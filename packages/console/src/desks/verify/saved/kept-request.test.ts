import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDraft, type RequestDraft } from '../request/request-draft.ts';
import { dropRequest, keepRequest, keptRequest } from './kept-request.ts';

const memory = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  };
};
const place = { asker: 'did:zid:1', begun: '' };
const draft: RequestDraft = {
  ...emptyDraft,
  credentials: [
    {
      templateId: 'did:zid:2',
      claims: { born: { kind: 'age', min: '18', max: '' }, name: { kind: 'show' } },
    },
  ],
  purpose: 'To open an account',
  minutes: 60,
};

test('a request comes back as it was left, to whom it belongs and where it belongs', () => {
  const store = memory();
  assert.equal(keepRequest(place, draft, store), true);
  assert.deepEqual(keptRequest(place, store), draft);
  assert.equal(keptRequest({ ...place, asker: 'did:zid:3' }, store), undefined);
  assert.equal(keptRequest({ ...place, begun: 'pres_1' }, store), undefined);
  dropRequest(place, store);
  assert.equal(keptRequest(place, store), undefined);
});

test('a full browser is said, and what is no request is none', () => {
  const full = {
    ...memory(),
    setItem: () => {
      throw new Error('full');
    },
  };
  assert.equal(keepRequest(place, draft, full), false);
  assert.equal(keptRequest(place, { ...memory(), getItem: () => '{"minutes":1}' }), undefined);
});
