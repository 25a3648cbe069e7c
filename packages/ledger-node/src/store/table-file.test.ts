import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { missingTable, tableFileDamage } from './table-file.ts';

test('a table that is not there, is none or cannot be read is damaged', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'symbolon-'));
  context.after(() => rmSync(folder, { recursive: true }));
  assert.equal(tableFileDamage({ path: join(folder, '1.ldb'), bytes: 1 }), missingTable);
  assert.match(tableFileDamage({ path: folder, bytes: undefined }) ?? '', /^cannot be read \(EISDIR\)$/);
});

test('a process without descriptors left says nothing of a table', () => {
  const script = `
    const { openSync } = await import('node:fs');
    const { tableFileDamage } = await import(${JSON.stringify(new URL('./table-file.ts', import.meta.url).href)});
    try { for (;;) openSync(process.execPath, 'r'); } catch {}
    try { console.log(tableFileDamage({ path: process.execPath, bytes: undefined })); }
    catch (error) { console.log('thrown ' + error.code); }`;
  const words = [
    '-c',
    'ulimit -n 64; exec "$@"',
    'sh',
    process.execPath,
    '--input-type=module',
    '-e',
    script,
  ];
  assert.equal(execFileSync('/bin/sh', words, { encoding: 'utf8' }).trim(), 'thrown EMFILE');
});
