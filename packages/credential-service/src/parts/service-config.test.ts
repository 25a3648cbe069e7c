import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigError, loadConfig } from '@symbolon/host/config/config';
import { serviceConfigSchema } from './service-config.ts';

const name = 'SYMBOLON_COMPAT_LENIENT_SIGNATURES';
const lenient = (env: Record<string, string>): boolean =>
  loadConfig(serviceConfigSchema, { env }).compat.lenientSignatures;

describe('the switch for signatures by the old rule', () => {
  test('is off until somebody says true', () => {
    assert.equal(lenient({}), false);
    assert.equal(lenient({ [name]: 'false' }), false);
    assert.equal(lenient({ [name]: 'true' }), true);
  });

  test('takes nothing that only looks like true', () => {
    for (const given of ['ja', '2', 'lenient'])
      assert.throws(() => lenient({ [name]: given }), ConfigError, given);
  });
});

describe('what a service takes and reaches unless told', () => {
  const { acceptPrivateKeys, callbacks } = loadConfig(serviceConfigSchema, { env: {} });

  test('no private keys', () => assert.equal(acceptPrivateKeys, false));

  test('callbacks to public addresses alone', () =>
    assert.deepEqual(callbacks, { allowLoopback: false, allowPrivate: false }));
});
