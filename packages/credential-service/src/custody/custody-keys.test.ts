import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshVault } from '../database/testing/records.ts';
import { severalKeys } from '../wiring/open-custody.ts';
import { keyFormat, registerCustodyKeysConformance } from './custody-keys.conformance.ts';
import { vaultCustodyKeys } from './custody-keys.ts';

registerCustodyKeysConformance('vault', async () => {
  const vault = freshVault();
  return async () => vaultCustodyKeys(vault, keyFormat);
});

test('keys are used where they were made; what is not at hand signs nothing', async () => {
  const inVault = vaultCustodyKeys(freshVault(), keyFormat);
  const token = { ...inVault, backend: 'token' } as const;
  const both = severalKeys(token, inVault);
  const old = await inVault.create();
  assert.equal((await both.sign(old, Buffer.from('x'))).length, 64);
  const alone = severalKeys(inVault);
  await assert.rejects(alone.sign({ ...old, backend: 'token' }, Buffer.from('x')), { code: 'overloaded' });
});
