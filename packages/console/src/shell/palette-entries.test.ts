import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEntries, type PaletteEntry } from './palette-entries.ts';

const entry = (text: string, group: PaletteEntry['group'] = 'places'): PaletteEntry => ({
  id: text,
  group,
  text,
  icon: 'home',
  act: () => undefined,
});
const entries = [
  entry('Home'),
  entry('Anträge'),
  entry('Mira Example', 'people'),
  entry('Act as Mira', 'acts'),
];
const found = (typed: string) => findEntries(entries, typed).map((one) => one.entry.text);

test('letters find words, starts of words first, marks left off', () => {
  assert.deepEqual(found('mira'), ['Mira Example', 'Act as Mira']);
  assert.deepEqual(found('ANTRA'), ['Anträge']);
  assert.deepEqual(found('zzz'), []);
  assert.equal(found('').length, entries.length);
});

test('what matched is known', () => {
  const [first] = findEntries(entries, 'exam');
  assert.deepEqual(first?.match, [5, 9]);
});
