import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { shellWord, typeScriptText } from './quoting.ts';

const printable = [
  'plain',
  'did:zid:00ff',
  '',
  'two words',
  '$(touch pwned)',
  '`touch pwned`',
  "'; touch pwned; '",
  '"; touch pwned; "',
  '$HOME',
  '!history',
  'a\\',
  "it's",
  '-rf',
  '--out=x',
  '~',
  '*',
  '#x',
  '; touch pwned',
  '&& touch pwned',
  '| tee pwned',
  '> pwned',
  'ž 🎓',
];
const unprintable = [
  'a\nb',
  '\n',
  "'\u001b[2J\\'",
  'x\u202ey',
  'a\r',
  '\u0000'.slice(1),
  "$'\n$(touch pwned)",
];

describe('a word for the shell', () => {
  const shown = (shell: string, text: string, cwd: string): string =>
    execFileSync(shell, ['-c', `printf '%s|' ${shellWord(text)} end`], { cwd, encoding: 'utf8' });

  test('is one word, arrives unchanged and runs nothing', (context) => {
    const cwd = mkdtempSync(path.join(os.tmpdir(), 'symbolon-shell-'));
    context.after(() => rmSync(cwd, { recursive: true, force: true }));
    for (const text of printable) assert.equal(shown('sh', text, cwd), `${text}|end|`, text);
    for (const text of unprintable)
      assert.equal(shown('bash', text, cwd), `${text}|end|`, JSON.stringify(text));
    assert.equal(existsSync(path.join(cwd, 'pwned')), false);
  });

  test('can be shown', () => {
    for (const text of [...printable, ...unprintable]) assert.doesNotMatch(shellWord(text), /\p{C}/u);
  });
});

describe('a text in TypeScript', () => {
  test('is that text', () => {
    for (const text of [
      ...printable,
      ...unprintable,
      '*/ x /*',
      "'+process.exit()+'",
      '\u2028',
      '</script>',
    ]) {
      const code = stripTypeScriptTypes(`const it: string = ${typeScriptText(text)};`);
      assert.equal(new Function(`${code} return it;`)(), text);
    }
  });
});
