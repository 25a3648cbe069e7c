import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  jsonOfValues,
  orderedValues,
  type ToldAttribute,
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
  const rows = valueRows(format, applied, { ...applied, birthDate: '3 March', credits: '' });
  assert.deepEqual(
    rows.map(({ isChanged, misfit }) => [isChanged, misfit?.why]),
    [
      [false, undefined],
      [true, 'kind'],
      [true, undefined],
    ],
  );
  assert.deepEqual(orderedValues(rows), { name: 'Lena Example', birthDate: '3 March' });
  assert.equal(valueRows(format, applied, { name: '' })[0]?.misfit?.why, 'missing');
});

test('a day is typed as people write it, and signed as documents have it', () => {
  const applied = typedOf({ name: 'Lena Example', birthDate: '2000-03-03' });
  const [, same] = valueRows(format, applied, { ...applied, birthDate: '3 Mar 2000' });
  assert.deepEqual([same?.signed, same?.isChanged, same?.misfit], ['2000-03-03', false, undefined]);
  const rows = valueRows(format, applied, { ...applied, birthDate: '31.12.2001' });
  assert.equal(rows[1]?.isChanged, true);
  assert.equal(orderedValues(rows).birthDate, '2001-12-31');
});

test('values survive the way through JSON, and nothing else is taken for values', () => {
  const applied = typedOf({ name: 'O\'Brien "x"', birthDate: '2000-03-03', credits: 12 });
  assert.deepEqual(valuesOfJson(jsonOfValues(valueRows(format, applied, applied))), applied);
  for (const text of ['', '[]', 'null', '{"a":{}}', '{"a":null}', '{'])
    assert.equal(valuesOfJson(text), undefined, text);
});

test('as JSON a value shows what cannot be seen in it, and is the same value', () => {
  const typed = { name: 'Mira\u202e elpmaxE\nB' };
  const text = jsonOfValues(valueRows(format, typed, typed));
  assert.match(text, /"Mira\\u202e elpmaxE\\nB"/);
  assert.deepEqual(valuesOfJson(text), typed);
});
