/** What goes wrong before there is a token; with one, it is tested in test/service/hsm.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { openHsmMasterKeys } from './pkcs11-master-key.ts';
import { VaultError } from './vault-error.ts';

test('a module that cannot be used stops the start with words, without the PIN', async () => {
  const pin = 'never-shown-4711';
  const modules = ['libsofthsm2.so', '/nowhere/libsofthsm2.so', '/dev/null'];
  for (const module of modules) {
    const settings = { module, tokenLabel: 'vault', keyLabel: 'master', pin };
    const error = await openHsmMasterKeys(settings).catch((caught) => caught);
    assert.ok(error instanceof VaultError && error.code === 'masterKeyUnreachable');
    assert.match(error.message, new RegExp(`The master key cannot be reached.*${module}`));
    assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), /never-shown/);
  }
});
