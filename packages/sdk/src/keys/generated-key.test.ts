import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bumoProfile } from '@symbolon/core/keys/profile';
import { SdkError } from '../errors/errors.ts';
import { generateKey } from './generated-key.ts';
import { didOfSigner, signerFromPrivateKey } from './signer.ts';

describe('a new key', () => {
  test('signs as the signer of its text does, for one account and one DID', async () => {
    const { signer, privateKey, address, did } = await generateKey();
    const again = await signerFromPrivateKey(privateKey);
    assert.deepEqual([again.address, again.publicKey], [address, signer.publicKey]);
    assert.deepEqual([signer.address, didOfSigner(again)], [address, did]);
    const message = Uint8Array.of(1, 2, 3);
    assert.deepEqual(await signer.sign(message), await again.sign(message));
  });

  test('is another one each time', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => generateKey()));
    assert.equal(new Set(made.map(({ privateKey }) => privateKey)).size, made.length);
  });

  test('is one of the network that is meant', async () => {
    const { signer, privateKey, did } = await generateKey({ profile: bumoProfile });
    assert.equal((await signerFromPrivateKey(privateKey, { profile: bumoProfile })).address, signer.address);
    assert.equal(did, didOfSigner(signer, bumoProfile));
  });

  test('is not made for options that are not known', async () => {
    await assert.rejects(generateKey({ profil: bumoProfile } as never), SdkError);
  });
});
