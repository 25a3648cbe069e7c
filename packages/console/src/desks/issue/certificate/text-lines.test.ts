import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LineRules, textLines } from './text-lines.ts';

/** Every character is one wide; Latin in one font, Greek in another, nothing else. */
const rules: LineRules = {
  width: 10,
  fontOf: (character) =>
    /[\p{Script=Latin}\p{Nd}\p{P}]/u.test(character)
      ? 'latin'
      : /\p{Script=Greek}/u.test(character)
        ? 'greek'
        : undefined,
  widthOf: (text) => [...text].length,
};

const shown = (text: string) => textLines(text, rules)?.map((line) => line.map((run) => run.text).join(''));

test('words stay whole, lines are not too wide, paragraphs are kept', () => {
  assert.deepEqual(shown('one two three four'), ['one two', 'three four']);
  assert.deepEqual(shown('a\nb'), ['a', 'b']);
  assert.deepEqual(shown('0123456789abcdef'), ['0123456789', 'abcdef']);
  assert.deepEqual(shown(''), ['']);
});

test('each piece has the font that has it', () => {
  const [line] = textLines('ab Ωψ', rules) ?? [];
  assert.deepEqual(
    line?.map(({ font, text }) => [font, text.trim()]).filter(([, text]) => text !== ''),
    [
      ['latin', 'ab'],
      ['greek', 'Ωψ'],
    ],
  );
});

test('what no font has, and what is written from the right, is left to another hand', () => {
  assert.equal(textLines('漢字', rules), undefined);
  assert.equal(textLines('שלום', { ...rules, fontOf: () => 'latin' }), undefined);
});
