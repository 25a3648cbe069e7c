import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEntries, type PaletteEntry, withFound } from './palette-entries.ts';

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

test('a place is found by what one does there, behind what is called so', () => {
  const places = [
    { ...entry('Issued'), also: 'revoke suspend widerrufen' },
    entry('Revoked keys'),
    entry('Home'),
  ];
  const texts = (typed: string) => findEntries(places, typed).map((one) => one.entry.text);
  assert.deepEqual(texts('revo'), ['Revoked keys', 'Issued']);
  assert.deepEqual(texts('suspend'), ['Issued']);
  assert.deepEqual(texts('uspend'), [], 'words are found by how they begin');
  assert.deepEqual(findEntries(places, 'suspend')[0]?.match, [0, 0]);
});

test('what the palette has itself does not stand there twice', () => {
  const own = findEntries([entry('Degree', 'templates')], 'deg');
  assert.equal(withFound(own, [entry('Degree', 'templates'), entry('Other', 'templates')]).length, 2);
});

test('what matched is known', () => {
  const [first] = findEntries(entries, 'exam');
  assert.deepEqual(first?.match, [5, 9]);
});
