import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bounded, escapeUnsafe } from './plain-text.ts';

describe('texts of others', () => {
  it('show what a terminal would obey', () => {
    const cases: Readonly<Record<string, string>> = {
      '\u001b[2J': '\\u001b[2J',
      '\u009b31m': '\\u009b31m',
      'a\r\nb\tc\u0007': 'a\\u000d\\u000ab\\u0009c\\u0007',
      '\u202egnp.exe\u2069': '\\u202egnp.exe\\u2069',
      'a\u200b\u200d\ufeff\u00adb': 'a\\u200b\\u200d\\ufeff\\u00adb',
      'a\u2028b\u2029': 'a\\u2028b\\u2029',
      'a\u3164\u115f\ufe0f': 'a\\u3164\\u115f\\ufe0f',
      '\ud800': '\\ud800',
      '\ue000\u{f0000}': '\\ue000\\udb80\\udc00',
      '\u{e0041}': '\\udb40\\udc41',
    };
    for (const [text, shown] of Object.entries(cases)) assert.equal(escapeUnsafe(text), shown);
  });

  it('stay as they are where they are harmless', () => {
    const text = 'Mira Example, Žluťoučký, 王小明, עברית, 𝒳, 🎓, "a\\b" …';
    assert.equal(escapeUnsafe(text), text);
  });

  it('are the same value, if they are JSON', () => {
    const value = { '\u202e': ['\u001b]0;x\u0007', '\u{e0041}', '\u007f\u0085', '\ud800'] };
    assert.deepEqual(JSON.parse(escapeUnsafe(JSON.stringify(value))), value);
  });

  it('end where they are too long, and say how long they are', () => {
    assert.equal(bounded('abc', 3), 'abc');
    assert.equal(bounded('abcd', 3), 'abc… (4 characters)');
    assert.equal(bounded('ab🎓d', 3), 'ab… (5 characters)');
  });
});
