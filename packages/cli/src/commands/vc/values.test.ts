import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { CommandFailure, exitCodes } from '../../terminal/failure.ts';
import { readValues, valueWord } from './values.ts';

test('a value is whatever stands after the first equals sign', () => {
  assert.deepEqual(valueWord('name=Ada'), { name: 'Ada' });
  assert.deepEqual(valueWord('formula=a=b\nc', { name: 'Ada' }), { name: 'Ada', formula: 'a=b\nc' });
  assert.deepEqual(valueWord('empty='), { empty: '' });
  for (const text of ['', 'name', '=x', '1a=x', 'a b=x'])
    assert.throws(() => valueWord(text), /must be like/, text);
  assert.throws(() => valueWord('name=x', { name: 'Ada' }), /name has a value already/);
});

test('a file maps names to plain values, and words come first', async (context) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-test-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'values.json');
  writeFileSync(file, '{"name":"Ada","points":250,"isMember":true}');
  assert.deepEqual(await readValues({ file, set: { points: '300' } }), {
    name: 'Ada',
    points: '300',
    isMember: true,
  });
  const usage = (message: RegExp) => (error: unknown) =>
    error instanceof CommandFailure && error.exitCode === exitCodes.usage && message.test(error.message);
  for (const content of ['{"name":["Ada"]}', '{"name":{}}', '{"name":null}']) {
    writeFileSync(file, content);
    await assert.rejects(
      readValues({ file }),
      (error: Error) => usage(/name /)(error) && !error.message.includes('Ada'),
    );
  }
  await assert.rejects(readValues({}), usage(/There are no values/));
});
