import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { consoleFileLimits } from '../limits/server-limits.ts';
import { ConsoleUnreadable, readConsoleFiles } from './console-files.ts';

function folderOf(context: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'symbolon-console-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'assets', 'deeper'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test('a built console is its page and a list of files', (context) => {
  const folder = folderOf(context, {
    'index.html': '<title>x</title>',
    'sw.js': 'x',
    'assets/a-1.js': 'x',
    'assets/a-1.js.br': 'packed',
    'assets/lonely.css.br': 'packed',
    'assets/a-1.js.map': '{}',
    'assets/deeper/b.js': 'x',
    '.env': 'x',
  });
  symlinkSync('/etc/hostname', join(folder, 'assets', 'link.txt'));
  const { index, files } = readConsoleFiles(folder);
  assert.deepEqual([index.contentType, index.isLasting], ['text/html; charset=utf-8', false]);
  assert.deepEqual([...files.keys()].toSorted(), ['/assets/a-1.js', '/sw.js']);
  assert.equal(files.get('/assets/a-1.js')?.packed?.toString(), 'packed');
  assert.deepEqual([files.get('/sw.js')?.isLasting, files.get('/sw.js')?.packed], [false, undefined]);
});

test('what is no console, or too much of one, is refused at the start', (context) => {
  assert.throws(() => readConsoleFiles(folderOf(context, {})), ConsoleUnreadable);
  const many = Object.fromEntries(
    Array.from({ length: consoleFileLimits.filesMax }, (_, index) => [`assets/${index}.js`, '']),
  );
  assert.throws(() => readConsoleFiles(folderOf(context, { 'index.html': '', ...many })), /more than/);
});
