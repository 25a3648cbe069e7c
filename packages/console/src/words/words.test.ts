import assert from 'node:assert/strict';
import { test } from 'node:test';
import { de } from './de.ts';
import { en } from './en.ts';

/** Every text of a catalogue with its place; a sentence with something in it is called with samples. */
function texts(section: unknown, place = ''): [place: string, text: string][] {
  if (typeof section === 'string') return [[place, section]];
  if (typeof section === 'function') {
    const samples = Array.from({ length: section.length }, () => 2);
    return [[place, (section as (...given: unknown[]) => string)(...samples)]];
  }
  return Object.entries(section as object).flatMap(([name, inner]) => texts(inner, `${place}/${name}`));
}

test('both catalogues say something everywhere, in the same places', () => {
  const [english, german] = [texts(en), texts(de)];
  assert.deepEqual(english.map(([place]) => place).sort(), german.map(([place]) => place).sort());
  for (const [place, text] of [...english, ...german]) assert.notEqual(text.trim(), '', place);
});

test('nothing is shouted, and nothing is called a success', () => {
  for (const [place, text] of [...texts(en), ...texts(de)])
    assert.doesNotMatch(text, /!|successfully|oops|erfolgreich|undefined|NaN/i, place);
});

test('counts follow the plural rules of their language', () => {
  assert.equal(en.parts.halvesSum(1, 2, 1), '1 shared, 2 proved, 1 stays hidden');
  assert.equal(en.parts.halvesSum(1, 2, 4), '1 shared, 2 proved, 4 stay hidden');
  assert.equal(de.parts.halvesSum(1, 2, 4), '1 gezeigt, 2 bewiesen, 4 bleiben verborgen');
  assert.equal(en.parts.rows(1_200), '1,200 rows');
  assert.equal(de.home.attributes(1), '1 Merkmal');
});
