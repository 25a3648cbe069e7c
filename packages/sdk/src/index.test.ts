import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as sdk from './index.ts';
import * as verifier from './verifier.ts';
import * as wallet from './wallet.ts';

/** Written by `npm run sdk-reference`; a change of it is a change of the public surface. */
const exported = JSON.parse(readFileSync(new URL('../exports.json', import.meta.url), 'utf8')) as Record<
  string,
  { readonly values: readonly string[]; readonly types: readonly string[] }
>;

test('the public surface is what exports.json says, and changes only on purpose', () => {
  assert.deepEqual(Object.keys(sdk).sort(), exported['@symbolon/sdk']?.values);
  assert.deepEqual(Object.keys(verifier).sort(), exported['@symbolon/sdk/verifier']?.values);
  assert.deepEqual(Object.keys(wallet).sort(), exported['@symbolon/sdk/wallet']?.values);
});

test('what a verifier imports is part of the whole, and the same thing', () => {
  const whole = new Map<string, unknown>(Object.entries(sdk));
  for (const [name, value] of Object.entries(verifier)) assert.equal(whole.get(name), value, name);
});
