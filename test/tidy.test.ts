/** The house rules, held against this checkout. What each rule means is in tidy/rules.ts. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import { readHouse } from './tidy/house.ts';
import { rules, untested, unused } from './tidy/rules.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Full of bad examples on purpose. */
const badExamples = 'test/tidy/rules.test.ts';
const house = readHouse(root).filter(({ file }) => file !== badExamples);

function none(complaints: readonly string[]): void {
  if (complaints.length > 0) assert.fail(`\n${[...new Set(complaints)].join('\n')}\n`);
}

describe('the house is tidy', () => {
  test('there is a house', () => {
    assert.ok(house.some(({ file }) => file === 'package.json'));
    assert.ok(house.some(({ file, code }) => file.startsWith('packages/core/src/') && code !== undefined));
  });

  for (const [name, rule] of Object.entries(rules)) test(name, () => none(rule(house, root)));

  test('every route of the ledger is tested', () => {
    const paths = Object.keys(ledgerRoutes).map((name) => [name, `/${name}`]);
    none(untested(Object.fromEntries(paths), house));
  });

  test('every route of the service is tested', () => {
    const paths = Object.entries(allRoutes).map(([name, { path: at }]) => [name, at]);
    none(untested(Object.fromEntries(paths), house));
  });

  test('every ledger code is used', () => {
    const table = { file: 'packages/core/src/ledger/terms/codes.ts', as: 'codes' };
    none(unused(Object.keys(codes), house, table));
  });
});
