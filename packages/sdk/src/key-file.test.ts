import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { createKeyFormat } from '@symbolon/core/keys';
import { zetrixProfile } from '@symbolon/core/profile';
import { signerFromKeyFile, writeKeyFile } from './key-file.ts';
import { signerFromSeed } from './signer.ts';

const seed = new Uint8Array(32).fill(7);
const privateKey = createKeyFormat(zetrixProfile, sha256).encodePrivateKey(seed);
const password = 'pass wörd';

describe('a key file', () => {
  let text: string;
  before(async () => {
    text = await writeKeyFile(privateKey, password);
  });
  const changed = (change: (file: Record<string, unknown>) => void): string => {
    const file = JSON.parse(text);
    change(file);
    return JSON.stringify(file);
  };

  it('gives the signer back to who knows the password', async () => {
    const { address } = await signerFromSeed(seed);
    assert.equal((await signerFromKeyFile(text, password)).address, address);
    assert.equal((await signerFromKeyFile(text, async () => password)).address, address);
    assert.equal(text.includes(privateKey), false);
    assert.notEqual(text, await writeKeyFile(privateKey, password), 'every file has a salt of its own');
  });

  it('stays closed to everybody else, and says nothing of what is in it', async () => {
    for (const wrong of ['pass word', `${password} `]) {
      await assert.rejects(signerFromKeyFile(text, wrong), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'passwordWrong');
        assert.equal(error.message.includes(wrong), false);
        return true;
      });
    }
    const other = changed((file) => {
      file.address = 'ZTX3somebodyElse';
    });
    await assert.rejects(signerFromKeyFile(other, password), { code: 'passwordWrong' });
    await assert.rejects(signerFromKeyFile(text, ''), { code: 'invalidArgument' });
    await assert.rejects(writeKeyFile(privateKey, 'x'.repeat(2_000)), { code: 'invalidArgument' });
    await assert.rejects(writeKeyFile('privbNot', password), { code: 'invalidArgument' });
  });

  it('is refused where it is none, or would take too much work', async () => {
    const cost = (change: Record<string, unknown>) =>
      changed((file) => Object.assign(file.scrypt_params as object, change));
    const bad = [
      '',
      '{',
      '[]',
      '{}',
      'x'.repeat(70_000),
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
      ].map(cost),
      cost({ n: 2 ** 20, r: 32 }),
    ];
    for (const file of bad) {
      const neverAsked = () => assert.fail('nobody is asked for the password of something else');
      await assert.rejects(
        signerFromKeyFile(file, neverAsked),
        { code: 'invalidArgument' },
        file.slice(0, 80),
      );
    }
  });
});
