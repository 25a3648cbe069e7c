import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { bumoProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { formatApiKey } from '@symbolon/wire/http/api-key-form';
import fc from 'fast-check';
import { looksSecret } from './secret-text.ts';

const formats = [zetrixProfile, bumoProfile].map((profile) => createKeyFormat(profile, sha256));

test('every private key is a secret, also among other text, cut off or with a slip', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (seed) => {
      for (const format of formats) {
        const key = format.encodePrivateKey(seed);
        const given = [key, ` ${key}\n`, `key=${key}`, key.slice(0, -5), `${key.slice(0, -1)}x`];
        assert.ok(given.every(looksSecret));
      }
    }),
  );
});

test('an API key is a secret, its id is none', () => {
  const key = formatApiKey({ id: 'abcdefg2', secret: 'A-_'.repeat(14).concat('x') });
  for (const text of [key, `Bearer ${key}`, key.slice(0, 30)]) assert.equal(looksSecret(text), true);
  for (const text of [`${key.slice(0, 15)}\u200b${key.slice(15)}`, key.replace('sym_', 'ｓｙｍ_')])
    assert.equal(looksSecret(text), true);
  assert.equal(looksSecret('sym_abcdefg2'), false);
});

test('what people look for is none', () => {
  const seed = new Uint8Array(32).fill(7);
  const [zetrix] = formats;
  const looked = [
    '',
    'private',
    'Privatversicherungsgesellschaft',
    'privatversicherungsgesellschaft',
    'did:zid:a64274104116f1562c9a9d92d4e228a83040de1aef7ba7bf33318378ae53dae7',
    'ab'.repeat(32),
    zetrix?.addressOf(seed) ?? '',
    zetrix?.encodePublicKey(seed) ?? '',
  ];
  assert.deepEqual(looked.filter(looksSecret), []);
});
