import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { base58 } from '@scure/base';
import fc from 'fast-check';
import { BrokenInvariant } from '../basics/assert.ts';
import { parseHex } from '../basics/bytes.ts';
import { createKeyFormat } from '../keys/keys.ts';
import { bumoProfile, zetrixProfile } from '../keys/profile.ts';
import {
  addressOfDid,
  didOfPublicKey,
  encodeBbsPublicKey,
  encodeBbsSecretKey,
  encodeMultikey,
  parseBbsPublicKey,
  parseDid,
  parseLedgerDid,
  parseMultikey,
  parsePublicKeyMultibase,
  splitDidUrl,
} from './did.ts';

const keys = createKeyFormat(zetrixProfile, (bytes) => createHash('sha256').update(bytes).digest());
const hex = '7f0b0cd2f99de9b7e71cfe2b9ba3d2e4d4db999d6eb5d7cce1b82bfafad68a31';
const did = `did:zid:${hex}`;

/** A compressed point's first bits, and anything behind them. */
const bbsKey = Uint8Array.from({ length: 96 }, (_, index) => (index === 0 ? 0x8a : index));

describe('identifiers of the ledger', () => {
  test('are their key and name an account', () => {
    const publicKey = parseHex(hex) as Uint8Array;
    assert.deepEqual(parseLedgerDid(did, zetrixProfile), publicKey);
    assert.equal(didOfPublicKey(publicKey, zetrixProfile), did);
    assert.equal(addressOfDid(did, keys), 'ZTX3SaMw164VpkvH5EGvbJ5Kit9jFWd6GjLjy');
  });

  test('belong to one network', () => {
    assert.equal(parseDid(did, bumoProfile), 'methodNotSupported');
    assert.equal(addressOfDid(did.replace('zid', 'bid'), keys), undefined);
  });

  const malformed = [
    '',
    'did',
    'did:',
    'did:zid',
    'did:zid:',
    `did:zid:${hex}0`,
    `did:zid:${hex.slice(1)}`,
    `did:zid:${hex.toUpperCase()}`,
    `DID:zid:${hex}`,
    `did:ZID:${hex}`,
    ` ${did}`,
    `${did}\n`,
    `${did}#controller`,
    `${did}?versionId=1`,
    `did:zid:main:${hex}`,
    `did:zid:${hex.slice(2)}%61`,
    `did:zid:${'0'.repeat(100_000)}`,
    `did:zid:${'a:'.repeat(40)}`,
  ];
  for (const text of malformed)
    test(`are not "${text.slice(0, 90).trim()}"`, () =>
      assert.equal(parseDid(text, zetrixProfile), 'invalidDid'));

  test('of other methods are told apart from malformed ones', () => {
    for (const text of ['did:web:example.com', 'did:ion:abc', 'did:zid2:00', 'did:example:a:b%20c'])
      assert.equal(parseDid(text, zetrixProfile), 'methodNotSupported');
  });

  test('parsing never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseDid(`did:key:${text}`, zetrixProfile)));
    fc.assert(fc.property(fc.string(), (text) => void splitDidUrl(text)));
  });
});

describe('did:key', () => {
  test('of each type begins as the others know it', () => {
    const raw = new Uint8Array(32).fill(7);
    assert.match(`did:key:${encodeMultikey('ed25519', raw)}`, /^did:key:z6Mk/);
    assert.match(`did:key:${encodeMultikey('x25519', raw)}`, /^did:key:z6LS/);
    assert.match(`did:key:${encodeMultikey('bls12381g2', bbsKey)}`, /^did:key:zUC7/);
    for (const [type, publicKey] of [
      ['ed25519', raw],
      ['x25519', raw],
      ['bls12381g2', bbsKey],
    ] as const) {
      const parsed = parseDid(`did:key:${encodeMultikey(type, publicKey)}`, zetrixProfile);
      assert.ok(typeof parsed === 'object' && parsed.method === 'key');
      assert.equal(parsed.keyType, type);
      assert.deepEqual(parsed.publicKey, publicKey);
    }
  });

  test('reads the example of its specification', () => {
    const parsed = parseDid('did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK', zetrixProfile);
    assert.ok(typeof parsed === 'object' && parsed.method === 'key' && parsed.keyType === 'ed25519');
  });

  const multibase = (...bytes: number[]) => `z${base58.encode(Uint8Array.from(bytes))}`;
  const malformed = {
    'another base': 'u7QFgAAAA',
    'no key': 'z',
    'a character that is none': 'z6Mk0OIl',
    'an unknown type': multibase(0xe7, 0x01, ...new Uint8Array(33).fill(2)),
    'a short key': multibase(0xed, 0x01, ...new Uint8Array(31).fill(2)),
    'a long key': multibase(0xed, 0x01, ...new Uint8Array(33).fill(2)),
    'the zero key': multibase(0xed, 0x01, ...new Uint8Array(32)),
    'an uncompressed point': multibase(0xeb, 0x01, ...new Uint8Array(96).fill(1)),
    'the point at infinity': multibase(0xeb, 0x01, 0xc0, ...new Uint8Array(95)),
    'endless text': `z${'1'.repeat(10_000)}`,
  };
  for (const [name, text] of Object.entries(malformed))
    test(`is not ${name}`, () => {
      assert.equal(parseMultikey(text), undefined);
      assert.equal(parseDid(`did:key:${text}`, zetrixProfile), 'invalidDid');
    });
});

describe('keys in multibase', () => {
  test('of BBS are written raw and read in both forms', () => {
    const raw = encodeBbsPublicKey(bbsKey);
    assert.deepEqual(parseBbsPublicKey(raw), bbsKey);
    for (const text of ['', raw.slice(1), `u${raw.slice(1)}`, `${raw}1`, `${raw}0`])
      assert.equal(parseBbsPublicKey(text), undefined, text);
    assert.deepEqual(parseBbsPublicKey(encodeMultikey('bls12381g2', bbsKey)), bbsKey);
  });

  test('of another type or length are not taken', () => {
    const raw = new Uint8Array(32).fill(7);
    assert.equal(parseBbsPublicKey(encodeBbsSecretKey(raw)), undefined);
    assert.throws(() => encodeBbsPublicKey(raw), BrokenInvariant);
    assert.throws(() => encodeBbsSecretKey(bbsKey), BrokenInvariant);
    assert.equal(parseBbsPublicKey(encodeMultikey('x25519', raw)), undefined);
    assert.equal(parsePublicKeyMultibase('x25519', encodeMultikey('ed25519', raw)), undefined);
    assert.equal(parsePublicKeyMultibase('x25519', encodeBbsPublicKey(bbsKey)), undefined);
    assert.deepEqual(parsePublicKeyMultibase('x25519', `z${base58.encode(raw)}`), raw);
  });
});

describe('DID URLs', () => {
  test('are split into their parts', () => {
    assert.deepEqual(splitDidUrl(did), { did, path: '' });
    assert.deepEqual(splitDidUrl(`${did}/a/b?service=x&y#z`), {
      did,
      path: '/a/b',
      query: 'service=x&y',
      fragment: 'z',
    });
    assert.deepEqual(splitDidUrl(`${did}#`), { did, path: '', fragment: '' });
  });

  test('begin with a DID and have an end', () => {
    for (const text of ['', 'https://example.com', `x${did}`, `${did}#${'x'.repeat(3_000)}`])
      assert.equal(splitDidUrl(text), undefined);
  });
});
