import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { BrokenInvariant } from '@symbolon/core/basics/assert';
import fc from 'fast-check';
import { freshVault, sqliteRecords, twentyTimes } from '../database/testing/records.ts';
import { recordLimits } from '../limits/service-limits.ts';
import { masterKeyFromBytes, masterKeyFromFile, masterKeyFromText } from './master-key.ts';
import { registerVaultConformance } from './vault.conformance.ts';
import { createVault, type EncryptionContext } from './vault.ts';
import { VaultError } from './vault-error.ts';

registerVaultConformance('sqlite', sqliteRecords);

const place: EncryptionContext = { table: 'applications', row: 'did:zid:1', purpose: 'attributes' };
const isVaultError = (code: string) => (error: unknown) => error instanceof VaultError && error.code === code;

function tempFolder(context: TestContext): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-vault-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('what is encrypted opens in its place and nowhere else', async () => {
  const vault = freshVault();
  const encrypted = await vault.encryptText('Ada Lovelace', place);
  assert.ok(!Buffer.from(encrypted).includes('Ada'));
  assert.equal(await vault.decryptText(encrypted, place), 'Ada Lovelace');
  const elsewhere: EncryptionContext[] = [
    { ...place, table: 'credentials' },
    { ...place, row: 'did:zid:2' },
    { ...place, purpose: 'draft' },
    { ...place, row: 'did:zid:1","attributes', purpose: '' },
  ];
  for (const other of elsewhere)
    await assert.rejects(vault.decrypt(encrypted, other), isVaultError('damaged'));
});

test('bytes of every length come back, and the same text is never encrypted the same way', async () => {
  const vault = freshVault();
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (bytes) => {
      const [one, two] = [await vault.encrypt(bytes, place), await vault.encrypt(bytes, place)];
      assert.deepEqual(new Uint8Array(await vault.decrypt(one, place)), bytes);
      assert.notDeepEqual(one, two);
    }),
    { numRuns: 50 },
  );
  const tooLarge = new Uint8Array(recordLimits.encryptedBytesMax + 1);
  await assert.rejects(vault.encrypt(tooLarge, place), BrokenInvariant);
});

test('a change of any byte, and any cut, is noticed', async () => {
  const vault = freshVault();
  const encrypted = await vault.encryptText('secret', place);
  for (let index = 0; index < encrypted.length; index++) {
    const changed = Uint8Array.from(encrypted);
    changed[index]! ^= 1;
    await assert.rejects(vault.decrypt(changed, place), VaultError, `byte ${index}`);
    await assert.rejects(vault.decrypt(encrypted.subarray(0, index), place), VaultError, `cut at ${index}`);
  }
  await assert.rejects(vault.decrypt(Buffer.concat([encrypted, Uint8Array.of(0)]), place), VaultError);
});

test('a record of another master key says which key it needs, and shows none', async () => {
  const [one, two] = [randomBytes(32), randomBytes(32)];
  const encrypted = await createVault({ current: masterKeyFromBytes(one) }).encryptText('x', place);
  const error = await createVault({ current: masterKeyFromBytes(two) })
    .decrypt(encrypted, place)
    .catch((caught) => caught);
  assert.ok(isVaultError('wrongMasterKey')(error));
  assert.match(error.message, new RegExp(masterKeyFromBytes(one).id));
  for (const key of [one, two]) assert.ok(!error.message.includes(key.toString('hex').slice(0, 8)));
});

test('a record under a new master key is the same record', async () => {
  const [old, next] = [masterKeyFromBytes(randomBytes(32)), masterKeyFromBytes(randomBytes(32))];
  const encrypted = await createVault({ current: old }).encryptText('kept', place);
  const both = createVault({ current: next, previous: [old] });
  const rewrapped = await both.rewrap(encrypted);
  assert.equal(await createVault({ current: next }).decryptText(rewrapped!, place), 'kept');
  assert.equal(await both.rewrap(rewrapped!), undefined);
  await assert.rejects(both.decrypt(rewrapped!, { ...place, row: 'other' }), isVaultError('damaged'));
});

test('master keys are read as hex and base64; anything else is refused and not repeated', () => {
  const bytes = randomBytes(32);
  const { id } = masterKeyFromBytes(bytes);
  const forms = ['hex', 'base64', 'base64url'] as const;
  for (const form of forms) assert.equal(masterKeyFromText(` ${bytes.toString(form)}\n`).id, id);
  assert.equal(masterKeyFromText(bytes.toString('hex').toUpperCase()).id, id);
  const bad = [
    '',
    'password',
    'zz'.repeat(32),
    '00'.repeat(32),
    'ab'.repeat(31),
    randomBytes(33).toString('base64'),
  ];
  for (const text of bad) {
    assert.throws(
      () => masterKeyFromText(text),
      (error: Error) =>
        isVaultError('masterKeyMalformed')(error) && (text === '' || !error.message.includes(text)),
    );
  }
});

test('a key file is made once, for its owner alone, and read again', async (context) => {
  const folder = path.join(tempFolder(context), 'new');
  const file = path.join(folder, 'master.key');
  const ids = (await twentyTimes(() => masterKeyFromFile(file))).map(({ id }) => id);
  assert.equal(new Set(ids).size, 1);
  assert.equal((await masterKeyFromFile(file)).id, ids[0]);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['master.key'], 'nothing else is left behind');
  assert.match(readFileSync(file, 'utf8'), /^[0-9a-f]{64}\n$/);
});

test('a key file that others can read, or that is none, is refused', async (context) => {
  const folder = tempFolder(context);
  const file = path.join(folder, 'master.key');
  await masterKeyFromFile(file);
  for (const mode of [0o640, 0o604, 0o660]) {
    chmodSync(file, mode);
    await assert.rejects(masterKeyFromFile(file), isVaultError('masterKeyUnsafe'), mode.toString(8));
  }
  const write = (text: string) => {
    chmodSync(file, 0o600);
    writeFileSync(file, text);
  };
  write('');
  await assert.rejects(masterKeyFromFile(file), isVaultError('masterKeyMalformed'));
  write('x'.repeat(5_000));
  await assert.rejects(masterKeyFromFile(file), isVaultError('masterKeyUnsafe'));
  await assert.rejects(masterKeyFromFile(folder), isVaultError('masterKeyUnsafe'));
});
