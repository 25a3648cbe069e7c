import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortDid } from '../text/short-ids.ts';
import { toldNames } from './told-names.ts';

const did = `did:zid:${'a6'.repeat(32)}`;
const other = `did:zid:${'b7'.repeat(32)}`;

test('nobody is called by an identifier while the name is on its way', () => {
  assert.equal(toldNames([], true).textOf(did), '…');
  assert.equal(toldNames([], false).textOf(did), shortDid(did).id);
  const names = toldNames([{ did, name: 'Example Bank', word: 'operator' }], false);
  assert.equal(names.textOf(did), 'Example Bank');
  assert.equal(names.textOf(other), shortDid(other).id);
  assert.deepEqual(names.get(did), { name: 'Example Bank', word: 'operator' });
});

test('a name that looks like another’s is none', () => {
  const names = toldNames([{ did, name: 'Examp1e Bank', word: 'itself', looksLikeAnothers: true }], false);
  assert.equal(names.get(did), undefined);
  assert.equal(names.textOf(did), shortDid(did).id);
});
