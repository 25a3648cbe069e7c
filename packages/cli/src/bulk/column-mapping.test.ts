import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { TemplateAttribute } from '@symbolon/core/documents/model';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { type MappingOrder, mapColumns, readMap } from './column-mapping.ts';

const attributes: readonly TemplateAttribute[] = [
  { key: 'fullName', label: 'Name', type: 'text', format: 'string', mandatory: true },
  { key: 'points', label: 'Points', type: 'integer', format: 'integer', mandatory: false },
];

const order = (header: string[], more: Partial<MappingOrder> = {}): MappingOrder => ({
  header,
  attributes,
  map: new Map(),
  holderColumn: 'did',
  applicationColumn: 'applicationId',
  hasHolderKeys: false,
  ...more,
});

describe('columns', () => {
  test('are found by name, whatever their case and order', () => {
    const { mode, subject, columns, width } = mapColumns(order([' POINTS', 'DID', 'fullname ']));
    assert.deepEqual([mode, subject.index, width], ['holder', 1, 3]);
    assert.deepEqual(
      columns.map(({ index, attribute }) => [index, attribute.key]),
      [
        [0, 'points'],
        [2, 'fullName'],
      ],
    );
  });

  test('are mapped, and left out', () => {
    const map = new Map([
      ['Name of person', 'FULLNAME'],
      ['remarks', ''],
    ]);
    const { columns } = mapColumns(order(['did', 'name of Person', 'Remarks'], { map }));
    assert.deepEqual(
      columns.map(({ attribute }) => attribute.key),
      ['fullName'],
    );
  });

  test('of references are whatever they are called, and may be an attribute, too', () => {
    const referenceColumn = 'E-Mail';
    const found = mapColumns(order(['e-mail', 'fullName'], { referenceColumn }));
    assert.deepEqual([found.mode, found.subject.index], ['reference', 0]);
    assert.deepEqual(
      found.columns.map(({ attribute }) => attribute.key),
      ['fullName'],
    );
    const both = mapColumns(order(['fullName', 'points'], { referenceColumn: 'fullName' }));
    assert.deepEqual(
      both.columns.map(({ attribute }) => attribute.key),
      ['fullName', 'points'],
    );
    assert.throws(() => mapColumns(order(['fullName'], { referenceColumn })), /no column E-Mail/);
    assert.throws(
      () => mapColumns(order(['e-mail', 'points'], { referenceColumn })),
      /fullName has no column/,
    );
  });

  test('say how credentials come about', () => {
    assert.equal(mapColumns(order(['applicationid', 'did'])).mode, 'application');
    assert.equal(mapColumns(order(['did', 'fullName'], { hasHolderKeys: true })).mode, 'keys');
    assert.equal(mapColumns(order(['student'], { holderColumn: 'Student' })).mode, 'holder');
  });

  const refused: readonly [string, MappingOrder, RegExp][] = [
    ['an unknown column', order(['did', 'fulName']), /The column fulName is no attribute/],
    ['nobody to issue to', order(['fullName']), /Nothing says whose credential/],
    ['a column twice', order(['did', 'points', 'Points']), /Points stands there twice/],
    ['two for one', order(['did', 'a', 'points'], { map: new Map([['a', 'points']]) }), /Two columns are/],
    ['a map to nothing known', order(['did', 'a'], { map: new Map([['a', 'b']]) }), /a is mapped to b/],
    ['a map of no column', order(['did'], { map: new Map([['x', 'points']]) }), /no column x to map/],
    ['a mandatory one missing', order(['did'], { hasHolderKeys: true }), /fullName has no column/],
    ['both ways', order(['applicationId'], { hasHolderKeys: true }), /leave --holder-keys away/],
    ['another delimiter', order(['did\tfullName']), /Try --delimiter '\\t'/],
    ['a name of every object', order(['did', '__proto__']), /__proto__ is no attribute/],
  ];
  for (const [name, given, expected] of refused)
    test(`with ${name} are refused`, () => {
      assert.throws(
        () => mapColumns(given),
        (error) =>
          error instanceof CommandFailure &&
          error.exitCode === exitCodes.usage &&
          expected.test(error.message),
      );
    });

  test('all complaints come at once', () => {
    const complaints = (error: unknown) => (error as CommandFailure).facts.complaints;
    assert.throws(
      () => mapColumns(order(['x', 'y', 'y'])),
      (error) => (complaints(error) as string[]).length === 5,
    );
  });
});

describe('a map of columns', () => {
  test('comes from words over a file, and may have the sign in its name', async (context) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-map-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'map.json');
    writeFileSync(file, '{"a":"points","b":"fullName"}');
    const map = await readMap(['a=fullName', 'x=y=', 'c='], file);
    assert.deepEqual(
      [...map],
      [
        ['a', 'fullName'],
        ['b', 'fullName'],
        ['x=y', ''],
        ['c', ''],
      ],
    );
    for (const content of ['[]', '{"a":1}', 'a=b', `"${'x'.repeat(70_000)}"`]) {
      writeFileSync(file, content);
      await assert.rejects(readMap([], file), /is not a map of columns/);
    }
    await assert.rejects(readMap([], `${file}.none`), /is not a map of columns/);
    for (const pair of ['points', '=points', ''])
      await assert.rejects(readMap([pair], undefined), /column=attribute/);
  });
});
