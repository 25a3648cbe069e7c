import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { sha256 } from '@symbolon/host/work/sha256';
import { publicKeyOf } from '@symbolon/ledger-node/signatures/ed25519';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { type NewKeyFile, openKey, readKeyFile, saveKeyFile } from './key-file.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-key-file-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const keys = createKeyFormat(zetrixProfile, sha256);
const seed = randomBytes(32);
const encoded = keys.encodePrivateKey(seed);

function write(name: string, content: string | Uint8Array, mode = 0o600): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

describe('a key file', () => {
  test('gives a signer, white space or not', async () => {
    for (const content of [encoded, `${encoded}\n`, `  ${encoded}\r\n`]) {
      const signer = await readKeyFile(write('good.key', content));
      assert.equal(signer.address, keys.addressOf(publicKeyOf(seed)));
    }
  });

  for (const mode of [0o644, 0o640, 0o604, 0o622]) {
    test(`of mode ${mode.toString(8)} is refused in words that do not contain the key`, async () => {
      const file = write('open.key', encoded, mode);
      const error = await readKeyFile(file).catch((caught) => caught);
      assert.ok(error instanceof CommandFailure);
      assert.equal(error.exitCode, exitCodes.config);
      assert.match(error.message, /others than its owner can reach it[\s\S]*chmod 600/);
      assert.ok(!error.message.includes(encoded));
    });
  }

  const broken = `${encoded.slice(0, -1)}${encoded.endsWith('1') ? '2' : '1'}`;
  const contents: [string, string | Uint8Array][] = [
    ['nothing', ''],
    ['a key with one wrong character', broken],
    ['two keys', `${encoded}\n${encoded}`],
    ['half a key', encoded.slice(0, 20)],
    ['a public key', keys.encodePublicKey(publicKeyOf(seed))],
    ['raw bytes', seed],
    ['raw bytes that begin like JSON', Buffer.concat([Buffer.from('{'), seed])],
    ['JSON that is no key file', '{"version":2}'],
    ['a large file', encoded.repeat(100)],
  ];
  for (const [what, content] of contents) {
    test(`with ${what} in it is refused without repeating it`, async () => {
      await assert.rejects(readKeyFile(write('bad.key', content)), (error) => {
        assert.ok(error instanceof CommandFailure);
        assert.equal(error.exitCode, exitCodes.usage);
        assert.match(error.message, /bad\.key/);
        assert.ok(!error.message.includes(encoded.slice(0, 20)));
        return true;
      });
    });
  }

  test('that is not there, or a folder, is refused', async () => {
    mkdirSync(path.join(folder, 'folder'));
    await assert.rejects(readKeyFile(path.join(folder, 'nothing')), /cannot be read \(ENOENT\)/);
    await assert.rejects(readKeyFile(path.join(folder, 'folder')), /not a key file|cannot be read/);
  });

  test('is not the key itself, and that is not repeated', async () => {
    await assert.rejects(readKeyFile(encoded), (error) => {
      assert.match((error as Error).message, /is a key, and not a file/);
      assert.ok(!(error as Error).message.includes(encoded));
      return true;
    });
  });
});

describe('a new key file', () => {
  const password = 'correct horse';
  const open = (file: string, given: string) => openKey(file, { env: { SYMBOLON_KEY_PASSWORD: given } });

  test('is for its owner alone and is never overwritten', async () => {
    const file = path.join(folder, 'new.key');
    await saveKeyFile(file, encoded, { form: 'bare' });
    assert.equal(statSync(file).mode & 0o777, 0o600);
    await assert.rejects(saveKeyFile(file, encoded, { form: 'bare' }), /there already[\s\S]*Nothing was/);
    await assert.rejects(saveKeyFile(path.join(folder, 'no', 'x'), encoded, { form: 'bare' }), /ENOENT/);
    const { signer, form } = await open(file, '');
    assert.deepEqual([signer.address, form], [keys.addressOf(publicKeyOf(seed)), 'bare']);
  });

  for (const form of ['own', 'family'] as const)
    test(`under a password, in the form ${form}, opens with that one only, and holds no key in clear`, async () => {
      const file = path.join(folder, `${form}.key`);
      const order: NewKeyFile = { form, password };
      await saveKeyFile(file, encoded, order);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      const text = readFileSync(file, 'utf8');
      assert.ok(!text.includes(encoded) && !text.includes(Buffer.from(seed).toString('hex')));
      const opened = await open(file, password);
      assert.deepEqual(
        [opened.signer.address, opened.form, opened.privateKey],
        [keys.addressOf(publicKeyOf(seed)), form, encoded],
      );
      await assert.rejects(open(file, 'a guess 42'), (error) => {
        assert.ok(error instanceof CommandFailure);
        assert.match(error.message, /does not open/);
        assert.ok(!error.message.includes('a guess 42'));
        return true;
      });
    });

  test('that was cut short or damaged says so, and asks for no password', async () => {
    const file = path.join(folder, 'own.key');
    const text = readFileSync(file, 'utf8');
    const asked = { env: {}, input: { isTTY: true, on: assert.fail } as never };
    for (const [broken, why] of [
      [text.slice(0, 200), /only a part/],
      [text.replace('"n": 131072', '"n": 65536'), /damaged/],
      [text.replace('"n": 131072', '"n": 1073741824'), /out of bounds/],
    ] as const)
      await assert.rejects(openKey(write('broken.key', broken), asked), why);
  });

  for (const text of [
    '{}',
    '{"version":2}',
    '{"version":2,"cypher_text":"eA==","scrypt_params":{"n":3}}',
    '{',
  ])
    test(`is not ${text}`, async () => {
      const file = write('other.json', text);
      await assert.rejects(open(file, password), /does not hold a private key of this network/);
    });
});
