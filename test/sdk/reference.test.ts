/** The committed list of exports and the committed reference are those of the code. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

interface ReferenceScript {
  readonly exportsFile: string;
  readonly referenceFile: string;
  exportsText(): string;
  sdkReference(node: { readonly file: string }): Promise<string>;
}

const script = path.resolve(import.meta.dirname, '../../scripts/lib/sdk-reference.mjs');
const reference = (await import(pathToFileURL(script).href)) as ReferenceScript;
const advice = 'Run npm run sdk-reference, look at what changed, and commit it.';

test('the list of exports, types included', () => {
  assert.equal(readFileSync(reference.exportsFile, 'utf8'), reference.exportsText(), advice);
});

test('the reference', async () => {
  const made = await reference.sdkReference({ file: process.execPath });
  assert.ok(readFileSync(reference.referenceFile, 'utf8') === made, advice);
  const bare = [...made.matchAll(/^### (\w+)\n\n```/gm)].map(([, name]) => name);
  assert.deepEqual(bare, [], 'every export has a sentence that says what it is');
  for (const name of ['createCredentialClient', 'watchLedger', 'PaymentRequired']) {
    assert.ok(made.includes(`\n### ${name}\n`), name);
  }
});
