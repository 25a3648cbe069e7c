import assert from 'node:assert/strict';
import { test } from 'node:test';
import { credentialLimits } from '../limits/documents.ts';
import { tellingLabel } from './telling-label.ts';

const attributes = [
  { key: 'photo', type: 'image' },
  { key: 'born', type: 'date' },
  { key: 'name', type: 'text' },
  { key: 'city', type: 'text' },
] as const;

test('the first text tells, else the first value that is no image', () => {
  assert.equal(tellingLabel(attributes, { photo: 'x', born: '1999-04-12', city: 'B', name: 'A' }), 'A');
  assert.equal(tellingLabel(attributes, { photo: 'x', born: '1999-04-12', name: ' \u200b ' }), '1999-04-12');
  assert.equal(tellingLabel(attributes, { photo: 'x' }), undefined);
  assert.equal(tellingLabel(attributes, {}), undefined);
  assert.equal(tellingLabel([{ key: 'isMember', type: 'boolean' }], { isMember: false }), 'false');
});

test('a label is one line that nobody obeys, and short', () => {
  assert.equal(tellingLabel(attributes, { name: 'A\n\u202eB\u001b[31m' }), 'A B [31m');
  const long = tellingLabel(attributes, { name: '😀'.repeat(500) }) ?? '';
  assert.equal([...long].length, credentialLimits.tellingLabelCharsMax);
  assert.ok(long.endsWith('😀…'));
});
