/** Finding test files. Running them is a matter of processes: test/journeys/contract-commands.test.ts. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { findTestFiles, NoTests } from './run-tests.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-run-tests-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const at = (...names: string[]): string => path.join(folder, ...names);
for (const name of ['a', 'a/inside', 'a/node_modules', 'a/.hidden', 'empty', 'other.test.js']) {
  mkdirSync(at(name), { recursive: true });
}
for (const name of [
  'a/token.js',
  'a/token.test.ts',
  'a/inside/x.test.mjs',
  'a/inside/y.test.jsx',
  'a/inside/test.ts',
  'a/node_modules/z.test.js',
  'a/.hidden/z.test.js',
  'odd-name.js',
]) {
  writeFileSync(at(name), '');
}

describe('test files', () => {
  test('are found by their ending, in folders and those inside', async () => {
    assert.deepEqual(await findTestFiles([at('a')]), [at('a/inside/x.test.mjs'), at('a/token.test.ts')]);
  });

  test('are whatever is named, and each counts once', async () => {
    const places = [at('odd-name.js'), at('a'), at('a/token.test.ts'), at('odd-name.js')];
    const files = await findTestFiles(places);
    assert.deepEqual(files, [at('odd-name.js'), at('a/inside/x.test.mjs'), at('a/token.test.ts')]);
  });

  test('are named from where one stands', async () => {
    const [file] = await findTestFiles([path.relative(process.cwd(), at('odd-name.js'))]);
    assert.equal(file, at('odd-name.js'));
  });

  for (const place of ['empty', 'nowhere', 'other.test.js', 'a/token.js/inside']) {
    test(`are not found in ${place}`, async () => {
      await assert.rejects(findTestFiles([at('a'), at(place)]), NoTests);
    });
  }
});
