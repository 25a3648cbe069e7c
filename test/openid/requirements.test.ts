/** Every requirement of the table has a test, and every test that the table names is there. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

interface Requirement {
  readonly standard: string;
  readonly section: string;
  readonly requirement: string;
  readonly file: string;
  readonly test: string;
}

const at = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');

test('each requirement of the standards names a test that exists', async () => {
  const table = JSON.parse(await at('./requirements.json')) as readonly Requirement[];
  const standards = new Set(table.map(({ standard }) => standard));
  for (const wanted of [
    'vc-data-model-2.0',
    'vc-bitstring-status-list',
    'vc-di-eddsa',
    'vc-api',
    'did-resolution',
  ])
    assert.ok(standards.has(wanted), wanted);
  for (const { requirement, section, file, test: name } of table) {
    assert.ok(requirement !== '' && section !== '', name);
    const quoted = [`'${name}'`, `'${name.replaceAll("'", "\\'")}'`, `"${name}"`];
    const text = await at(`../../${file}`);
    assert.ok(
      quoted.some((one) => text.includes(one)),
      `${file}: ${name}`,
    );
  }
  const names = table.map(({ file, test: name, requirement }) => `${file} ${name} ${requirement}`);
  assert.equal(new Set(names).size, names.length);
});
