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
const note = {
  ...day,
  key: 'note',
  type: attributeTypeCodes.text,
  format: 'string',
  mandatory: false,
} as const;

const grade = {
  ...day,
  key: 'grade',
  type: attributeTypeCodes.decimal,
  format: 'decimal(2)',
} as const;

test('a decimal is read as people of the language write it, and sent in normal form', () => {
  assert.deepEqual(readField(grade, '1,30', 'de'), { value: '1.3' });
  assert.deepEqual(readField(grade, '1,3', 'en'), { value: '1.3' });
  assert.deepEqual(readForm([grade], { grade: '1.3' }, 'de'), { grade: '1.3' });
  for (const typed of ['1.500', '1,2,3', '1,234', '1,3 or so'])
    assert.equal(readForm([grade], { grade: typed }, typed === '1.500' ? 'de' : 'en'), undefined, typed);
});

test('a day is read as people write it, and sent in normal form', () => {
  for (const typed of ['3 Mar 2000', '3.3.2000', '3. März 2000', ' 2000-03-03 '])
    assert.deepEqual(readField(day, typed, 'en'), { value: '2000-03-03' }, typed);
  assert.deepEqual(readForm([day, note], { bornOn: '31.12.2001' }, 'de'), { bornOn: '2001-12-31' });
});

test('what is no day, or could be two, is not guessed', () => {
  for (const typed of ['31.2.2000', '3/4/2000', 'yesterday'])
    assert.equal(readForm([day], { bornOn: typed }, 'en'), undefined, typed);
});

test('why nothing can be meant is said', () => {
  assert.deepEqual(readField(day, '31.02.2020', 'en'), { complaint: 'noSuchDay', why: 'noSuchDay' });
  assert.deepEqual(readField(grade, '1,300', 'en'), { complaint: 'comma', why: 'comma' });
  assert.deepEqual(readField(grade, '1.300', 'de'), { complaint: 'point', why: 'point' });
});

test('what is needed and empty is missing, not wrong', () => {
  assert.deepEqual(readField(day, '  ', 'en'), { complaint: '' });
  assert.deepEqual(readField(note, '', 'en'), {});
});
