import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TemplateAttribute } from '@symbolon/core/documents/model';
import { type BulkMode, mapColumns } from './column-mapping.ts';
import { checkRow, isProblematic } from './row-check.ts';

const attributes: readonly TemplateAttribute[] = [
  { key: 'name', label: 'Name', type: 'text', format: 'string', mandatory: true },
  { key: 'born', label: 'Born', type: 'date', format: 'date', mandatory: true },
  { key: 'income', label: 'Income', type: 'decimal', format: 'decimal', mandatory: false },
];
const did = `did:zid:${'ab'.repeat(32)}`;

const mappingOf = (mode: BulkMode, keepsApplied = false) =>
  mapColumns({
    header: [mode === 'application' ? 'applicationId' : 'did', 'Name', 'BORN', 'income'],
    attributes,
    map: new Map(),
    holderColumn: 'did',
    applicationColumn: 'applicationId',
    hasHolderKeys: mode === 'keys',
    keepsApplied,
  });
const check = (cells: string[], mode: BulkMode = 'keys', keepsApplied = false) =>
  checkRow({ row: 3, line: 7, cells }, mappingOf(mode, keepsApplied));

describe('a row', () => {
  test('comes in normal form, sorted by attribute', () => {
    assert.deepEqual(
      check([` ${did.toUpperCase().replace('DID:ZID', 'did:zid')} `, 'Ana', ' 1990-05-17 ', '52000.50']),
      {
        row: 3,
        line: 7,
        subject: did,
        values: { born: '1990-05-17', income: '52000.5', name: 'Ana' },
      },
    );
  });

  test('may leave out what the holder said already, and what is optional', () => {
    const kept = check([did, '', '', ''], 'holder', true);
    assert.deepEqual(kept, { row: 3, line: 7, subject: did, values: {} });
    assert.ok(!isProblematic(check([did, 'Ana', '1990-05-17', ''])));
  });

  test('does not leave a claim to the holder by being empty', () => {
    for (const mode of ['holder', 'application'] as const) {
      const verdict = check([did, 'Ana', '1990-05-17', ''], mode);
      assert.ok(isProblematic(verdict));
      assert.match(verdict.problems[0]?.reason ?? '', /^income is empty.*--keep-applied/);
    }
  });

  test('that names application and holder keeps both', () => {
    const header = ['applicationId', 'did', 'name', 'born'];
    const order = {
      header,
      attributes,
      map: new Map(),
      holderColumn: 'did',
      applicationColumn: 'applicationId',
    };
    const mapping = mapColumns({ ...order, hasHolderKeys: false });
    const checkBoth = (holder: string) =>
      checkRow({ row: 3, line: 7, cells: [did, holder, 'Ana', '1990-05-17'] }, mapping);
    const other = `did:zid:${'cd'.repeat(32)}`;
    assert.deepEqual(checkBoth(` ${other} `), {
      row: 3,
      line: 7,
      subject: did,
      holder: other,
      values: { born: '1990-05-17', name: 'Ana' },
    });
    for (const wrong of ['', 'Ana', other.slice(1)]) {
      const verdict = checkBoth(wrong);
      assert.ok(isProblematic(verdict), wrong);
      assert.deepEqual(
        verdict.problems.map(({ column }) => column),
        ['did'],
      );
    }
  });

  const bad: readonly [string, string[], string[]][] = [
    ['too few cells', [did], ['undefined has 1 cells, and there are 4 columns']],
    ['no subject', ['', 'Ana', '1990-05-17', ''], ['did is missing']],
    [
      'no DID',
      ['../../etc', 'Ana', '1990-05-17', ''],
      ["did must be a holder's identifier: did:zid: and 64 hex digits"],
    ],
    ['a mandatory value missing', [did, '', '1990-05-17', ''], ['Name name is missing']],
    [
      'everything wrong',
      ['x', 'a\u0000b', '17.5.1990', '1,5'],
      [
        "did must be a holder's identifier: did:zid: and 64 hex digits",
        'Name name holds a control character',
        'BORN born must be a date from 1800 on, such as 2001-12-31',
        'income income must be a number with at most 2 digits after the point',
      ],
    ],
  ];
  for (const [name, cells, expected] of bad)
    test(`with ${name} is complained about by column, without its values`, () => {
      const verdict = check(cells);
      assert.ok(isProblematic(verdict));
      assert.deepEqual(
        verdict.problems.map(({ column, reason }) => `${column} ${reason}`),
        expected,
      );
      assert.ok(verdict.problems.every(({ line }) => line === 7));
      assert.ok(!JSON.stringify(verdict).includes('17.5.1990'));
    });
});
