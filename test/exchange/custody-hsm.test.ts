/**
 * Custody with keys in a real hardware module in software (SoftHSM2): the whole journey, what every place for keys does,
 * and that no key can be read out, not even by who is logged in.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { registerCustodyKeysConformance } from '@symbolon/credential-service/custody/custody-keys.conformance';
import { openTokenCustodyKeys } from '@symbolon/credential-service/custody/token-custody-keys';
import { VaultError } from '@symbolon/credential-service/vault/vault-error';
import { HardwareToken, type TokenSettings } from '@symbolon/host/pkcs11/hardware-token';
import { queryTemplate } from '@symbolon/host/pkcs11/key-templates';
import {
  packQuery,
  packTemplate,
  packWord,
  readAnswers,
  readWord,
} from '@symbolon/host/pkcs11/native-memory';
import { openPkcs11Module } from '@symbolon/host/pkcs11/pkcs11-module';
import { TokenSessions } from '@symbolon/host/pkcs11/token-sessions';
import { custodySettings, custodyPin as pin, registerCustodyJourney } from '../support/custody-journey.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { keyFormat } from '../support/people.ts';
import { shareProofs, startService } from '../support/running-service.ts';
import { findSoftHsm, type SoftHsmTokens, softHsmTokens } from '../support/softhsm.ts';

const softHsm = await findSoftHsm();
const skip = 'missing' in softHsm && softHsm.missing;
const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let tokens: SoftHsmTokens;
let used = 0;

const journeyToken = 'journey';
/** More than there are tests. */
const freshTokens = 10;

/** All at once and first: a module that is open does not see what another program adds. */
before(async () => {
  if ('missing' in softHsm) return;
  tokens = softHsmTokens(owner, softHsm);
  const fresh = Array.from({ length: freshTokens }, (_, index) => `token ${index + 1}`);
  for (const label of [journeyToken, ...fresh]) await tokens.makeToken(label, pin);
});

const tokenOf = (tokenLabel: string): TokenSettings => ({ module: tokens.module, tokenLabel, pin });

function freshToken(): TokenSettings {
  used += 1;
  assert.ok(used <= freshTokens, 'there are enough tokens');
  return tokenOf(`token ${used}`);
}

registerCustodyJourney('a hardware module', {
  owner,
  skip,
  async start(of) {
    const hsm = { ...tokenOf(journeyToken) };
    return startService(of, { proofs, config: { custody: { ...custodySettings, hsm } } });
  },
});

registerCustodyKeysConformance(
  'hardware module',
  async (context) => {
    const settings = freshToken();
    return async () => {
      const keys = await openTokenCustodyKeys(settings, keyFormat);
      context.after(() => keys.close());
      return keys;
    };
  },
  { skip },
);

test('no private key can be read out of the module', { skip }, async (context) => {
  const settings = tokenOf(journeyToken);
  const token = await HardwareToken.open(settings);
  context.after(() => token.close());
  const keys = await token.listKeys({ kind: 'ed25519' });
  assert.ok(keys.length >= 4, 'the accounts of the journey have their keys here');
  const { close, ...module } = await openPkcs11Module(settings.module);
  const { cryptoki } = module;
  context.after(close);
  const sessions = await TokenSessions.open({ ...module, ...settings });
  context.after(() => sessions.close());
  const [valueAttribute, attributeSensitive] = [0x11, 0x11];
  for (const key of keys) {
    assert.deepEqual(await token.protectionOf(key), {
      isSensitive: true,
      isExtractable: false,
      wasNeverExtractable: true,
    });
    await sessions.run(async ({ handle: session }) => {
      const template = queryTemplate({ kind: key.kind, id: key.id });
      await cryptoki.call('C_FindObjectsInit', session, packTemplate(template), template.length);
      const [object, count] = [packWord(0), packWord(0)];
      await cryptoki.call('C_FindObjects', session, object, 1, count);
      await cryptoki.call('C_FindObjectsFinal', session);
      assert.equal(readWord(count.bytes), 1);
      const query = packQuery([[valueAttribute, 64]]);
      const result = await cryptoki.call('C_GetAttributeValue', session, readWord(object.bytes), query, 1);
      assert.equal(result, attributeSensitive);
      assert.deepEqual(readAnswers(query), [undefined]);
    });
  }
});

test('a token that cannot be opened stops the start with words, without the PIN', { skip }, async () => {
  const settings = freshToken();
  for (const wrong of [{ tokenLabel: 'nowhere' }, { pin: 'another-pin' }, { module: '/nowhere/module.so' }]) {
    const error = await openTokenCustodyKeys({ ...settings, ...wrong }, keyFormat).catch((caught) => caught);
    assert.ok(error instanceof VaultError && error.code === 'custodyUnreachable');
    assert.match(error.message, /^The keys of custody cannot be reached\. /);
    assert.ok(!error.message.includes(settings.pin) && !error.message.includes('another-pin'));
  }
});

test('a key that is taken back is gone', { skip }, async (context) => {
  const keys = await openTokenCustodyKeys(freshToken(), keyFormat);
  context.after(() => keys.close());
  const key = await keys.create();
  await keys.discard(key);
  await assert.rejects(keys.sign(key, Buffer.from('x')), { code: 'overloaded', reason: 'hardwareFailed' });
});
