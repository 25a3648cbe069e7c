import assert from 'node:assert/strict';
import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { signerFromKeyFile, writeFamilyKeyFile, writeKeyFile } from './key-file.ts';
import { signerFromSeed } from './signer.ts';

const seed = new Uint8Array(32).fill(7);
const privateKey = createKeyFormat(zetrixProfile, sha256).encodePrivateKey(seed);
const password = 'pass wörd';

type File = Record<string, unknown> & {
  readonly kdf: Record<string, unknown>;
  readonly cipher: Record<string, unknown>;
};

const neverAsked = () => assert.fail('nobody is asked for the password of something else');
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    part instanceof Object && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
/** As whoever changes a file on purpose would do it. */
function checksummed({ checksum: _old, ...file }: Record<string, unknown>): string {
  return JSON.stringify({ ...file, checksum: createHash('sha256').update(sorted(file)).digest('hex') });
}

/** A file as docs/key-files.md says, by other code, and quick to open. */
async function cheapFile(): Promise<string> {
  const { address, publicKey } = await signerFromSeed(seed);
  const [salt, iv] = [randomBytes(32), randomBytes(12)];
  const kdf = { name: 'scrypt', n: 1_024, r: 8, p: 1, salt: salt.toString('hex') };
  const cipher = { name: 'AES-256-GCM', iv: iv.toString('hex') };
  const header = { format: 'symbolon-key', version: 1, address, publicKey, kdf, cipher };
  const key = scryptSync(password.normalize('NFC'), salt, 32, { N: kdf.n, r: kdf.r, p: kdf.p });
  const sealing = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(sorted(header)));
  const sealed = Buffer.concat([sealing.update(seed), sealing.final(), sealing.getAuthTag()]);
  return checksummed({ ...header, ciphertext: sealed.toString('hex') });
}

describe('a key file', () => {
  let text: string;
  before(async () => {
    text = await cheapFile();
  });
  const changed = (change: (file: File) => void): Record<string, unknown> => {
    const file = JSON.parse(text) as File;
    change(file);
    return file;
  };

  it('that says one thing twice is refused with its name, before a password is asked for', async () => {
    const text = await cheapFile();
    const twice = text.replace('{"format"', '{"address":"another","format"');
    assert.notEqual(twice, text);
    await assert.rejects(signerFromKeyFile(twice, neverAsked), /the member "address" stands twice/);
  });

  it('takes much memory to try passwords on, and has a salt of its own', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => writeKeyFile(privateKey, password)));
    const [{ kdf }, { kdf: second }] = [one, other].map((file) => JSON.parse(file ?? '') as File) as [
      File,
      File,
    ];
    const { n, r, p } = kdf as Record<string, number>;
    assert.ok(128 * n * r * p >= 128 * 1024 * 1024);
    assert.notEqual(kdf.salt, second.salt);
    assert.equal(one?.includes(privateKey) || one?.includes(Buffer.from(seed).toString('hex')), false);
    assert.equal(
      (await signerFromKeyFile(one ?? '', password)).address,
      (await signerFromSeed(seed)).address,
    );
  });

  it('gives the signer back to who knows the password, however it is typed', async () => {
    const { address } = await signerFromSeed(seed);
    assert.equal((await signerFromKeyFile(text, password)).address, address);
    assert.equal((await signerFromKeyFile(text, async () => password.normalize('NFD'))).address, address);
  });

  it('stays closed to everybody else, and says nothing of what is in it', async () => {
    for (const wrong of ['pass word', `${password} `]) {
      await assert.rejects(signerFromKeyFile(text, wrong), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'passwordWrong');
        assert.equal(error.message.includes(wrong), false);
        return true;
      });
    }
    await assert.rejects(signerFromKeyFile(text, ''), { code: 'invalidArgument' });
    await assert.rejects(writeKeyFile(privateKey, 'x'.repeat(2_000)), { code: 'invalidArgument' });
    await assert.rejects(writeKeyFile('privbNot', password), { code: 'invalidArgument' });
  });

  it('that was changed on purpose does not open, whatever was changed', async () => {
    const { address, publicKey } = await signerFromSeed(new Uint8Array(32).fill(8));
    const flip = (hex: unknown) => `${String(hex).startsWith('0') ? '1' : '0'}${String(hex).slice(1)}`;
    const changes: ((file: File) => void)[] = [
      (file) => Object.assign(file, { address }),
      (file) => Object.assign(file, { address, publicKey }),
      (file) => Object.assign(file, { ciphertext: flip(file.ciphertext) }),
      (file) => Object.assign(file.kdf, { n: 2_048 }),
      (file) => Object.assign(file.kdf, { salt: flip(file.kdf.salt) }),
      (file) => Object.assign(file.cipher, { iv: flip(file.cipher.iv) }),
    ];
    for (const change of changes)
      await assert.rejects(signerFromKeyFile(checksummed(changed(change)), password), {
        code: 'passwordWrong',
      });
  });

  it('that is damaged is told from a wrong password, before one is asked for', async () => {
    const damaged = [
      text.slice(0, -30),
      JSON.stringify(changed((file) => Object.assign(file, { ciphertext: 'ab'.repeat(48) }))),
      JSON.stringify(changed((file) => Object.assign(file.kdf, { n: 65_536 }))),
    ];
    for (const file of damaged)
      await assert.rejects(signerFromKeyFile(file, neverAsked), {
        code: 'invalidArgument',
        message: /no JSON object|damaged/,
      });
  });

  it('is refused where it is none, is not understood, or would take too much work', async () => {
    const cost = (change: object) => checksummed(changed((file) => Object.assign(file.kdf, change)));
    const member = (change: object) => checksummed(changed((file) => Object.assign(file, change)));
    const bad = [
      '',
      '{',
      '[]',
      '{}',
      'x'.repeat(70_000),
      member({ version: 2 }),
      member({ format: 'another' }),
      member({ note: 'nobody knows what this means' }),
      member({ ciphertext: 'ab'.repeat(47) }),
      member({ ciphertext: 5 }),
      member({ kdf: null }),
      member({ cipher: { name: 'AES-256-CTR', iv: 'ab'.repeat(12) } }),
      ...[
        { name: 'argon2id' },
        { n: 2 ** 30 },
        { n: 2 ** 20 },
        { n: 3 },
        { n: 0 },
        { n: '131072' },
        { r: 1_000 },
        { p: 0 },
        { n: 2 ** 19, p: 16 },
        { salt: 'zz' },
        { salt: 'ff' },
        { more: 1 },
      ].map(cost),
    ];
    for (const file of bad)
      await assert.rejects(
        signerFromKeyFile(file, neverAsked),
        { code: 'invalidArgument' },
        file.slice(0, 80),
      );
  });

  it('is what docs/key-files.md says, to somebody who has nothing else', async () => {
    const document = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/key-files.md'), 'utf8');
    const [, written = ''] = /```json\n([^`]+)```/.exec(document) ?? [];
    const [, given = ''] = /password is `([^`]+)`/.exec(document) ?? [];
    const { address } = await signerFromSeed(Uint8Array.from({ length: 32 }, (_, at) => at));
    assert.equal((await signerFromKeyFile(written, given)).address, address);
    const { ciphertext, checksum, ...header } = JSON.parse(written) as File & {
      ciphertext: string;
      checksum: string;
    };
    const { n, r, p, salt } = header.kdf as { n: number; r: number; p: number; salt: string };
    assert.equal(
      createHash('sha256')
        .update(sorted({ ...header, ciphertext }))
        .digest('hex'),
      checksum,
    );
    const key = scryptSync(given.normalize('NFC'), Buffer.from(salt, 'hex'), 32, {
      N: n,
      r,
      p,
      maxmem: 2 ** 28,
    });
    const bytes = Buffer.from(ciphertext, 'hex');
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(String(header.cipher.iv), 'hex'));
    decipher.setAAD(Buffer.from(sorted(header))).setAuthTag(bytes.subarray(-16));
    const opened = Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]);
    assert.equal((await signerFromSeed(opened)).address, address);
  });
});

describe('a key file of the family', () => {
  let text: string;
  before(async () => {
    text = await writeFamilyKeyFile(privateKey, password);
  });
  const changed = (change: (file: Record<string, unknown>) => void): string => {
    const file = JSON.parse(text);
    change(file);
    return JSON.stringify(file);
  };

  it('is opened like one of ours', async () => {
    const { address } = await signerFromSeed(seed);
    assert.equal((await signerFromKeyFile(text, password)).address, address);
    assert.equal(text.includes(privateKey), false);
    await assert.rejects(signerFromKeyFile(text, 'pass word'), { code: 'passwordWrong' });
    const other = changed((file) => {
      file.address = 'ZTX3somebodyElse';
    });
    await assert.rejects(signerFromKeyFile(other, password), { code: 'passwordWrong' });
  });

  it('is refused where it is none, or would take too much work', async () => {
    const cost = (change: Record<string, unknown>) =>
      changed((file) => Object.assign(file.scrypt_params as object, change));
    const bad = [
      changed((file) => {
        file.version = 3;
      }),
      changed((file) => {
        file.cypher_text = 'AAAA';
      }),
      changed((file) => {
        delete file.scrypt_params;
      }),
      ...[
        { n: 2 ** 30 },
        { n: 3 },
        { n: 0 },
        { n: '16384' },
        { r: 1_000 },
        { p: 0 },
        { salt: 'zz' },
        { salt: 'ff' },
        { n: 2 ** 20, r: 32 },
        { n: 2 ** 19, p: 16 },
      ].map(cost),
    ];
    for (const file of bad)
      await assert.rejects(
        signerFromKeyFile(file, neverAsked),
        { code: 'invalidArgument' },
        file.slice(0, 80),
      );
  });
});
