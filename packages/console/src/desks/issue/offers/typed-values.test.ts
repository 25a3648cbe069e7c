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
  const { values, wrong } = readTyped(attributes, {
    name: ' Mira ',
    born: '2001-02-03',
    credits: '180',
    grade: '1.7',
  });
  assert.equal(wrong.size, 0);
  assert.deepEqual(
    values.map(({ key }) => key),
    ['name', 'born', 'credits', 'grade'],
  );
  assert.equal(values[0]?.value, 'Mira');
});

test('days are typed as people write them', () => {
  for (const born of ['31.12.2001', '31 Dec 2001'])
    assert.equal(readTyped(attributes, { name: 'Mira', born }).values[1]?.value, '2001-12-31');
});

test('what is missing or does not fit is told by key, and what is left out is left out', () => {
  const { values, wrong } = readTyped(attributes, { born: '12/31/2001', credits: '' });
  assert.deepEqual(values, []);
  assert.equal(wrong.get('name')?.why, 'missing');
  assert.equal(wrong.get('born')?.why, 'kind');
  assert.equal(wrong.has('credits'), false);
});
