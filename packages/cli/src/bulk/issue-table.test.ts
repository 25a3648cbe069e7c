import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  appendFileSync,
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import type { TemplateAttribute } from '@symbolon/core/documents/model';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import { mapColumns } from './column-mapping.ts';
import { openCsv } from './csv-rows.ts';
import { openFailedRows } from './failed-rows.ts';
import { issueTable, type TableOrder } from './issue-table.ts';
import { openJournal } from './journal.ts';
import type { CheckedRow } from './row-check.ts';

const attributes: readonly TemplateAttribute[] = [
  { key: 'name', label: 'Name', type: 'text', format: 'string', mandatory: true },
  { key: 'born', label: 'Born', type: 'date', format: 'date', mandatory: true },
];
const didOf = (row: number): string => `did:zid:${row.toString(16).padStart(64, '0')}`;
const silent = { print: () => {}, remark: () => {}, isWatched: false, hasColours: false };

async function writeTable(context: TestContext, rows: number, isBad: (row: number) => boolean = () => false) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-table-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'people.csv');
  const stream = createWriteStream(file);
  stream.write('did,name,born\n');
  for (let row = 1; row <= rows; row += 1) {
    const born = isBad(row) ? 'yesterday' : '1990-05-17';
    if (!stream.write(`${didOf(row)},"Quillon, ${row}",${born}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
  return file;
}

/** Runs a table through the real machinery, with rows issued by a function. */
async function run(file: string, issue: (row: CheckedRow) => Promise<void>, more: Partial<TableOrder> = {}) {
  const csv = await openCsv(file);
  const columns = { holderColumn: 'did', applicationColumn: 'applicationId', hasHolderKeys: false };
  const mapping = mapColumns({ header: csv.header, attributes, map: new Map(), ...columns });
  const journal = await openJournal({
    file: `${file}.journal`,
    templateId: didOf(7),
    signer: await signerFromSeed(new Uint8Array(32).fill(1)),
    validUntil: undefined,
    validUntilDefault: '2099-01-01T00:00:00Z',
  });
  const failed = await openFailedRows(`${file}.failed.csv`);
  try {
    return await issueTable({
      csv,
      mapping,
      journal,
      failed,
      // Many rows share one writing of the journal, so that a slow disk does not make a slow test.
      concurrency: 64,
      terminal: silent,
      issue: async (row) => {
        await issue(row);
        const vcId = didOf(1_000_000 + row.row);
        await journal.append({ row: row.row, key: journal.keyOf(row), state: 'issued', vcId });
        return { vcId, tx: undefined };
      },
      ...more,
    });
  } finally {
    await journal.close();
    await failed.finish();
  }
}

describe('a table of 12,000 rows', () => {
  test('that breaks off three times is issued once, and bad rows are told', async (context) => {
    const isBad = (row: number) => row % 1_000 === 0;
    const file = await writeTable(context, 12_000, isBad);
    const issued = new Uint8Array(12_001);
    for (let broken = 1; broken <= 3; broken += 1) {
      let left = 2_500;
      const issue = async ({ row }: CheckedRow) => {
        left -= 1;
        if (left < 0) throw Object.assign(new Error('the power is gone'), { syscall: 'power' });
        issued[row] += 1;
      };
      await assert.rejects(
        run(file, issue),
        /the power is gone[\s\S]*still to do: \d+[\s\S]*run the same command again/,
      );
    }
    const summary = await run(file, async ({ row }) => {
      issued[row] += 1;
    });
    assert.deepEqual(summary, {
      rows: 12_000,
      issued: 11_988 - 7_500,
      failed: 12,
      waiting: 0,
      skipped: 7_500,
      left: 0,
    });
    for (let row = 1; row <= 12_000; row += 1) assert.equal(issued[row], isBad(row) ? 0 : 1);
    const failed = readFileSync(`${file}.failed.csv`, 'utf8').trim().split('\n');
    assert.equal(failed.length, 13);
    assert.equal(failed[1], '1001,born,"born must be a date from 1800 on, such as 2001-12-31"');
    for (const end of ['journal', 'failed.csv'])
      assert.doesNotMatch(readFileSync(`${file}.${end}`, 'utf8'), /Quillon|yesterday/);
  });
});

describe('a table', () => {
  const refuseThird = (row: CheckedRow) => row.row === 3;

  test('goes on after a row that is refused, unless it is told to stop', async (context) => {
    const file = await writeTable(context, 10);
    const tried: number[] = [];
    const issue: TableOrder['issue'] = async (row) => {
      tried.push(row.row);
      return refuseThird(row)
        ? { reason: 'no such application', isAboutSubject: true }
        : { vcId: didOf(row.row), tx: undefined };
    };
    const all = await run(file, async () => {}, { issue, concurrency: 1 });
    assert.deepEqual([all.issued, all.failed, all.left, tried.length], [9, 1, 0, 10]);
    assert.equal(
      readFileSync(`${file}.failed.csv`, 'utf8'),
      'line,column,reason\n4,did,no such application\n',
    );
    const stopped = await run(file, async () => {}, { issue, concurrency: 1, isStoppingOnError: true });
    assert.deepEqual([stopped.issued, stopped.failed, stopped.left], [2, 1, 7]);
    const good = await run(file, async () => {});
    assert.deepEqual([good.issued, existsSync(`${file}.failed.csv`)], [10, false]);
  });

  test('with a bad row is not begun where errors stop it', async (context) => {
    const file = await writeTable(context, 4, (row) => row === 4);
    const summary = await run(file, async () => assert.fail('nothing is issued'), {
      isStoppingOnError: true,
    });
    assert.deepEqual(summary, { rows: 4, issued: 0, failed: 1, waiting: 0, skipped: 0, left: 3 });
  });

  test('is issued in parts, and ends when it is interrupted', async (context) => {
    const file = await writeTable(context, 10);
    const part = await run(file, async () => {}, { rowsMax: 4 });
    assert.deepEqual([part.issued, part.left], [4, 6]);
    const interruption = new AbortController();
    interruption.abort();
    const none = await run(file, async () => {}, { signal: interruption.signal });
    assert.deepEqual([none.issued, none.skipped, none.left], [0, 4, 6]);
  });

  test('names an application or a waiting holder once', async (context) => {
    const file = await writeTable(context, 3);
    appendFileSync(file, `${didOf(2)},again,1990-05-17\n`);
    const summary = await run(file, async () => {});
    assert.deepEqual([summary.issued, summary.failed], [3, 1]);
    assert.match(readFileSync(`${file}.failed.csv`, 'utf8'), /^5,did,stands in an earlier row already$/m);
  });

  test('that was changed where it was issued from is refused, and where it failed is not', async (context) => {
    const file = await writeTable(context, 5, (row) => row === 2);
    await run(file, async () => {});
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('yesterday', '1991-01-01'));
    const mended = await run(file, async () => {});
    assert.deepEqual([mended.issued, mended.skipped], [1, 4]);
    writeFileSync(file, text.replace('Quillon, 4', 'Quillon, the other'));
    await assert.rejects(
      run(file, async () => assert.fail('nothing is issued')),
      (error: Error) => {
        assert.match(error.message, /table was changed[\s\S]*other content: 5\./);
        assert.doesNotMatch(error.message, /Quillon/);
        return true;
      },
    );
  });
});
