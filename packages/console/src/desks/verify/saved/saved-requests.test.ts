import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDraft } from '../request/request-draft.ts';
import {
  forgetRequest,
  importSaved,
  readSaved,
  type SavedRequest,
  savedFileText,
  savedLimits,
  saveRequest,
  type TextStore,
} from './saved-requests.ts';

const did = 'did:zid:aa';
function memory(): TextStore & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
  };
}
const request = (name: string): SavedRequest => ({ id: `id-${name}`, name, savedAt: 1, draft: emptyDraft });

test('are kept under who saved them, newest first, each name once', () => {
  const store = memory();
  saveRequest(store, did, request('Age'));
  saveRequest(store, did, request('Degree'));
  saveRequest(store, did, { ...request('Age'), savedAt: 2 });
  assert.deepEqual(
    readSaved(store, did).map(({ name, savedAt }) => [name, savedAt]),
    [
      ['Age', 2],
      ['Degree', 1],
    ],
  );
  assert.deepEqual(readSaved(store, 'did:zid:bb'), []);
  assert.deepEqual(
    forgetRequest(store, did, 'id-Age').map(({ name }) => name),
    ['Degree'],
  );
});

test('go to another browser as a file, and nothing else comes in', () => {
  const [from, to] = [memory(), memory()];
  saveRequest(from, did, request('Age'));
  saveRequest(to, did, request('Degree'));
  const file = savedFileText(readSaved(from, did));
  assert.deepEqual(
    importSaved(to, did, file)?.map(({ name }) => name),
    ['Age', 'Degree'],
  );
  const strange = { form: 'symbolon-saved-requests-1', requests: [{ ...request('x'), draft: { trust: 7 } }] };
  for (const bad of ['', '[]', '{}', JSON.stringify(strange), ' '.repeat(savedLimits.fileBytesMax + 1)])
    assert.equal(importSaved(to, did, bad), undefined);
  assert.equal(readSaved(to, did).length, 2);
});

test('are bounded, and what somebody spoilt counts as nothing', () => {
  const store = memory();
  for (let at = 0; at < savedLimits.requestsMax; at += 1) saveRequest(store, did, request(`r${at}`));
  assert.equal(saveRequest(store, did, request('one more')), undefined);
  assert.ok(saveRequest(store, did, request('r3')));
  for (const [place] of store.texts) store.texts.set(place, '{"a":');
  assert.deepEqual(readSaved(store, did), []);
});
