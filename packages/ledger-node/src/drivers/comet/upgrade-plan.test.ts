import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { OperatorError } from '@symbolon/core/faults/operator-errors';
import { assertOwnBlock, UpgradeDue } from './upgrade-plan.ts';

function planPlace(context: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-test-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return path.join(folder, 'upgrade.json');
}

test('blocks up to the planned one are anybody’s, later ones those of newer programs', async (context) => {
  const planFile = planPlace(context);
  const may = (version: string, height: bigint) => assertOwnBlock({ planFile, version }, height);
  await may('0.1.0', 1_000n);
  writeFileSync(planFile, JSON.stringify({ after: 40, version: '0.2' }));
  await may('0.1.0', 40n);
  await assert.rejects(may('0.1.9', 41n), (error) => {
    assert.ok(error instanceof UpgradeDue);
    assert.match(
      error.message,
      /block 40 was the last one of this program, which is 0\.1\.9: install 0\.2 or/,
    );
    return true;
  });
  for (const version of ['0.2', '0.2.0', '0.10', '1']) await may(version, 41n);
  await assertOwnBlock({ planFile: undefined, version: '0.1.0' }, 41n);
  rmSync(planFile);
  await may('0.1.0', 41n);
});

test('a plan that cannot be read passes for none nowhere', async (context) => {
  const planFile = planPlace(context);
  for (const text of [
    '',
    '{',
    '{}',
    '{"after":0,"version":"1"}',
    '{"after":5,"version":"next"}',
    '{"after":5,"version":"1","by":1}',
  ]) {
    writeFileSync(planFile, text);
    await assert.rejects(assertOwnBlock({ planFile, version: '9' }, 1n), OperatorError, text);
  }
});
