import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { CommandFailure } from '../terminal/failure.ts';
import { type CsvRow, openCsv } from './csv-rows.ts';

function csvFile(context: TestContext, content: string | Uint8Array): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-csv-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'table.csv');
  writeFileSync(file, content);
  return file;
}

async function read(file: string, delimiter?: string) {
  const csv = await openCsv(file, delimiter === undefined ? {} : { delimiter });
  const rows: CsvRow[] = [];
  for await (const row of csv.rows()) rows.push(row);
  return { header: csv.header, rows };
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

describe('rows of a CSV file', () => {
  test('have a number and the line they begin in, whatever the line breaks are', async (context) => {
    for (const end of ['\n', '\r\n', '\r']) {
      const lines = ['\ufeff did , name', '1,a', '', '2,"b', 'still b"', '3,"c ""c"""', ''];
      const { header, rows } = await read(csvFile(context, lines.join(end)));
      assert.deepEqual(header, ['did', 'name']);
      assert.deepEqual(rows, [
        { row: 1, line: 2, cells: ['1', 'a'] },
        { row: 2, line: 4, cells: ['2', 'b\nstill b'] },
        { row: 3, line: 6, cells: ['3', 'c "c"'] },
      ]);
    }
  });

  test('may be separated otherwise, and be too short or too long', async (context) => {
    const { header, rows } = await read(csvFile(context, 'a;b\n1\n1;2;3\n'), ';');
    assert.deepEqual(
      [header, rows.map(({ cells }) => cells.length)],
      [
        ['a', 'b'],
        [1, 3],
      ],
    );
  });

  test('come out as they were written', async (context) => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll('\r', ''));
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(table, async (records) => {
        const text = records.map((cells) => cells.map(quoted).join(',')).join('\n');
        const { rows } = await read(csvFile(context, `a,b\n${text}`));
        assert.deepEqual(
          rows.map(({ cells }) => cells),
          records,
        );
      }),
      { numRuns: 30 },
    );
  });

  test('survive a piece of the file that ends inside a line break or a character', async (context) => {
    const wide = 'ü'.repeat(40_000);
    const lines = Array.from({ length: 9 }, (_, index) => `${index},${wide}${'x'.repeat(index)}`);
    const { rows } = await read(csvFile(context, `a,b\r\n${lines.join('\r\n')}`));
    assert.deepEqual(
      rows.map(({ line }) => line),
      lines.map((_, index) => index + 2),
    );
    assert.ok(rows.every(({ cells }, index) => cells[1] === wide + 'x'.repeat(index)));
  });
});

describe('what is no CSV file', () => {
  const cases: readonly [name: string, content: string | Uint8Array, expected: RegExp][] = [
    ['nothing', '', /is empty/],
    ['only blank lines', '\n\n', /is empty/],
    ['a quote that stays open', 'a,b\n1,"secret\n', /line 2: a quote is opened and never closed/],
    ['a quote inside a value', 'a,b\n1,2\n1,se"cret\n', /line 3: a quote stands inside/],
    ['something behind a quote', 'a,b\n1,"sec"ret\n', /line 2: something follows a closing quote/],
    ['another encoding', Uint8Array.of(97, 10, 0xe4, 0xf6, 10), /is not in UTF-8/],
    ['half a character at the end', Uint8Array.of(97, 10, 0xc3), /is not in UTF-8/],
    ['too many columns', `${'a,'.repeat(300)}b\n`, /too many columns/],
    ['an endless row', `a\n"${'x'.repeat(5 * 1024 * 1024)}"\n`, /a row is too long/],
  ];
  for (const [name, content, expected] of cases)
    test(`${name} is refused without a word of what is in it`, async (context) => {
      await assert.rejects(read(csvFile(context, content)), (error) => {
        assert.ok(error instanceof CommandFailure, String(error));
        assert.match(error.message, expected);
        assert.doesNotMatch(error.message, /secret|sec"ret|se"cret/);
        return true;
      });
    });

  test('neither a folder nor what is not there', async (context) => {
    const file = csvFile(context, 'a\n');
    await assert.rejects(read(path.dirname(file)), /is not a file/);
    await assert.rejects(read(`${file}x`), /cannot be read \(ENOENT\)/);
  });
});
