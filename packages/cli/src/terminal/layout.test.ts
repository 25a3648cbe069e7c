import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { columns, fieldLines, printTable, sentenceLines, shortened } from './layout.ts';
import { createTerminal, type Terminal, toned } from './terminal.ts';

function screen(width: number | undefined, hasColours = false) {
  const told = { out: '', err: '' };
  const terminal = createTerminal({
    out: (text) => {
      told.out += text;
    },
    err: (text) => {
      told.err += text;
    },
    isWatched: false,
    hasColours,
    width,
  });
  return { terminal, told };
}

const did = `did:zid:${'0123456789abcdef'.repeat(4)}`;
const rows = [
  ['NAME', 'TEXT', 'ID'],
  ['one', 'a text that is rather long and goes on', did],
];
const printed = (width: number | undefined, say: (terminal: Terminal) => void) => {
  const { terminal, told } = screen(width);
  say(terminal);
  return told;
};

describe('a table', () => {
  test('is whole in a pipe', () => {
    const { out, err } = printed(undefined, (terminal) => printTable(terminal, rows));
    assert.ok(out.includes(did) && out.includes('goes on'));
    assert.equal(err, '');
  });

  test('shortens identifiers first, then cuts texts, and says so', () => {
    const wide = printed(70, (terminal) => printTable(terminal, rows));
    assert.match(wide.out, /one {3}a text that is rather long and goes on {2}did:zid:0123…cdef\n/);
    assert.match(wide.err, /--wide/);
    const narrow = printed(50, (terminal) => printTable(terminal, rows));
    assert.match(narrow.out, /one {3}a text that is rather lo… {2}did:zid:0123…cdef\n/);
    for (const line of narrow.out.split('\n')) assert.ok(line.length <= 50, line);
  });

  test('ends its colours where it cuts a text', () => {
    const { terminal, told } = screen(20, true);
    printTable(terminal, [[toned(terminal, 'bad', 'x'.repeat(25)), 'y']]);
    assert.equal(told.out, `\u001b[31m${'x'.repeat(16)}\u001b[39m…  y\n`);
  });
});

describe('a value beside its name', () => {
  test('is never cut: it continues below itself, or below its name', () => {
    const { terminal } = screen(80);
    assert.deepEqual(fieldLines(terminal, { credential: did, block: 7 }), [
      '  credential',
      `    ${did}`,
      '  block       7',
    ]);
    const words = 'a list of words that is a little too long for the line of a usual screen';
    const lines = fieldLines(terminal, { attributes: words });
    assert.deepEqual(lines.map((line) => line.trimStart()).join(' '), `attributes  ${words}`);
    assert.ok(lines.length === 2 && lines[1]?.startsWith(' '.repeat(14)));
  });

  test('is one line in a pipe', () => {
    const { terminal } = screen(undefined);
    assert.deepEqual(columns(terminal, [['  credential', did]]), [`  credential  ${did}`]);
  });
});

test('a sentence continues further in', () => {
  const { terminal } = screen(20);
  assert.deepEqual(sentenceLines(terminal, '  one two three four five', 4), [
    '  one two three',
    '    four five',
  ]);
});

test('what is shortened is known by its kind, its beginning and its end', () => {
  assert.equal(shortened(did), 'did:zid:0123…cdef');
  assert.equal(shortened('0123456789abcdef'), '0123456789abcdef');
  assert.equal(shortened('ZTX3XuihqeMEL5oJztcHdo3pyJvrcT2vV4HQ4'), 'ZTX3Xuih…vV4HQ4');
});
