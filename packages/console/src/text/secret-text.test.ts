import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { bumoProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { formatApiKey } from '@symbolon/wire/http/api-key-form';
import fc from 'fast-check';
import { isFitToSearch, looksSecret } from './secret-text.ts';

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
  assert.deepEqual(
    looked.filter((text) => !isFitToSearch(text)),
    [],
  );
});

/** As keys are: without a pattern, and the same ones in every run. */
const seeds = Array.from({ length: 500 }, (_, at) => sha256(Uint8Array.of(at & 255, at >> 8)));

const spellings: Readonly<Record<string, (seed: Uint8Array) => string>> = {
  'without its beginning': (seed) => formats.map((one) => one.encodePrivateKey(seed).slice(4)).join(' '),
  'with spaces': (seed) => formats[0]?.encodePrivateKey(seed).replace(/.{4}/g, '$& ') ?? '',
  'with dashes': (seed) => formats[0]?.encodePrivateKey(seed).replace(/.{6}/g, '$&-') ?? '',
  'in lines': (seed) => formats[0]?.encodePrivateKey(seed).slice(4).replace(/.{20}/g, '$&\n') ?? '',
  'base64 of 32 bytes': (seed) => Buffer.from(seed).toString('base64'),
  'base64url of 32 bytes': (seed) => Buffer.from(seed).toString('base64url'),
  'base64 of 64 bytes': (seed) => Buffer.concat([seed, sha256(seed)]).toString('base64'),
  'base64url of 64 bytes': (seed) => Buffer.concat([seed, sha256(seed)]).toString('base64url'),
  'hex of 64 bytes': (seed) => Buffer.concat([seed, sha256(seed)]).toString('hex'),
  'hex of 64 bytes with spaces': (seed) =>
    Buffer.concat([seed, sha256(seed)])
      .toString('hex')
      .replace(/../g, '$& '),
  'an API key without sym_': (seed) => `abcdefg2_${Buffer.from(seed).toString('base64url')}`,
  'a JSON Web Key': (seed) =>
    `{"kty":"OKP","crv":"Ed25519","d":"${Buffer.from(seed).toString('base64url')}"}`,
  'a JSON Web Key, cut out': (seed) => `d: ${Buffer.from(seed).toString('base64url')}`,
  'beside something to search for': (seed) => `12 ${'ab'.repeat(32)} ${Buffer.from(seed).toString('base64')}`,
};

for (const [name, spelling] of Object.entries(spellings))
  test(`a key is not searched for: ${name}`, () => {
    assert.deepEqual(seeds.map(spelling).filter(isFitToSearch), []);
  });

test('what a search knows is searched for, and so are names', () => {
  const known = seeds.flatMap((seed) => {
    const hex = Buffer.from(seed).toString('hex');
    const ids = formats.flatMap((one) => [one.addressOf(seed), one.encodePublicKey(seed)]);
    return [
      hex,
      hex.toUpperCase(),
      `0x${hex}`,
      hex.slice(0, 40),
      `did:zid:${hex}`,
      ` did:zid:${hex}#key-1`,
      ...ids,
    ];
  });
  const names = [
    'University of Applied Sciences Example, Faculty 4, Class of 2024',
    'Ministerium für Bildung, Wissenschaft und Forschung des Landes Beispiel',
    'did:web:registry.university-of-example.example:issuers:2024',
    'c56a4180-65aa-42ec-a945-5fd21dec0538',
    '12',
    '1234567890123456789012345678901234567890',
  ];
  assert.deepEqual(
    [...known, ...names].filter((text) => !isFitToSearch(text)),
    [],
  );
});
