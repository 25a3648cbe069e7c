import assert from 'node:assert/strict';
import { test } from 'node:test';
import { credentialLimits } from '../limits/documents.ts';
import { tellingLabel } from './telling-label.ts';

const attributes = [
  { key: 'photo', type: 'image' },
  { key: 'born', type: 'date' },
  { key: 'department', type: 'text' },
  { key: 'name', type: 'text' },
  { key: 'firstName', type: 'text' },
] as const;

test('a name tells whose it is, and nothing else is taken for one', () => {
  assert.equal(tellingLabel(attributes, { photo: 'x', department: 'B', name: 'A' }), 'A');
  assert.equal(tellingLabel(attributes, { department: 'B', name: ' \u200b ', firstName: 'C' }), 'C');
  assert.equal(tellingLabel(attributes, { born: '1999-04-12', department: 'Physics' }), undefined);
  assert.equal(tellingLabel(attributes, {}), undefined);
  assert.equal(tellingLabel([{ key: 'name', type: 'integer' }], { name: 7 }), undefined);
});

test('a label is one line that nobody obeys, and short', () => {
  assert.equal(tellingLabel(attributes, { name: 'A\n\u202eB\u001b[31m' }), 'A B [31m');
  const long = tellingLabel(attributes, { name: '😀'.repeat(500) }) ?? '';
  assert.equal([...long].length, credentialLimits.tellingLabelCharsMax);
  assert.ok(long.endsWith('😀…'));
});
