import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { zetrixProfile } from '../keys/profile.ts';
import { encodeMultikey, parseDid, parseMultikey } from './did.ts';
import { resolveKeyDid } from './did-document.ts';
import {
  delegatedDocument,
  keyOfJwkDid,
  keysOfForeignDocument,
  placeOfWebDid,
  webDid,
} from './foreign-document.ts';
import { keyOfJwk, publicJwk } from './public-jwk.ts';

const jwkOf = (curve: 'P-256' | 'ed25519' | 'P-384') =>
  (curve === 'ed25519'
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('ec', { namedCurve: curve })
  ).publicKey.export({
    format: 'jwk',
  });
const bls = Uint8Array.from({ length: 96 }, (_, index) => (index === 0 ? 0x8a : index));

describe('public keys as JSON Web Keys', () => {
  test('go there and back, as Node makes them', () => {
    for (let round = 0; round < 20; round++)
      for (const curve of ['P-256', 'ed25519'] as const) {
        const jwk = jwkOf(curve);
        const key = keyOfJwk(jwk);
        assert.ok(key);
        assert.deepEqual({ ...publicJwk(key.keyType, key.publicKey) }, { ...jwk });
        const text = encodeMultikey(key.keyType, key.publicKey);
        assert.match(text, curve === 'P-256' ? /^zDn/ : /^z6Mk/);
        assert.deepEqual(parseMultikey(text), key);
      }
    assert.equal(publicJwk('bls12381g2', bls), undefined);
    assert.equal(
      publicJwk(
        'p256',
        Uint8Array.from({ length: 33 }, (_, index) => (index === 0 ? 2 : 0xff)),
      ),
      undefined,
    );
  });

  test('that are none are refused', () => {
    const good = jwkOf('P-256');
    const wrong: readonly unknown[] = [
      undefined,
      null,
      'x',
      [],
      {},
      { ...good, d: good.x },
      { ...good, x: good.y },
      { ...good, y: undefined },
      { ...good, x: `${good.x}=` },
      { ...good, x: `${good.x}AA` },
      { ...good, kty: 'OKP' },
      { ...good, crv: 'secp256k1' },
      { kty: 'oct', k: 'AAAA' },
      jwkOf('P-384'),
    ];
    for (const jwk of wrong) assert.equal(keyOfJwk(jwk), undefined, JSON.stringify(jwk));
  });

  test('of P-256 are identifiers, too', () => {
    const key = keyOfJwk(jwkOf('P-256'));
    assert.ok(key);
    const did = `did:key:${encodeMultikey('p256', key.publicKey)}`;
    const parsed = parseDid(did, zetrixProfile);
    assert.ok(typeof parsed === 'object' && parsed.method === 'key');
    const { document, keys } = resolveKeyDid(parsed);
    assert.deepEqual([document.verificationMethod?.[0].type, keys[0].keyType], ['Multikey', 'p256']);
    const odd = encodeMultikey(
      'p256',
      Uint8Array.from(key.publicKey, (byte, index) => (index === 0 ? 4 : byte)),
    );
    assert.equal(parseDid(`did:key:${odd}`, zetrixProfile), 'invalidDid');
  });
});

describe('did:web', () => {
  test('says where its document is', () => {
    const places: readonly (readonly [did: string, host: string, path: string])[] = [
      ['did:web:a.example', 'a.example', '/.well-known/did.json'],
      ['did:web:localhost%3A8080:oid4vci:00ff', 'localhost:8080', '/oid4vci/00ff/did.json'],
      ['did:web:127.0.0.1%3a80:x', '127.0.0.1:80', '/x/did.json'],
      ['did:web:a.example:%C3%A4:b_c-d', 'a.example', '/%C3%A4/b_c-d/did.json'],
    ];
    for (const [did, host, path] of places) assert.deepEqual(placeOfWebDid(did), { host, path });
    assert.equal(webDid('https://a.example:8443', ['oid4vci', 'ff']), 'did:web:a.example%3A8443:oid4vci:ff');
  });

  test('of no place is none', () => {
    for (const rest of [
      '',
      ':x',
      'a.example:',
      'a.example::x',
      'a.example:..:x',
      'a.example:.',
      'a.example:%2e%2e:x',
      'a.example:a%2Fb',
      'a.example:a%5cb',
      'a.example:a%00',
      'a.example:a%0d%0a',
      'a.example:a/b',
      'a.example%2Fx',
      'u%40a.example',
      'a.example%3A0',
      'a.example%3A99999999',
      'a.example%3A80%3A80',
      '-a.example',
      'a.example?x',
      'a.example#x',
      '[::1]',
      'x'.repeat(300),
    ])
      assert.equal(placeOfWebDid(`did:web:${rest}`), undefined, rest);
    assert.equal(placeOfWebDid('did:key:a.example'), undefined);
  });
});

describe('a document of somebody else', () => {
  const did = 'did:web:a.example';
  const [jwk, key] = [jwkOf('P-256'), keyOfJwk(jwkOf('ed25519'))];
  assert.ok(key);
  const multibase = encodeMultikey('ed25519', key.publicKey);
  const method = { id: `${did}#a`, type: 'Multikey', controller: did, publicKeyMultibase: multibase };
  const document = {
    id: did,
    verificationMethod: [
      method,
      { id: '#b', type: 'JsonWebKey2020', controller: did, publicKeyJwk: jwk },
      'x',
      null,
    ],
    assertionMethod: ['#a', `${did}#b`, 7],
    authentication: [
      { id: '#c', type: 'Ed25519VerificationKey2020', controller: did, publicKeyMultibase: multibase },
    ],
  };

  test('is read for its keys', () => {
    const keys = keysOfForeignDocument(document, did);
    assert.deepEqual(
      keys?.map(({ id, keyType, relationships }) => [id, keyType, relationships]),
      [
        [`${did}#a`, 'ed25519', ['assertionMethod']],
        [`${did}#b`, 'p256', ['assertionMethod']],
        [`${did}#c`, 'ed25519', ['authentication']],
      ],
    );
  });

  test('is none where it is of another, too large or ambiguous', () => {
    for (const wrong of [null, [], 'x', {}, { ...document, id: 'did:web:b.example' }])
      assert.equal(keysOfForeignDocument(wrong, did), undefined);
    const doubled = { ...document, verificationMethod: [method, method] };
    assert.equal(keysOfForeignDocument(doubled, did), undefined);
    const many = { id: did, verificationMethod: Array.from({ length: 65 }, () => ({})) };
    assert.equal(keysOfForeignDocument(many, did), undefined);
  });

  test('lends no key of another, and none that is not understood', () => {
    const odd: readonly object[] = [
      { ...method, controller: 'did:web:b.example' },
      { ...method, controller: undefined },
      { ...method, id: 'did:web:b.example#a' },
      { ...method, id: did },
      { ...method, id: '#' },
      { ...method, id: 7 },
      { ...method, type: 'constructor' },
      { ...method, type: 'X25519KeyAgreementKey2020' },
      { ...method, publicKeyMultibase: 'zzz' },
      { ...method, type: 'JsonWebKey' },
    ];
    for (const one of odd)
      assert.deepEqual(
        keysOfForeignDocument({ id: did, verificationMethod: [one] }, did),
        [],
        JSON.stringify(one),
      );
  });

  test('of any shape throws nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (verificationMethod, assertionMethod) => {
        keysOfForeignDocument({ id: did, verificationMethod, assertionMethod }, did);
      }),
    );
  });

  test('may be its own identifier', () => {
    const own = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`;
    assert.deepEqual([keyOfJwkDid(own)?.id, keyOfJwkDid(own)?.keyType], [`${own}#0`, 'p256']);
    for (const text of ['', 'e30', '!!', Buffer.from('{"d":1').toString('base64url')])
      assert.equal(keyOfJwkDid(`did:jwk:${text}`), undefined, text);
  });

  test('that the service makes for an issuer is read back', () => {
    const own = webDid('https://a.example', ['oid4vci', 'ff']);
    const p256 = keyOfJwk(jwk);
    assert.ok(p256);
    const keys = [
      { kid: 'es256-1', ...p256 },
      { kid: 'ed25519-1', ...key },
      { kid: 'bbs-1', keyType: 'bls12381g2' as const, publicKey: bls },
    ];
    const made = delegatedDocument(own, { alsoKnownAs: ['did:zid:ff'], keys });
    const read = keysOfForeignDocument(JSON.parse(JSON.stringify(made)), own);
    assert.deepEqual(
      read?.map(({ id, publicKey, relationships }) => [id, publicKey, relationships.length]),
      keys.map(({ kid, publicKey }) => [`${own}#${kid}`, publicKey, kid === 'bbs-1' ? 1 : 2]),
    );
    assert.match(JSON.stringify(made), /"publicKeyMultibase":"zUC7/);
    assert.deepEqual(made.alsoKnownAs, ['did:zid:ff']);
  });
});
