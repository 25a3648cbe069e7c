import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeBase64, encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { generateKey } from '@symbolon/sdk/keys/generated-key';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { readBackup, writeBackup } from './backup.ts';
import { passwordKey } from './protection.ts';
import { randomBytes, sealUnder } from './sealing.ts';
import type { VaultFailure } from './vault-failure.ts';

const password = 'a password of its own';
const [mine, anothers] = [await generateKey(), await generateKey()];
const records = [{ name: 'cards/1', value: { degree: 'BSc' } }];

/** A backup as the wallet writes it, under less work than that takes. */
async function backupOf(sealed: JsonObject): Promise<JsonObject> {
  const salt = randomBytes(32);
  const work = { n: 1_024, r: 8, p: 1 };
  const header: JsonObject = {
    ...{ format: 'symbolon-vault-backup', version: 1, did: mine.did, name: 'Mine' },
    kdf: { name: 'scrypt', ...work, salt: encodeHex(salt) },
  };
  const plain = Uint8Array.from(encodeUtf8(stringifyJson(sealed)));
  const { iv, ciphertext } = await sealUnder(await passwordKey(password, salt, work), header, plain);
  return { ...header, iv: encodeHex(iv), ciphertext: encodeBase64(ciphertext) };
}

const good = await backupOf({ privateKey: mine.privateKey, records });
const refused = (text: string, code: VaultFailure['code'], what: string, given = password) =>
  assert.rejects(readBackup(text, given), (error: VaultFailure) => error.code === code, what);

test('a backup that was written is read back', async () => {
  const contents = { did: mine.did, name: 'Mine', privateKey: mine.privateKey, records };
  const text = await writeBackup(contents, password, new Date(0));
  assert.deepEqual(await readBackup(text, password), contents);
  assert.deepEqual(await readBackup(stringifyJson(good), password), contents);
});

test('a restored name has no characters that cannot be seen or that turn the words around it', async () => {
  const contents = {
    did: mine.did,
    name: 'Eve \u202edetceles\n si 👩‍🎓',
    privateKey: mine.privateKey,
    records,
  };
  const { name } = await readBackup(await writeBackup(contents, password, new Date(0)), password);
  assert.equal(name, 'Eve detceles si 👩‍🎓');
});

test('with another password, or changed in any place, a backup restores nothing and says both', async () => {
  await refused(stringifyJson(good), 'backupSealed', 'another password', 'another password');
  const kdf = good.kdf as JsonObject;
  const sealed = String(good.ciphertext);
  const changes: readonly JsonObject[] = [
    { name: 'Yours' },
    { did: anothers.did },
    { addition: true },
    { iv: encodeHex(randomBytes(12)) },
    { kdf: { ...kdf, salt: encodeHex(randomBytes(32)) } },
    { kdf: { ...kdf, n: 2_048 } },
    { ciphertext: sealed.slice(0, -4) },
    { ciphertext: `AAAA${sealed.slice(4)}` },
    { ciphertext: '' },
  ];
  for (const change of changes)
    await refused(stringifyJson({ ...good, ...change }), 'backupSealed', Object.keys(change).join());
});

test('a cut file, another file, and one that would take too much work are no backup', async () => {
  const text = stringifyJson(good);
  for (const cut of [0, 1, 40, text.length - 1]) await refused(text.slice(0, cut), 'notABackup', `${cut}`);
  const others: readonly JsonObject[] = [
    { version: 2 },
    { format: 'other' },
    { kdf: null },
    { kdf: { ...(good.kdf as JsonObject), n: 2 ** 30 } },
  ];
  for (const change of others)
    await refused(stringifyJson({ ...good, ...change }), 'notABackup', stringifyJson(change));
});

test('what is sealed in a backup must be a wallet, and that of who it says', async () => {
  for (const [what, sealed] of Object.entries<JsonObject>({
    'the key of another': { privateKey: anothers.privateKey, records },
    'no key': { privateKey: 'privHello', records },
    'no records': { privateKey: mine.privateKey },
    'records that are none': { privateKey: mine.privateKey, records: [{ name: 'cards/1' }] },
  }))
    await refused(stringifyJson(await backupOf(sealed)), 'notABackup', what);
});
