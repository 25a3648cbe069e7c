import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTyped } from './typed-values.ts';

const attribute = (key: string, format: string, mandatory = true) => ({
  attribute: key,
  key,
  format,
  mandatory,
});
const attributes = [
  attribute('name', 'string'),
  attribute('born', 'date'),
  attribute('credits', 'integer', false),
  attribute('grade', 'decimal', false),
];

test('what is typed becomes the values that are signed', () => {
  const { values, wrong } = readTyped(
    attributes,
    {
      name: ' Mira ',
      born: '2001-02-03',
      credits: '180',
      grade: '1.7',
    },
    'en',
  );
  assert.equal(wrong.size, 0);
  assert.deepEqual(
    values.map(({ key }) => key),
    ['name', 'born', 'credits', 'grade'],
  );
  assert.equal(values[0]?.value, 'Mira');
});

test('days are typed as people write them', () => {
  for (const born of ['31.12.2001', '31 Dec 2001'])
    assert.equal(readTyped(attributes, { name: 'Mira', born }, 'en').values[1]?.value, '2001-12-31');
});

test('what is missing or does not fit is told by key, and what is left out is left out', () => {
  const { values, wrong } = readTyped(attributes, { born: '12/31/2001', credits: '' }, 'en');
  assert.deepEqual(values, []);
  assert.equal(wrong.get('name')?.why, 'missing');
  assert.equal(wrong.get('born')?.why, 'kind');
  assert.equal(wrong.has('credits'), false);
});

test('decimals are read as people of the language write them', () => {
  const thousandths = [attribute('grade', 'decimal(3)')];
  const gradeOf = (grade: string, language: 'en' | 'de') => {
    const { values, wrong } = readTyped(thousandths, { grade }, language);
    return values[0]?.value ?? wrong.get('grade')?.why;
  };
  assert.deepEqual([gradeOf('1,125', 'de'), gradeOf('1.125', 'de')], ['1.125', 'point']);
  assert.deepEqual([gradeOf('1.125', 'en'), gradeOf('1,125', 'en')], ['1.125', 'comma']);
});
