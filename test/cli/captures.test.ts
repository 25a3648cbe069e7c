/**
 * The pictures of docs/captures show what the commands print: the same commands are run again, and their words are
 * compared with those of the pictures, numbers and ids left aside.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';

interface Capture {
  readonly name: string;
  readonly says: string;
  readonly lines: readonly string[];
}

const root = path.resolve(import.meta.dirname, '../..');
const scriptOf = <Module>(name: string): Promise<Module> =>
  import(pathToFileURL(path.join(root, 'scripts/lib', name)).href) as Promise<Module>;
const { takeCaptures, capturesFolder } = await scriptOf<{
  takeCaptures: () => Promise<readonly Capture[]>;
  capturesFolder: string;
}>('captures.mjs');
const { pictureOf, wordsOf } = await scriptOf<{
  pictureOf: (lines: readonly string[], title: string) => string;
  wordsOf: (picture: string) => readonly string[];
}>('terminal-picture.mjs');
const { createSteadier } = await scriptOf<{
  createSteadier: (facts: {
    steady: readonly string[];
    accounts: readonly string[];
    places: Readonly<Record<string, string>>;
  }) => (text: string) => string;
}>('steady-text.mjs');

/** What stays of a line when whatever differs from run to run is left aside. */
const blurred = (line: string): string =>
  line
    .replaceAll(/[0-9a-f]{4,}/g, '#')
    .replaceAll(/\d+/g, '#')
    .replaceAll(/ {2,}/g, '  ');

describe('captures of commands', () => {
  test('show what commands print', { timeout: 240_000 }, async () => {
    const taken = await takeCaptures();
    assert.equal(taken.length, 10);
    const page = readFileSync(path.join(root, 'docs/captures.md'), 'utf8');
    const files = readdirSync(capturesFolder).sort();
    assert.deepEqual(files, taken.map(({ name }) => `${name}.svg`).sort());
    for (const { name, says, lines } of taken) {
      assert.ok(page.includes(`](captures/${name}.svg)`) && page.includes(says), name);
      const shown = readFileSync(path.join(capturesFolder, `${name}.svg`), 'utf8');
      // Rows of a table that were made in the same second may change places.
      const [now, words] = [pictureOf(lines, name), shown].map((one) => wordsOf(one).map(blurred).sort());
      assert.deepEqual(now, words, `${name}: npm run captures makes the pictures anew`);
    }
  });

  test('are 80 columns wide: a line that is longer goes on in the next', () => {
    const picture = pictureOf([`${'a'.repeat(79)}\u001b[32mbc\u001b[39m<d`], 'x');
    assert.deepEqual(wordsOf(picture), [`${'a'.repeat(79)} b`, 'c <d']);
    assert.match(picture, /fill="#7ec77e"/);
  });

  test('have the same id for the same id, whole and shortened, and another for another', () => {
    const known = 'ab'.repeat(32);
    const steadied = createSteadier({ steady: [known], accounts: [], places: { '4711': '8080' } });
    const [id, other] = ['12'.repeat(31).concat('ff'), '34'.repeat(31).concat('ee')];
    const text = steadied(`${known} ${id} 121212…1212ff ${other} 3434…34ee http://127.0.0.1:4711/`);
    const [first, whole = '', short = '', second = '', shortOther = '', url] = text.split(' ');
    assert.equal(first, known);
    assert.notEqual(whole, id);
    assert.equal(short, `${whole.slice(0, 6)}…${whole.slice(-6)}`);
    assert.notEqual(whole, second);
    assert.equal(shortOther, `${second.slice(0, 4)}…${second.slice(-4)}`);
    assert.equal(url, 'http://127.0.0.1:8080/');
    assert.equal(steadied('at 2031-02-03T04:05:06Z, 2.7 s'), 'at 2026-01-15T10:00:00Z, 0.4 s');
  });
});
