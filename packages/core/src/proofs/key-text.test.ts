import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base58 } from '@scure/base';
import { BrokenInvariant } from '../basics/assert.ts';
import { encodePublicKey, encodeSecretKey, parsePublicKey, parseSecretKey } from './key-text.ts';

const publicKey = Uint8Array.from({ length: 96 }, (_, index) => index + 150);
const secretKey = Uint8Array.from({ length: 32 }, (_, index) => index + 1);

test('a public key is read in both forms', () => {
  const [short, multikey] = [
    encodePublicKey(publicKey),
    `z${base58.encode(Uint8Array.of(0xeb, 0x01, ...publicKey))}`,
  ];
  assert.ok(multikey.startsWith('zUC7'));
  assert.deepEqual(parsePublicKey(short), publicKey);
  assert.deepEqual(parsePublicKey(multikey), publicKey);
});

test('a secret key is read in both forms', () => {
  const withCode = `z${base58.encode(Uint8Array.of(0x8a, 0x26, ...secretKey))}`;
  assert.deepEqual(parseSecretKey(encodeSecretKey(secretKey)), secretKey);
  assert.deepEqual(parseSecretKey(withCode), secretKey);
});

test('what is not a key is not read', () => {
  const text = encodePublicKey(publicKey);
  const wrong = ['', 'z', text.slice(1), `u${text.slice(1)}`, `${text}1`, `${text}0`, `z${'1'.repeat(5000)}`];
  for (const each of wrong) assert.equal(parsePublicKey(each), undefined, each.slice(0, 20));
  assert.equal(parsePublicKey(`z${base58.encode(Uint8Array.of(0xeb, 0x02, ...publicKey))}`), undefined);
  assert.equal(parsePublicKey(encodeSecretKey(secretKey)), undefined);
  for (const each of [new Uint8Array(32), new Uint8Array(32).fill(0xff)]) {
    assert.equal(parseSecretKey(encodeSecretKey(each)), undefined);
  }
  assert.equal(parseSecretKey(text), undefined);
  assert.throws(() => encodePublicKey(secretKey), BrokenInvariant);
  assert.throws(() => encodeSecretKey(publicKey), BrokenInvariant);
});
