import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  jsonOfValues,
  orderedValues,
  type ToldAttribute,
  typedByReader,
  typedOf,
  valueRows,
  valuesOfJson,
} from './value-rows.ts';

const format: readonly ToldAttribute[] = [
  { key: 'name', attribute: 'Name', format: 'string', mandatory: true, type: 1 },
  { key: 'birthDate', attribute: 'Date of birth', format: 'date', mandatory: true, type: 5 },
  { key: 'credits', attribute: 'Credits', format: 'integer', mandatory: false, type: 3 },
];

test('rows say what was applied with, what was changed and what does not fit', () => {
  const applied = typedOf({ name: 'Lena Example', birthDate: '2000-03-03', credits: 12 });
  const rows = valueRows(format, applied, { ...applied, birthDate: '3 March', credits: '' }, 'en');
  assert.deepEqual(
    rows.map(({ isChanged, misfit }) => [isChanged, misfit?.why]),
    [
      [false, undefined],
      [true, 'kind'],
      [true, undefined],
    ],
  );
  assert.deepEqual(orderedValues(rows), { name: 'Lena Example', birthDate: '3 March' });
  assert.equal(valueRows(format, applied, { name: '' }, 'en')[0]?.misfit?.why, 'missing');
});

test('a day is typed as people write it, and signed as documents have it', () => {
  const applied = typedOf({ name: 'Lena Example', birthDate: '2000-03-03' });
  const [, same] = valueRows(format, applied, { ...applied, birthDate: '3 Mar 2000' }, 'en');
  assert.deepEqual([same?.signed, same?.isChanged, same?.misfit], ['2000-03-03', false, undefined]);
  const rows = valueRows(format, applied, { ...applied, birthDate: '31.12.2001' }, 'en');
  assert.equal(rows[1]?.isChanged, true);
  assert.equal(orderedValues(rows).birthDate, '2001-12-31');
});

test('values survive the way through JSON, and nothing else is taken for values', () => {
  const applied = typedOf({ name: 'O\'Brien "x"', birthDate: '2000-03-03', credits: 12 });
  assert.deepEqual(valuesOfJson(jsonOfValues(valueRows(format, applied, applied, 'en'))), applied);
  for (const text of ['', '[]', 'null', '{"a":{}}', '{"a":null}', '{'])
    assert.equal(valuesOfJson(text), undefined, text);
});

test('as JSON a value shows what cannot be seen in it, and is the same value', () => {
  const typed = { name: 'Mira\u202e elpmaxE\nB' };
  const text = jsonOfValues(valueRows(format, typed, typed, 'en'));
  assert.match(text, /"Mira\\u202e elpmaxE\\nB"/);
  assert.deepEqual(valuesOfJson(text), typed);
});

test('decimals stand as the reader types them, and are signed as they are kept', () => {
  const grade: readonly ToldAttribute[] = [
    { key: 'grade', attribute: 'Grade', format: 'decimal(3)', mandatory: true, type: 4 },
  ];
  const applied = { grade: '1.125' };
  const typed = typedByReader(grade, applied, { language: 'de' });
  assert.deepEqual(typed, { grade: '1,125' });
  const [row] = valueRows(grade, applied, typed, 'de');
  assert.deepEqual([row?.signed, row?.isChanged, row?.misfit], ['1.125', false, undefined]);
  const doubtful = { grade: '2.250' };
  const refused = valueRows(grade, applied, doubtful, 'de');
  assert.equal(refused[0]?.misfit?.why, 'point');
  const seen = valuesOfJson(jsonOfValues(refused)) ?? {};
  assert.deepEqual(
    typedByReader(grade, seen, { language: 'de', typed: doubtful }),
    doubtful,
    'still refused',
  );
  assert.deepEqual(typedByReader(grade, { grade: '2.5' }, { language: 'de', typed: doubtful }), {
    grade: '2,5',
  });
});
