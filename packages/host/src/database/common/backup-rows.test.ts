import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { type BackupRow, BackupRowsError, headLine, readTableFile, rowLine } from './backup-rows.ts';
import type { ColumnValue } from './values.ts';

function fileOf(context: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-rows-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, 'person.jsonl');
}

async function readAll(file: string): Promise<BackupRow[]> {
  const { rows } = await readTableFile(file);
  const read: BackupRow[] = [];
  for await (const row of rows) read.push(row);
  return read;
}

const columns = ['id', 'facts', 'photo', 'age'];
const head = headLine({ table: 'person', columns });

test('rows come back as they went out', async (context) => {
  const file = fileOf(context);
  const value: fc.Arbitrary<ColumnValue> = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.maxSafeInteger(),
    fc.uint8Array(),
    fc.constant(null),
  );
  const row = fc.record({ id: value, facts: value, photo: value, age: value });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
      writeFileSync(file, head + rows.map((one) => rowLine(columns, one)).join(''));
      assert.deepEqual(
        await readAll(file),
        rows.map((one) => ({ ...one })),
      );
    }),
    { numRuns: 50 },
  );
});

test('a file that is cut, changed or somebody else\u2019s is refused without repeating it', async (context) => {
  const file = fileOf(context);
  const row = rowLine(columns, { id: 'secret', facts: '', photo: Uint8Array.of(1), age: 1 });
  const refused = async (text: string) => {
    writeFileSync(file, text);
    await assert.rejects(readAll(file), (error: Error) => {
      assert.ok(error instanceof BackupRowsError, String(error));
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
  };
  await refused('');
  await refused(row);
  await refused(head + row.slice(0, -1));
  await refused(head + row.slice(0, -5));
  await refused('{"table":"a; drop","columns":["id"]}\n');
  await refused('{"table":"person","columns":["id","id"]}\n');
  await refused('{"table":"person","columns":[]}\n');
  await refused('null\n');
  await refused(`${head}["secret"]\n`);
  await refused(`${head}["secret",1,2,1.5]\n`);
  await refused(`${head}["secret",1,2,9007199254740993]\n`);
  await refused(`${head}["secret",1,2,{"base64":"not base64!"}]\n`);
  await refused(`${head}["secret",1,2,true]\n`);
  await refused(`${head}["secret",1,2,[]]\n`);
  await refused(`${head}{"id":"secret"}\n`);
});
