import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { foreignBeginning, foreignLine, foreignPieces, hidesSomething } from './foreign-text.ts';

describe('texts of strangers', () => {
  test('show by name what turns their direction, joins, fills or controls', () => {
    assert.deepEqual(foreignPieces('Mira\u202e elpmaxE'), [
      { kind: 'text', text: 'Mira' },
      { kind: 'mark', code: 'U+202E', count: 1, isTurning: true },
      { kind: 'text', text: ' elpmaxE' },
    ]);
    const lines: Readonly<Record<string, string>> = {
      'B\u200bSc': 'B[U+200B]Sc',
      'B\u00adSc': 'B[U+00AD]Sc',
      '\u2066a\u2069': '[U+2066]a[U+2069]',
      'a\u0000b\u001b': 'a[U+0000]b[U+001B]',
      '\ufeff\u3164\u2800x': '[U+FEFF][U+3164][U+2800]x',
      '\u{e0041}\ue000\ud800': '[U+E0041][U+E000][U+D800]',
      'a\u2028b': 'a[U+2028]b',
      'a\tb': 'a[U+0009]b',
      'a\r\nb\nc': 'a ↵ b ↵ c',
    };
    for (const [text, line] of Object.entries(lines)) {
      assert.equal(foreignLine(text), line);
      assert.equal(hidesSomething(text), true, line);
    }
  });

  test('are as they are where everything of them is seen', () => {
    for (const text of ['', 'Mira Example', 'Žluťoučký 王小明 עברית', '👩🏽‍🎓 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ ❤️', 'a\u00a0b']) {
      assert.equal(foreignLine(text), text);
      assert.equal(hidesSomething(text), false);
    }
  });

  test('keep their lines where there is room for them, as on paper', () => {
    assert.equal(foreignLine('a\u202eb\r\nc', '\n'), 'a[U+202E]b\nc');
  });

  test('are not made long by what is repeated', () => {
    assert.equal(foreignLine(`a${'\u200b'.repeat(8_000)}b`), 'a[U+200B × 8000]b');
  });

  test('begin with whole characters where they are long', () => {
    assert.equal(foreignBeginning('abc', 3), undefined);
    assert.equal(foreignBeginning('abcd', 3), 'abc');
    assert.equal(foreignBeginning('ab🎓d', 3), 'ab');
  });
});
