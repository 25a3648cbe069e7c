import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { foreignBeginning, foreignLine, foreignPieces, hidesSomething } from './foreign-text.ts';

describe('texts of strangers', () => {
  test('show by name what turns their direction, joins, fills or controls', () => {
    assert.deepEqual(foreignPieces('Mira\u202e elpmaxE'), [
      { kind: 'text', text: 'Mira' },
      { kind: 'mark', code: 'U+202E', count: 1, sort: 'turning' },
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
    const texts = [
      '',
      'Mira Example',
      'Žluťoučký 王小明 עברית',
      '👩🏽‍🎓 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ a12️⃣ ❤️',
      'a\u00a0b',
      'Müller-Groß, Rene\u0301, B2B, 2026-11-17',
      'Ελένη Παπαδοπούλου',
      'Мира Пример 12',
      '東京大学ABCセンター第1 Tシャツ LG전자',
      'ผมใช้iPhone',
      'محمد بن سلمان',
      'דוד Mira 12',
      'हिन्दी नाम 5',
      '25 °C, 5 \u00b5m, x² ≠ y',
    ];
    for (const text of texts) {
      assert.equal(foreignLine(text), text);
      assert.equal(hidesSomething(text), false);
    }
  });

  test('show by name what is drawn over other characters, or stands for something else', () => {
    const lines: Readonly<Record<string, string>> = {
      'BSc\u0336': 'BSc[U+0336]',
      '1\u20d2 2\u20dd': '1[U+20D2] 2[U+20DD]',
      'a\ufffcb\ufffd': 'a[U+FFFC]b[U+FFFD]',
    };
    for (const [text, line] of Object.entries(lines)) assert.equal(foreignLine(text), line);
    const sorts = foreignPieces('a\u0336\ufffc\u200b').flatMap((piece) =>
      piece.kind === 'mark' ? [piece.sort] : [],
    );
    assert.deepEqual(sorts, ['overlaid', 'standIn', 'unseen']);
  });

  test('tell a word of several alphabets from the one that it looks like', () => {
    assert.deepEqual(foreignPieces('M\u0456ra Example'), [
      { kind: 'doubt', text: 'M\u0456ra', alphabets: ['Latn', 'Cyrl'] },
      { kind: 'text', text: ' Example' },
    ]);
    const lines: Readonly<Record<string, string>> = {
      // Greek omicron, Armenian and Cherokee letters, Cyrillic behind a digit, an accent of its own.
      'Univ\u03bfrsity of X': 'Univ\u03bfrsity[Latn+Grek] of X',
      '\u0555ren': '\u0555ren[Latn+Armn]',
      '\u13a0egree': '\u13a0egree[Latn+Cher]',
      'B2\u0412': 'B2\u0412[Latn+Cyrl]',
      'Re\u0301n\u0435': 'Re\u0301n\u0435[Latn+Cyrl]',
    };
    for (const [text, line] of Object.entries(lines)) {
      assert.equal(foreignLine(text), line);
      assert.equal(hidesSomething(text), true, line);
    }
  });

  test('tell digits that letters written from the right would put elsewhere', () => {
    const lines: Readonly<Record<string, string>> = {
      '1234 \u05d0 5678': '1234[RTL] \u05d0 5678[RTL]',
      'Mira 12 \u05d0 34': 'Mira 12 \u05d0 34[RTL]',
      '\u0627\u0644 10,000.00': '\u0627\u0644 10,000.00[RTL]',
      '\u05d01\u05d12': '\u05d01\u05d1[RTL]2[RTL]',
    };
    for (const [text, line] of Object.entries(lines)) assert.equal(foreignLine(text), line);
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
