import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributeTypeCodes } from '@symbolon/core/documents/model';
import { readField, readForm } from './typed-form.ts';

const day = {
  key: 'bornOn',
  attribute: 'Born on',
  type: attributeTypeCodes.date,
  format: 'date',
  mandatory: true,
} as const;
const grade = { ...day, key: 'grade', type: attributeTypeCodes.decimal, format: 'decimal(2)' } as const;
const note = {
  ...day,
  key: 'note',
  type: attributeTypeCodes.text,
  format: 'string',
  mandatory: false,
} as const;

test('a day is read as people write it, and sent in normal form', () => {
  for (const typed of ['3 Mar 2000', '3.3.2000', '3. März 2000', ' 2000-03-03 '])
    assert.deepEqual(readField(day, typed), { value: '2000-03-03' }, typed);
  assert.deepEqual(readForm([day, note], { bornOn: '31.12.2001' }), { bornOn: '2001-12-31' });
});

test('what is no day, or could be two, is not guessed', () => {
  for (const typed of ['31.2.2000', '3/4/2000', 'yesterday'])
    assert.equal(readForm([day], { bornOn: typed }), undefined, typed);
});

test('what is needed and empty is missing, not wrong', () => {
  assert.deepEqual(readField(day, '  '), { complaint: '' });
  assert.deepEqual(readField(note, ''), {});
});

test('a decimal has a comma or a point', () => {
  assert.deepEqual(readField(grade, '1,3'), { value: '1.3' });
  assert.deepEqual(readField(grade, '1.3'), { value: '1.3' });
});
