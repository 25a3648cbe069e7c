/**
 * Keys in a hardware module, on a real one in software (SoftHSM2): what its keys do, that they stay inside, what
 * happens when it loses its sessions, and the vault whose master key lives there.
 */
import assert from 'node:assert/strict';
import { createPublicKey, randomBytes, verify } from 'node:crypto';
import path from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { openRecords } from '@symbolon/credential-service/database/testing/records';
import { masterKeyFromBytes } from '@symbolon/credential-service/vault/master-key';
import { openVault, rewrapAll } from '@symbolon/credential-service/vault/open-vault';
import {
  type HsmSettings,
  masterKeyInToken,
  openHsmMasterKeys,
} from '@symbolon/credential-service/vault/pkcs11-master-key';
import { createVault, type EncryptionContext } from '@symbolon/credential-service/vault/vault';
import { VaultError } from '@symbolon/credential-service/vault/vault-error';
import { openRecords as openServiceRecords } from '@symbolon/credential-service/wiring/open-records';
import { initServiceFolder, loadServiceConfig } from '@symbolon/credential-service/wiring/service-folder';
import { attribute, mechanism } from '@symbolon/host/pkcs11/constants';
import type { Cryptoki } from '@symbolon/host/pkcs11/cryptoki';
import { HardwareToken } from '@symbolon/host/pkcs11/hardware-token';
import { aesTemplate, queryTemplate } from '@symbolon/host/pkcs11/key-templates';
import {
  packMechanism,
  packQuery,
  packTemplate,
  packWord,
  readAnswers,
  readWord,
} from '@symbolon/host/pkcs11/native-memory';
import { Pkcs11Error } from '@symbolon/host/pkcs11/pkcs11-error';
import { openPkcs11Module } from '@symbolon/host/pkcs11/pkcs11-module';
import { TokenSessions } from '@symbolon/host/pkcs11/token-sessions';
import { createLog } from '@symbolon/host/telemetry/log';
import koffi from 'koffi';
import { ownerOfSuite } from '../support/owner.ts';
import { findSoftHsm, type SoftHsmTokens, softHsmTokens } from '../support/softhsm.ts';
import { tempFolder } from '../support/temp-folder.ts';

const softHsm = await findSoftHsm();
const skip = 'missing' in softHsm && softHsm.missing;

const pin = 'a-pin-that-no-error-shows';
const aad = Buffer.from('context');
const owner = ownerOfSuite();
let tokens: SoftHsmTokens;
let made = 0;

before(() => {
  if (!('missing' in softHsm)) tokens = softHsmTokens(owner, softHsm);
});

/** Settings of a token that only this test has. */
async function freshToken(): Promise<HsmSettings> {
  made += 1;
  const tokenLabel = `token ${made}`;
  await tokens.makeToken(tokenLabel, pin);
  return { module: tokens.module, tokenLabel, pin, keyLabel: 'master' };
}

async function openToken(context: TestContext, settings: HsmSettings): Promise<HardwareToken> {
  const token = await HardwareToken.open(settings);
  context.after(() => token.close());
  return token;
}

const hasCode = (code: string) => (error: unknown) =>
  (error instanceof Pkcs11Error || error instanceof VaultError) &&
  error.code === code &&
  !inspect(error, { depth: 9, showHidden: true }).includes(pin);

/** What only a test does to a module: called past everything that this house builds on it. */
function rawModule(tokenLabel: string) {
  const library = koffi.load(tokens.module);
  const getSlots = library.func(
    'ulong C_GetSlotList(uint8 present, _Out_ ulong *slots, _Inout_ ulong *count)',
  );
  const getInfo = library.func('ulong C_GetTokenInfo(ulong slot, _Out_ uint8 *info)');
  const closeAll = library.func('ulong C_CloseAllSessions(ulong slot)');
  const open = library.func(
    'ulong C_OpenSession(ulong slot, ulong flags, void *app, void *notify, _Out_ ulong *session)',
  );
  const setPin = library.func(
    'ulong C_SetPIN(ulong session, const char *old, ulong oldBytes, const char *pin, ulong pinBytes)',
  );
  const slots = Buffer.alloc(64 * 8);
  const count = [64];
  assert.equal(getSlots(1, slots, count), 0);
  const slot = Array.from({ length: count[0]! }, (_, index) => Number(slots.readBigUInt64LE(8 * index))).find(
    (candidate) => {
      const info = Buffer.alloc(208);
      assert.equal(getInfo(candidate, info), 0);
      return info.toString('utf8', 0, 32).trim() === tokenLabel;
    },
  );
  return {
    loseSessions: () => assert.equal(closeAll(slot), 0),
    changePin(next: string) {
      const session = [0];
      assert.equal(open(slot, 6, null, null, session), 0);
      assert.equal(setPin(session[0], pin, pin.length, next, next.length), 0);
    },
  };
}

/** Sessions of a token, and the functions of its module as they are. */
async function directly(context: TestContext, settings: HsmSettings) {
  const module = await openPkcs11Module(settings.module);
  context.after(() => module.close());
  const sessions = await TokenSessions.open({ ...module, ...settings });
  context.after(() => sessions.close());
  return { cryptoki: module.cryptoki, sessions };
}

const ed25519Key = (raw: Uint8Array) =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(raw).toString('base64url') },
    format: 'jwk',
  });

describe('a token', { skip }, () => {
  test('opens with its label and its PIN only', async () => {
    const settings = await freshToken();
    await assert.rejects(HardwareToken.open({ ...settings, tokenLabel: 'another' }), hasCode('tokenUnknown'));
    await assert.rejects(HardwareToken.open({ ...settings, pin: 'wrong' }), hasCode('CKR_PIN_INCORRECT'));
    await assert.rejects(HardwareToken.open({ ...settings, pin: `${pin}x` }), hasCode('CKR_PIN_INCORRECT'));
    await tokens.makeToken('twice', pin);
    await tokens.makeToken('twice', pin);
    await assert.rejects(HardwareToken.open({ ...settings, tokenLabel: 'twice' }), hasCode('tokenAmbiguous'));
    const token = await HardwareToken.open(settings);
    await token.close();
    await token.close();
    await assert.rejects(token.listKeys({ kind: 'aes' }), hasCode('closed'));
  });

  test('encrypts with a key that stays inside, and notices every change', async (context) => {
    const token = await openToken(context, await freshToken());
    const key = await token.generateAesKey({ label: 'wrapping' });
    assert.deepEqual(await token.protectionOf(key), {
      isSensitive: true,
      isExtractable: false,
      wasNeverExtractable: true,
    });
    for (const size of [1, 32, 4_096]) {
      const [iv, bytes] = [randomBytes(12), randomBytes(size)];
      const sealed = await token.encrypt(key, { iv, aad, bytes });
      assert.equal(sealed.length, size + 16);
      assert.deepEqual(await token.decrypt(key, { iv, aad, bytes: sealed }), Uint8Array.from(bytes));
      const changed = Uint8Array.from(sealed);
      changed[0]! ^= 1;
      const wrong = [
        { iv, aad, bytes: changed },
        { iv, aad: Buffer.from('other'), bytes: sealed },
        { iv: randomBytes(12), aad, bytes: sealed },
        { iv, aad, bytes: sealed.subarray(0, -1) },
      ];
      for (const input of wrong) await assert.rejects(token.decrypt(key, input), Pkcs11Error);
    }
    const other = await token.generateAesKey({ label: 'wrapping' });
    const iv = randomBytes(12);
    const sealed = await token.encrypt(key, { iv, aad, bytes: Buffer.from('x') });
    await assert.rejects(token.decrypt(other, { iv, aad, bytes: sealed }), Pkcs11Error);
  });

  test('signs with Ed25519 keys that others can check', async (context) => {
    const settings = await freshToken();
    const token = await openToken(context, settings);
    const key = await token.generateEd25519Key({ label: 'issuer', id: 'c0ffee' });
    const publicKey = await token.publicKey(key);
    assert.equal(publicKey.length, 32);
    const { isSensitive, isExtractable } = await token.protectionOf(key);
    assert.deepEqual([isSensitive, isExtractable], [true, false]);
    for (const size of [1, 64, 100_000]) {
      const message = randomBytes(size);
      const signature = await token.sign(key, message);
      assert.ok(verify(null, message, ed25519Key(publicKey), signature));
      assert.deepEqual(await token.sign(key, message), signature);
      message[0]! ^= 1;
      assert.ok(!verify(null, message, ed25519Key(publicKey), signature));
    }
  });

  test('does not tell the value of a key, not even to who is logged in', async (context) => {
    const settings = await freshToken();
    const token = await openToken(context, settings);
    const keys = [
      await token.generateAesKey({ label: 'wrapping' }),
      await token.generateEd25519Key({ label: 'issuer' }),
    ];
    const { cryptoki, sessions } = await directly(context, settings);
    const [valueAttribute, attributeSensitive] = [0x11, 0x11];
    for (const key of keys) {
      await sessions.run(async ({ handle: session }) => {
        const template = queryTemplate(key);
        await cryptoki.call('C_FindObjectsInit', session, packTemplate(template), template.length);
        const [object, count] = [packWord(0), packWord(0)];
        await cryptoki.call('C_FindObjects', session, object, 1, count);
        await cryptoki.call('C_FindObjectsFinal', session);
        assert.equal(readWord(count.bytes), 1);
        const query = packQuery([[valueAttribute, 64]]);
        const result = await cryptoki.call('C_GetAttributeValue', session, readWord(object.bytes), query, 1);
        assert.equal(result, attributeSensitive);
        assert.deepEqual(readAnswers(query), [undefined]);
        assert.ok(query.holds[0]!.bytes.every((byte) => byte === 0));
      });
    }
  });

  test('finds keys by kind, label and id, and destroys them for good', async (context) => {
    const settings = await freshToken();
    const token = await openToken(context, settings);
    const aes = await token.generateAesKey({ label: 'ключ' });
    const one = await token.generateEd25519Key({ label: 'custody', id: '01' });
    const two = await token.generateEd25519Key({ label: 'custody', id: '02' });
    assert.deepEqual(await token.listKeys({ kind: 'aes' }), [aes]);
    assert.deepEqual(await token.listKeys({ kind: 'ed25519', id: '02' }), [two]);
    assert.equal((await token.listKeys({ kind: 'ed25519', label: 'custody' })).length, 2);
    assert.deepEqual(await token.listKeys({ kind: 'ed25519', label: 'custod' }), []);
    await token.sign(one, aad);
    await token.destroyKey(one);
    assert.deepEqual(await token.listKeys({ kind: 'ed25519' }), [two]);
    await assert.rejects(token.sign(one, aad), hasCode('keyUnknown'));
    await assert.rejects(token.publicKey(one), hasCode('keyUnknown'));
    await assert.rejects(token.destroyKey(one), hasCode('keyUnknown'));
    await token.generateEd25519Key({ label: 'again', id: '02' });
    // A second user of the same token, as the vault and the custody of keys are.
    const other = await openToken(context, settings);
    await assert.rejects(other.publicKey(two), hasCode('keyAmbiguous'));
    await assert.rejects(other.sign(two, aad), hasCode('keyAmbiguous'));
  });

  test('takes fifty callers at once', async (context) => {
    const token = await openToken(context, await freshToken());
    const aes = await token.generateAesKey({ label: 'wrapping' });
    const edwards = await token.generateEd25519Key({ label: 'issuer' });
    const publicKey = ed25519Key(await token.publicKey(edwards));
    const work = Array.from({ length: 50 }, async (_, index) => {
      const [iv, bytes] = [randomBytes(12), randomBytes(32)];
      if (index % 2 === 0) return verify(null, bytes, publicKey, await token.sign(edwards, bytes));
      const sealed = await token.encrypt(aes, { iv, aad, bytes });
      // Failures in between must not touch what others are doing.
      await assert.rejects(token.decrypt(aes, { iv, aad: bytes, bytes: sealed }));
      return bytes.equals(await token.decrypt(aes, { iv, aad, bytes: sealed }));
    });
    assert.deepEqual(new Set(await Promise.all(work)), new Set([true]));
  });
});

describe('a token that loses its sessions', { skip }, () => {
  test('is left alone by everybody else while a key is made or destroyed', async (context) => {
    const settings = await freshToken();
    const others = await freshToken();
    const [one, two] = [await directly(context, settings), await directly(context, others)];
    let running = 0;
    const seen: number[] = [];
    const work = async () => {
      running += 1;
      seen.push(running);
      await delay(20);
      running -= 1;
    };
    await Promise.all([
      one.sessions.run(work),
      two.sessions.run(work),
      one.sessions.run(work, { isChange: true }),
      two.sessions.run(work, { isChange: true }),
      two.sessions.run(work),
      one.sessions.run(work),
    ]);
    assert.deepEqual(seen, [1, 2, 1, 1, 1, 2]);
  });

  test('is logged in to again, and nobody notices', async (context) => {
    const settings = await freshToken();
    const token = await openToken(context, settings);
    const key = await token.generateAesKey({ label: 'wrapping' });
    const input = { iv: randomBytes(12), aad, bytes: randomBytes(32) };
    const sealed = await token.encrypt(key, input);
    const raw = rawModule(settings.tokenLabel);
    for (let round = 0; round < 3; round++) {
      raw.loseSessions();
      const opened = await Promise.all(
        Array.from({ length: 5 }, () => token.decrypt(key, { ...input, bytes: sealed })),
      );
      for (const bytes of opened) assert.deepEqual(bytes, Uint8Array.from(input.bytes));
    }
    raw.loseSessions();
    assert.equal((await token.listKeys({ kind: 'aes' })).length, 1, 'private keys are seen again');
  });

  test('gets a PIN that it refused only once', async (context) => {
    const settings = await freshToken();
    const module = await openPkcs11Module(settings.module);
    context.after(() => module.close());
    const called: string[] = [];
    const cryptoki: Cryptoki = {
      call(name, ...args) {
        called.push(name);
        return module.cryptoki.call(name, ...args);
      },
    };
    const sessions = await TokenSessions.open({ ...module, cryptoki, ...settings });
    context.after(() => sessions.close());
    const look = () => sessions.run(async ({ handle }) => handle);
    assert.ok((await look()) > 0);
    const raw = rawModule(settings.tokenLabel);
    raw.changePin('another-pin');
    raw.loseSessions();
    const use = () =>
      sessions.run(async () => {
        throw new Pkcs11Error('CKR_SESSION_HANDLE_INVALID', 'gone');
      });
    await assert.rejects(use(), hasCode('CKR_PIN_INCORRECT'));
    for (let round = 0; round < 3; round++) await assert.rejects(look(), hasCode('CKR_PIN_INCORRECT'));
    assert.equal(called.filter((name) => name === 'C_Login').length, 2);
  });

  test('answers late: the caller is told in time, and who waits behind it does nothing', async (context) => {
    const settings = await freshToken();
    const module = await openPkcs11Module(settings.module);
    context.after(() => module.close());
    const sessions = await TokenSessions.open({ ...module, ...settings, operationMs: 2_000 });
    context.after(() => sessions.close());
    const hanging = Promise.withResolvers<void>();
    const late = () => sessions.run(() => hanging.promise);
    let isRun = false;
    const behind = async () => {
      isRun = true;
    };
    const waiting = [late(), late(), sessions.run(behind)];
    for (const { status } of await Promise.allSettled(waiting)) assert.equal(status, 'rejected');
    await assert.rejects(waiting[0]!, hasCode('timedOut'));
    hanging.resolve();
    assert.equal(await sessions.run(async () => 'works again'), 'works again');
    assert.equal(isRun, false);
  });
});

describe('a master key in a token', { skip }, () => {
  const place: EncryptionContext = { table: 'applications', row: 'did:zid:1', purpose: 'attributes' };

  test('is made once, found again, and wraps in the vault’s layout', async () => {
    const settings = await freshToken();
    const [one, two] = await Promise.all([openHsmMasterKeys(settings), openHsmMasterKeys(settings)]);
    assert.match(one.current.id, /^[0-9a-f]{16}$/);
    assert.equal(one.current.id, two.current.id, 'two first starts agree');
    const dataKey = randomBytes(32);
    const wrapped = await one.current.wrap(dataKey);
    assert.equal(wrapped.length, 60);
    assert.ok(!Buffer.from(wrapped).includes(dataKey.subarray(0, 8)));
    await one.close();
    await two.close();
    const again = await openHsmMasterKeys(settings);
    assert.equal(again.current.id, one.current.id);
    assert.deepEqual(await again.current.unwrap(wrapped), Uint8Array.from(dataKey));
    await again.close();
  });

  test('refuses what it did not wrap, and says so', async () => {
    const settings = await freshToken();
    const keys = await openHsmMasterKeys(settings);
    const wrapped = await keys.current.wrap(randomBytes(32));
    for (let index = 0; index < wrapped.length; index += 7) {
      const changed = Uint8Array.from(wrapped);
      changed[index]! ^= 1;
      await assert.rejects(keys.current.unwrap(changed), hasCode('damaged'), `byte ${index}`);
    }
    const cuts = [new Uint8Array(), wrapped.subarray(1), Buffer.concat([wrapped, Uint8Array.of(0)])];
    for (const cut of cuts) await assert.rejects(keys.current.unwrap(cut), hasCode('damaged'));
    await keys.close();
    // A token that is gone is no damage.
    await assert.rejects(keys.current.unwrap(wrapped), hasCode('closed'));
  });

  test('that is not the only one, or not there, stops the start', async (context) => {
    const settings = await freshToken();
    const wrongs = [
      { ...settings, pin: 'wrong' },
      { ...settings, tokenLabel: 'none' },
    ];
    for (const wrong of wrongs)
      await assert.rejects(openHsmMasterKeys(wrong), hasCode('masterKeyUnreachable'));
    const token = await openToken(context, settings);
    for (const label of ['master', 'master']) await token.generateAesKey({ label });
    await assert.rejects(openHsmMasterKeys(settings), hasCode('masterKeyUnreachable'));
    const absent = { ...settings, keyLabel: 'new', previousKeyLabels: ['old'] };
    await assert.rejects(openHsmMasterKeys(absent), hasCode('masterKeyUnreachable'));
    assert.deepEqual(
      await token.listKeys({ kind: 'aes', label: 'old' }),
      [],
      'a key of the past is never made',
    );
  });

  test('that could be taken out of the token is refused', async (context) => {
    const settings = await freshToken();
    const { cryptoki, sessions } = await directly(context, settings);
    for (const [label, weak] of [
      ['extractable', attribute.extractable],
      ['readable', attribute.sensitive],
    ] as const) {
      const template = aesTemplate({ label, id: randomBytes(8).toString('hex') }).map(
        ([type, value]) => [type, type === weak ? !value : value] as const,
      );
      await sessions.run(async ({ handle }) => {
        const generator = packMechanism(mechanism.aesKeyGen);
        const packed = packTemplate(template);
        const result = await cryptoki.call(
          'C_GenerateKey',
          handle,
          generator,
          packed,
          template.length,
          packWord(0),
        );
        assert.equal(result, 0);
      });
      await assert.rejects(openHsmMasterKeys({ ...settings, keyLabel: label }), hasCode('masterKeyUnsafe'));
    }
  });

  test('keeps a vault that opens after a restart, and takes over from a key in a file', async (context) => {
    const settings = await freshToken();
    const url = `sqlite:${path.join(tempFolder(context), 'service.db')}`;
    const now = 1_800_000_000_000;
    const inFile = masterKeyFromBytes(randomBytes(32));
    const first = await openRecords(context, url);
    const old = await openVault(first.kysely, { current: inFile }, now);
    const sealed = await old.encryptText('Ada Lovelace', place);

    const keys = await openHsmMasterKeys(settings);
    const both = await openVault(first.kysely, { current: keys.current, previous: [inFile] }, now);
    const moved = await both.rewrap(sealed);
    assert.ok(moved);
    assert.equal(await rewrapAll(first.kysely, both), 1, 'the check value');
    await keys.close();

    const restarted = await openHsmMasterKeys(settings);
    const vault = await openVault(first.kysely, restarted, now);
    assert.equal(vault.masterKeyId, keys.current.id);
    assert.equal(await vault.decryptText(moved, place), 'Ada Lovelace');
    await assert.rejects(vault.decrypt(moved, { ...place, row: 'did:zid:2' }), hasCode('damaged'));
    await restarted.close();

    const wrongKey = await openHsmMasterKeys({ ...settings, keyLabel: 'another' });
    await assert.rejects(openVault(first.kysely, wrongKey, now), hasCode('wrongMasterKey'));
    await wrongKey.close();
    const rotated = await openHsmMasterKeys({
      ...settings,
      keyLabel: 'another',
      previousKeyLabels: ['master'],
    });
    const after = await openVault(first.kysely, rotated, now);
    assert.equal(await after.decryptText((await after.rewrap(moved)) ?? moved, place), 'Ada Lovelace');
    await rotated.close();
  });

  test('is the master key of a service whose settings say so, with the PIN from the environment', async (context) => {
    const { module, tokenLabel } = await freshToken();
    const folder = path.join(tempFolder(context), 'service');
    await initServiceFolder(folder, { masterKey: { hsm: { module, tokenLabel } } });
    await assert.rejects(loadServiceConfig(folder, { env: {} }), /SYMBOLON_MASTER_KEY_HSM_PIN/);
    const config = await loadServiceConfig(folder, { env: { SYMBOLON_MASTER_KEY_HSM_PIN: pin } });
    const log = createLog({ level: 'silent' });
    const first = await openServiceRecords(folder, { config, log });
    const { masterKeyId } = first.vault;
    await first.close();
    const second = await openServiceRecords(folder, { config, log });
    assert.equal(second.vault.masterKeyId, masterKeyId);
    await second.close();
  });

  test('seals many records at once', async (context) => {
    const token = await openToken(context, await freshToken());
    const vault = createVault({ current: await masterKeyInToken(token, 'master') });
    const texts = Array.from({ length: 50 }, (_, index) => `record ${index}`);
    const sealed = await Promise.all(texts.map((text) => vault.encryptText(text, place)));
    assert.deepEqual(await Promise.all(sealed.map((bytes) => vault.decryptText(bytes, place))), texts);
  });
});
