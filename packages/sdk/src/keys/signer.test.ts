import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import { bumoProfile } from '@symbolon/core/keys/profile';
import type { SdkErrorCode } from '../errors/error-words.ts';
import { SdkError } from '../errors/errors.ts';
import { signerFromPrivateKey, signerFromSeed } from './signer.ts';

const vectorsUrl = new URL('../../../core/vectors/ledger/keys.json', import.meta.url);
const { keys } = JSON.parse(readFileSync(vectorsUrl, 'utf8'));
const bytesOf = (text: string) => parseHex(text) as Uint8Array;

const fails = (code: SdkErrorCode, secret?: string) => (error: unknown) => {
  assert.ok(error instanceof SdkError, String(error));
  assert.equal(error.code, code);
  if (secret)
    assert.ok(!`${error.message} ${error.hint} ${error.stack} ${String(error.cause)}`.includes(secret));
  return true;
};

describe('a signer', () => {
  for (const key of keys)
    test(`has the address, key and signatures of the public packages: ${key.name}`, async () => {
      const signers = [
        await signerFromPrivateKey(key.zetrix_private_key),
        await signerFromSeed(bytesOf(key.raw_private_key_hex)),
      ];
      for (const signer of signers) {
        assert.equal(signer.address, key.zetrix_address);
        assert.equal(signer.publicKey, key.public_key);
        for (const { message_hex, signature_hex } of key.signatures)
          assert.equal(encodeHex(await signer.sign(bytesOf(message_hex))), signature_hex);
      }
      const sibling = await signerFromPrivateKey(key.bumo_private_key, { profile: bumoProfile });
      assert.equal(sibling.address, key.bumo_address);
    });

  test('keeps nothing of the key in reach, and leaves the seed as it was', async () => {
    const seed = new Uint8Array(32).fill(7);
    const signer = await signerFromSeed(seed);
    assert.deepEqual(Object.keys(signer), ['address', 'publicKey', 'sign']);
    assert.deepEqual(seed, new Uint8Array(32).fill(7));
  });

  test('signs part of a larger buffer, and an empty message', async () => {
    const signer = await signerFromSeed(new Uint8Array(32));
    const buffer = Uint8Array.of(9, 1, 2, 3, 9);
    const part = await signer.sign(buffer.subarray(1, 4));
    assert.deepEqual(part, await signer.sign(Uint8Array.of(1, 2, 3)));
    assert.equal((await signer.sign(new Uint8Array(0))).length, 64);
  });

  const good: string = keys[0].zetrix_private_key;
  const badKeys = [
    '',
    ' ',
    good.slice(0, -1),
    `${good}1`,
    ` ${good}`,
    `${good}\n`,
    `${good.slice(0, 20)}0${good.slice(21)}`,
  ];
  for (const [index, text] of badKeys.entries())
    test(`does not come from broken key text ${index}, which its error does not show`, async () => {
      await assert.rejects(signerFromPrivateKey(text), fails('invalidArgument', text.trim() || undefined));
    });

  test('does not come from an address, a public key or a key of another network', async () => {
    for (const text of [keys[0].zetrix_address, keys[0].public_key, keys[0].raw_private_key_hex])
      await assert.rejects(signerFromPrivateKey(text), fails('invalidArgument', text));
    await assert.rejects(signerFromPrivateKey(keys[0].bumo_private_key), fails('invalidArgument'));
  });

  for (const length of [0, 31, 33, 64])
    test(`does not come from a seed of ${length} bytes`, async () => {
      await assert.rejects(signerFromSeed(new Uint8Array(length)), fails('invalidArgument'));
    });

  test('says so where the platform cannot sign', async (t) => {
    // What a page sees that came over plain HTTP, and a browser without Ed25519.
    const lacking = [{}, { subtle: { importKey: () => Promise.reject(new Error('NotSupportedError')) } }];
    for (const value of lacking) {
      t.mock.getter(globalThis, 'crypto', () => value as unknown as typeof globalThis.crypto);
      await assert.rejects(signerFromSeed(new Uint8Array(32)), fails('signingUnavailable'));
      t.mock.restoreAll();
    }
  });
});
