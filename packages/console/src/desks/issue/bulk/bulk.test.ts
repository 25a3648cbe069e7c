import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import { tableLimits } from './bulk-limits.ts';
import { faultOfUses, guessUses } from './column-uses.ts';
import { rowMarks } from './row-marks.ts';
import { outcomesCsv, rowsLeft } from './row-outcomes.ts';
import { checkTable } from './table-check.ts';
import { readTable, separatorOf } from './table-text.ts';
import { understoodRows } from './understood-text.ts';

const mira = `did:zid:${'a6'.repeat(32)}`;
const oren = `did:zid:${'b7'.repeat(32)}`;
const attributes = [
  { key: 'name', attribute: 'Full name', format: 'string' },
  { key: 'birthDate', attribute: 'Date of birth', format: 'date' },
];

const tableOf = async (text: string) => {
  const read = await readTable(text);
  assert.ok('table' in read);
  return read.table;
};

test('a table is read whatever separates its cells, with the lines of its rows', async () => {
  assert.equal(separatorOf('a;b;"c,d"\n'), ';');
  const table = await tableOf(`\uFEFFdid;name\r\n\r\n${mira};"Mira; the ""first"""\n${oren};Oren\n`);
  assert.deepEqual(table.header, ['did', 'name']);
  assert.deepEqual(
    table.lines.map(({ line, cells }) => [line, cells[1]]),
    [
      [3, 'Mira; the "first"'],
      [4, 'Oren'],
    ],
  );
});

test('a row without a single word is no row', async () => {
  const table = await tableOf(
    `did,name,birthDate\n${mira},Mira,2001-02-03\n,,\n  , ,\n${oren},Oren,2000-01-01\n,,\n`,
  );
  assert.deepEqual(
    table.lines.map(({ line }) => line),
    [2, 5],
  );
});

test('what is no table that can be issued from is said', async () => {
  const faultOf = async (text: string) => {
    const read = await readTable(text);
    return 'fault' in read ? read.fault : undefined;
  };
  assert.equal(await faultOf('did,name\n'), 'empty');
  assert.equal(await faultOf('did,name\n,\n'), 'empty');
  assert.equal(await faultOf('did,DID\n1,2\n'), 'doubled');
  assert.equal(await faultOf('did,name\n1,"open\n'), 'quotes');
  assert.equal(await faultOf('a,b\n\0,1\n'), 'notText');
  assert.equal(await faultOf(`a\n${'1\n'.repeat(tableLimits.rowsMax + 1)}`), 'tooManyRows');
  assert.equal(await faultOf(`${'a,'.repeat(300)}\n1\n`), 'tooManyColumns');
});

test('columns are guessed by key and by name, each attribute once', () => {
  const uses = guessUses(['DID', 'Date of birth', 'NAME', 'full_name', 'Remarks'], attributes);
  assert.deepEqual(uses, ['holder', 'attribute:birthDate', 'attribute:name', '', '']);
  assert.equal(faultOfUses(uses), undefined);
  assert.equal(faultOfUses(['attribute:name']), 'noSubject');
  assert.equal(faultOfUses(['holder', 'attribute:name', 'attribute:name']), 'twice');
});

test('every row is checked, and no value is repeated in what is wrong', async () => {
  const table = await tableOf(
    `did,name,birthDate\n${mira},Mira,2001-02-03\nsomebody,Oren,secret\n${oren},,2001-02-03\n${mira},Mira,2001-02-03\nx,y\n`,
  );
  const uses = ['holder', 'attribute:name', 'attribute:birthDate'] as const;
  const { fit, misfits, wrongRows } = checkTable({ table, uses, attributes, keepsApplied: false });
  assert.deepEqual(fit, [{ line: 2, holder: mira, values: { name: 'Mira', birthDate: '2001-02-03' } }]);
  assert.equal(wrongRows, 4);
  assert.deepEqual(
    misfits.map(({ line, column, reason }) => [
      line,
      column,
      'code' in reason ? reason.code : reason.misfit.why,
    ]),
    [
      [3, 'did', 'notDid'],
      [3, 'birthDate', 'kind'],
      [4, 'name', 'emptyCell'],
      [5, undefined, 'twice'],
      [6, undefined, 'cells'],
    ],
  );
  assert.doesNotMatch(JSON.stringify(misfits), /secret|somebody/);
  const kept = checkTable({ table, uses, attributes, keepsApplied: true });
  assert.deepEqual(kept.fit[1]?.values, { birthDate: '2001-02-03' });
});

test('a row is known again by what it says, and only by whoever has the key', async () => {
  const [ours, theirs] = await Promise.all(
    [1, 2].map((fill) => signerFromSeed(new Uint8Array(32).fill(fill))),
  );
  assert.ok(ours && theirs);
  const row = { line: 2, holder: mira, values: { name: 'Mira', born: '2001-02-03' } };
  const moved = { line: 9, holder: mira, values: { born: '2001-02-03', name: 'Mira' } };
  const [mark, other] = await Promise.all([rowMarks(ours, 'did:zid:00'), rowMarks(theirs, 'did:zid:00')]);
  assert.equal(mark(row), mark(moved));
  assert.notEqual(mark(row), mark({ ...row, holder: oren }));
  assert.notEqual(mark(row), other(row));
  assert.doesNotMatch(mark(row), /Mira/);
});

test('a table may have days as people write them, and they are signed in one spelling', async () => {
  const table = await tableOf(
    `did;birthDate\n${mira};31.12.2001\n${oren};3 Mar 2000\n${`did:zid:${'c8'.repeat(32)}`};12/31/2001\n`,
  );
  const uses = ['holder', 'attribute:birthDate'] as const;
  const { fit, misfits } = checkTable({ table, uses, attributes, keepsApplied: false });
  assert.deepEqual(
    fit.map(({ values }) => values.birthDate),
    ['2001-12-31', '2000-03-03'],
  );
  assert.deepEqual(misfits.length, 1);
});

test('decimals of a table have the point of their column, and what could be two numbers is refused as that', async () => {
  const score = { key: 'score', attribute: 'Score', format: 'decimal(3)', mandatory: true };
  const read = async (...cells: readonly string[]) => {
    const lines = cells.map((cell, at) => `did:zid:${String(at + 10).repeat(32)};${cell}`);
    const { fit, misfits } = checkTable({
      table: await tableOf(`did;score\n${lines.join('\n')}\n`),
      uses: ['holder', 'attribute:score'],
      attributes: [score],
      keepsApplied: false,
    });
    return [
      fit.map(({ values }) => values.score),
      misfits.map(({ line, reason }) => [line, 'misfit' in reason ? reason.misfit.why : reason.code]),
    ];
  };
  assert.deepEqual(await read('1,7', '1,300'), [['1.7', '1.3'], []]);
  assert.deepEqual(await read('1.7', '1.300'), [['1.7', '1.3'], []]);
  assert.deepEqual(await read('1.7', '1,300'), [['1.7'], [[3, 'comma']]]);
  assert.deepEqual(await read('1,7', '1.300'), [['1.7'], [[3, 'point']]]);
  assert.deepEqual(await read('12', '1.300'), [['12'], [[3, 'point']]]);
  assert.deepEqual(await read('1,7', '1.8', '1,300'), [['1.7', '1.8'], [[4, 'comma']]]);
});

test('what is issued is not issued again, and what failed is left', () => {
  const rows = [{ line: 2 }, { line: 3 }, { line: 4 }];
  const lines = [
    { line: 2, subject: mira, outcome: { state: 'issued', vcId: 'did:zid:1' } },
    { line: 3, subject: oren, outcome: { state: 'failed', code: 'noneWaits' } },
  ] as const;
  assert.deepEqual(rowsLeft(rows, []), rows);
  assert.deepEqual(rowsLeft(rows, lines), [{ line: 3 }, { line: 4 }]);
});

test('the CSV of outcomes starts no formula', () => {
  const words = {
    states: { issued: 'issued', before: 'before', failed: 'failed' },
    codes: { noneWaits: 'none', otherTemplate: '', otherHolder: '', rejected: '' },
  };
  const csv = outcomesCsv(
    [
      { line: 3, subject: oren, outcome: { state: 'failed', reason: '=1+1, "x"' } },
      { line: 2, subject: mira, outcome: { state: 'issued', vcId: 'did:zid:1', txHash: 'ff', block: 7 } },
    ],
    words,
  );
  assert.equal(
    csv,
    `line,subject,outcome,credential,transaction,block,reason\r\n2,${mira},issued,did:zid:1,ff,7,\r\n3,${oren},failed,,,,"'=1+1, ""x"""\r\n`,
  );
});

test('what was understood is written as its reader writes it, and only what the table says', async () => {
  const grade = { key: 'grade', attribute: 'Grade', format: 'decimal(2)' };
  const named = [...attributes, grade];
  const table = await tableOf(`did;birthDate;grade\n${mira};5.7.2024;1,3\n${oren};31 Dec 2001;2,25\n`);
  const uses = ['holder', 'attribute:birthDate', 'attribute:grade'] as const;
  const { fit } = checkTable({ table, uses, attributes: named, keepsApplied: false });
  assert.deepEqual(understoodRows(fit, named, 'en'), {
    columns: [
      { key: 'birthDate', label: 'Date of birth' },
      { key: 'grade', label: 'Grade' },
    ],
    rows: [
      { line: 2, texts: ['5 Jul 2024', '1.3'] },
      { line: 3, texts: ['31 Dec 2001', '2.25'] },
    ],
  });
  assert.equal(understoodRows(fit, named, 'de').rows[0]?.texts[1], '1,3');
});
