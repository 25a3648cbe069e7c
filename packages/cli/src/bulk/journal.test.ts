import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { type JournalOrder, openJournal } from './journal.ts';
import type { JournalEntry } from './journal-index.ts';
import type { CheckedRow } from './row-check.ts';

const id = (digit: string): string => `did:zid:${digit.repeat(64)}`;
const templateId = id('7');
const rowOf = (row: number, name = `Quillon ${row}`): CheckedRow => ({
  row,
  line: row + 1,
  subject: id('a'),
  values: { name },
});

function fileOf(context: TestContext): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-journal-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return path.join(folder, 'people.csv.journal');
}

async function opened(file: string, more: Partial<JournalOrder> = {}) {
  const signer = await signerFromSeed(new Uint8Array(32).fill(1));
  const validUntilDefault = '2099-01-01T00:00:00Z';
  return openJournal({ file, templateId, signer, validUntil: undefined, validUntilDefault, ...more });
}

const refusedWith = (exitCode: number, text: RegExp) => (error: unknown) =>
  error instanceof CommandFailure && error.exitCode === exitCode && text.test(error.message);

describe('a journal', () => {
  test('remembers how far rows have come, in a file for its owner, without their values', async (context) => {
    const file = fileOf(context);
    const first = await opened(file);
    const entry = (row: number, state: JournalEntry['state'], vcId?: string): JournalEntry => ({
      row,
      key: first.keyOf(rowOf(row)),
      state,
      ...(vcId !== undefined && { vcId }),
    });
    await Promise.all([
      first.append(entry(1, 'begun')),
      first.append(entry(1, 'applied', id('1'))),
      first.append({ ...entry(1, 'issued', id('1')), tx: 'ab' }),
      first.append(entry(2, 'applied', id('2'))),
      first.append(entry(3, 'failed', id('3'))),
      first.append(entry(70_000, 'begun')),
    ]);
    await first.close();
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.doesNotMatch(readFileSync(file, 'utf8'), /Quillon/);

    const again = await opened(file, { validUntilDefault: '2100-01-01T00:00:00Z' });
    context.after(() => again.close());
    assert.equal(again.validUntil, '2099-01-01T00:00:00Z');
    const find = (row: number, name?: string) => again.index.find(row, again.keyOf(rowOf(row, name)));
    assert.deepEqual(find(1), { state: 'issued', vcId: undefined, isSameRow: true });
    assert.deepEqual(find(2), { state: 'applied', vcId: id('2'), isSameRow: true });
    assert.deepEqual(find(2, 'changed'), { state: 'applied', vcId: id('2'), isSameRow: false });
    assert.deepEqual(find(3), { state: 'failed', vcId: id('3'), isSameRow: true });
    assert.deepEqual([find(4), find(70_000)?.state, find(900_000)], [undefined, 'begun', undefined]);
    assert.deepEqual([again.index.issuedCount(), again.index.anyIssued()], [1, id('1')]);
  });

  test('cut at any byte goes on from the last whole line', async (context) => {
    const file = fileOf(context);
    const first = await opened(file);
    const key = first.keyOf(rowOf(1));
    await first.append({ row: 1, key, state: 'begun' });
    await first.append({ row: 1, key, state: 'issued', vcId: id('1') });
    await first.close();
    const whole = readFileSync(file);
    const lines = whole.toString('utf8').split('\n');
    const ends = lines.slice(0, 3).map((_, index) => lines.slice(0, index + 1).join('\n').length + 1);
    for (let length = 0; length <= whole.length; length += 7) {
      writeFileSync(file, whole.subarray(0, length));
      const cut = await opened(file);
      const expected = [undefined, undefined, 'begun', 'issued'][ends.filter((end) => end <= length).length];
      assert.equal(cut.index.find(1, key)?.state, expected, `cut at ${length}`);
      await cut.append({ row: 2, key, state: 'begun' });
      await cut.close();
      const after = await opened(file);
      assert.equal(after.index.find(2, key)?.state, 'begun');
      await after.close();
    }
  });

  test('keys depend on row, subject and values, and on who signs', async (context) => {
    const journal = await opened(fileOf(context));
    context.after(() => journal.close());
    const other = await opened(fileOf(context), { signer: await signerFromSeed(new Uint8Array(32).fill(2)) });
    context.after(() => other.close());
    const rows = [
      rowOf(1),
      rowOf(2),
      rowOf(1, 'x'),
      { ...rowOf(1), subject: id('b') },
      { ...rowOf(1), values: {} },
    ];
    const keys = [...rows.map(journal.keyOf), other.keyOf(rowOf(1))];
    assert.equal(new Set(keys).size, keys.length);
    assert.equal(journal.keyOf({ ...rowOf(1), line: 99 }), keys[0]);
  });

  test('of something else is not written into', async (context) => {
    const file = fileOf(context);
    await (await opened(file, { validUntil: '2050-01-01T00:00:00Z' })).close();
    const before = readFileSync(file, 'utf8');
    const signer = await signerFromSeed(new Uint8Array(32).fill(2));
    await assert.rejects(
      opened(file, { templateId: id('8') }),
      refusedWith(exitCodes.usage, /another template|another issuer/),
    );
    await assert.rejects(opened(file, { signer }), refusedWith(exitCodes.usage, /another issuer's key/));
    const validUntil = '2051-01-01T00:00:00Z';
    await assert.rejects(opened(file, { validUntil }), refusedWith(exitCodes.usage, /--valid-until/));
    assert.equal(readFileSync(file, 'utf8'), before);
    await (await opened(file)).close();
  });

  test('that is damaged, or is no journal, is refused and left as it is', async (context) => {
    const file = fileOf(context);
    await (await opened(file)).close();
    const header = readFileSync(file, 'utf8');
    const line = '{"row":1,"key":"00000000000000000000000000000000","state":"begun"}\n';
    const damaged = [
      'name,birthDate\nQuillon,1990-01-01\n',
      'name without an end of line',
      `${header}${line.slice(0, 20)}\n${line}`,
      `${header}${line.replace('begun', 'stolen')}`,
      `${header}${line.replace(':1,', ':0,')}`,
      `${header}${line.replace(':1,', ':99999999999,')}`,
      `${header}${line.replace('{', '{"__proto__":1,')}`,
      `${header}${'x'.repeat(100_000)}`,
    ];
    for (const content of damaged) {
      writeFileSync(file, content);
      await assert.rejects(
        opened(file),
        refusedWith(exitCodes.damaged, /not a journal, or is damaged/),
        content,
      );
      assert.equal(readFileSync(file, 'utf8'), content);
    }
  });

  test('is for one run at a time, and a run that is gone does not count', async (context) => {
    const file = fileOf(context);
    const first = await opened(file);
    await assert.rejects(opened(file), /in use by another run/);
    await first.close();
    for (const left of ['99999999\n', '', 'nobody', '-1']) {
      writeFileSync(`${file}.lock`, left);
      await (await opened(file)).close();
    }
  });
});
