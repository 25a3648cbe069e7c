import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { columns, fieldLines, printTable, shortened } from './layout.ts';
import { createTerminal, isCut, printable, printJson, type Terminal, toned } from './terminal.ts';

function recorded(hasColours: boolean, say: (terminal: Terminal) => void): { out: string; err: string } {
  const told = { out: '', err: '' };
  const out = (text: string): void => {
    told.out += text;
  };
  const err = (text: string): void => {
    told.err += text;
  };
  say(createTerminal({ out, err, isWatched: false, hasColours }));
  return told;
}

const hostile = 'a\u001b[31m\nVERIFIED\r\u009b2J\u202e\u200b';
const shown = 'a\\u001b[31m\\u000aVERIFIED\\u000d\\u009b2J\\u202e\\u200b';

describe('a terminal', () => {
  test('shows what a text says and does nothing of it', () => {
    const { out, err } = recorded(true, ({ print, remark }) => {
      print(`it is ${hostile}`);
      print([hostile, 'ours']);
      remark(hostile);
    });
    assert.equal(out, `it is ${shown}\n${shown}\nours\n`);
    assert.equal(err, `${shown}\n`);
  });

  test('has colours of its own, which no text can imitate or end', () => {
    const say = (terminal: Terminal) => terminal.print(`${toned(terminal, 'good', hostile)} ${hostile}`);
    assert.equal(recorded(true, say).out, `\u001b[32m${shown}\u001b[39m ${shown}\n`);
    assert.equal(recorded(false, say).out, `${shown} ${shown}\n`);
    const imitated = recorded(true, (terminal) => {
      const [beginning = ''] = toned(terminal, 'good', '|').split('|');
      terminal.print(beginning.replace(/[0-9a-f]{24}/, '0'.repeat(24)));
    });
    assert.ok(!imitated.out.includes('\u001b'));
  });

  test('gives programs the same JSON in characters that are safe to show', () => {
    const value = { [hostile]: hostile, more: ['\u{e0041}', '🎓', 'ž'] };
    const { out } = recorded(false, (terminal) => printJson(terminal, value));
    assert.deepEqual(JSON.parse(out), value);
    assert.doesNotMatch(out, /(?!\n)[\p{C}\p{Default_Ignorable_Code_Point}]/u);
    assert.ok(out.includes('🎓'));
  });

  test('ends what is too long and says how long it is; JSON is whole', () => {
    const long = 'x'.repeat(100_000);
    const { out, err } = recorded(false, (terminal) => {
      terminal.print(fieldLines(terminal, { name: long }));
      terminal.print(columns(terminal, [['a', long]]));
      terminal.remark(long);
    });
    for (const line of [...out.split('\n').slice(0, 2), ...err.split('\n').slice(0, 1)]) {
      assert.ok(line.length < 5_000);
      assert.match(line, /x… \(100000 characters\)$/);
    }
    const whole = recorded(false, (terminal) => printJson(terminal, { long }));
    assert.ok(whole.out.length > 100_000);
    assert.equal(shortened('0123456789abcdef0'), '01234567…bcdef0');
  });

  test('tells the true length of a text, beside its name and in remarks, whatever its characters are', () => {
    for (const letter of ['x', '\u202e']) {
      const [name, value] = ['n'.repeat(3_000), letter.repeat(7_047)].map(printable) as [string, string];
      const { out, err } = recorded(false, (terminal) => {
        const lines = columns(terminal, [[name, `"${value}"`]]);
        terminal.print(lines);
        terminal.remark(lines);
        printTable(terminal, [[name, value]]);
      });
      const told = `${out}${err}`.match(/… \([0-9]+ characters\)/g) ?? [];
      assert.deepEqual(
        told,
        Array.from({ length: 3 }, () => ['… (3000 characters)', '… (7047 characters)']).flat(),
      );
      assert.doesNotMatch(value.replace(/… .*$/, ''), /\\(?!u202e)/, 'no half of an escape');
      assert.deepEqual([isCut(letter.repeat(7_047)), isCut(letter.repeat(300))], [true, false]);
    }
  });
});
