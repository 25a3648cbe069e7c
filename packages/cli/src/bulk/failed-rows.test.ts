import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { openFailedRows } from './failed-rows.ts';

function tempFile(context: TestContext): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-failed-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, 'table.csv.failed.csv');
}

test('failed rows are for their owner alone, and no cell is a formula', async (context) => {
  const file = tempFile(context);
  writeFileSync(file, 'of an earlier run');
  const failed = await openFailedRows(file);
  for (const column of ['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1'])
    failed.add({ line: 2, column, reason: 'is "wrong"' });
  assert.equal(await failed.finish(), file);
  const text = readFileSync(file, 'utf8');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.doesNotMatch(text, /,"?[=+\-@\t\r]/);
  assert.match(text, /^line,column,reason\n2,'=1\+1,"is ""wrong"""\n/);
});

test('what a service says of a row is no formula and no line of its own', async (context) => {
  const file = tempFile(context);
  const failed = await openFailedRows(file);
  const reasons = [' =cmd()', '\uff1dcmd()', '\uff20SUM(1)', 'no\n=cmd()', 'no\r\n9,x,y', '\u202e=1'];
  for (const reason of reasons) failed.add({ line: 2, reason });
  await failed.finish();
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  assert.equal(lines.length, reasons.length + 1);
  for (const line of lines.slice(1)) {
    assert.match(line, /^2,,/);
    assert.doesNotMatch(line, /,"?\s*[=+\-@\uff1d\uff20]|[\r\u202e]/);
  }
});

test('without failed rows there is no file, and a link that was put there is not followed', async (context) => {
  const file = tempFile(context);
  assert.equal(await (await openFailedRows(file)).finish(), undefined);
  assert.equal(existsSync(file), false);
  const victim = `${file}.victim`;
  writeFileSync(victim, 'mine');
  const failed = await openFailedRows(file);
  symlinkSync(victim, file);
  failed.add({ line: 2, reason: 'is wrong' });
  await assert.rejects(failed.finish(), { code: 'EEXIST' });
  assert.equal(readFileSync(victim, 'utf8'), 'mine');
});
