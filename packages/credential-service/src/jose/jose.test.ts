import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { isJwsSignedBy, parseCompactJws, signJws } from '@symbolon/formats/jose/compact-jws';
import { readPublicJwk, type SigningJwk } from '@symbolon/formats/jose/public-keys';
import { webVerifySignature } from '@symbolon/formats/jose/web-signatures';
import { checkCertificateChain, namesOf } from './certificate-chain.ts';
import { createNodeVerifier, nodeSigner } from './node-signatures.ts';
import { certificates } from './testing/certificates.ts';

type Name = keyof typeof certificates;
const der = (name: Name): Uint8Array => Buffer.from(certificates[name], 'base64');
const check = (chain: readonly Name[], anchors: readonly Name[] = ['root'], now = Date.parse('2027-06-01')) =>
  checkCertificateChain(chain.map(der), { anchors: anchors.map(der), now });
const refused = (found: ReturnType<typeof check>, pattern: RegExp) =>
  assert.match(isComplaint(found) ? found.complaint : 'it is trusted', pattern);

describe('a chain of certificates', () => {
  test('that leads to an anchor, with it or without it, long or short', () => {
    for (const chain of [['leaf', 'intermediate'], ['leaf', 'intermediate', 'root'], ['direct']] as const) {
      const found = check(chain);
      assert.ok(!isComplaint(found), chain.join());
      assert.deepEqual(found.dnsNames, ['issuer.example']);
      assert.equal(found.key.kty, 'EC');
    }
    const found = check(['leaf', 'intermediate']);
    assert.deepEqual(isComplaint(found) ? [] : found.uris, ['https://issuer.example/oid4vci/ab']);
    assert.ok(!isComplaint(check(['selfSigned'], ['selfSigned'])), 'a leaf that is trusted by itself');
    assert.ok(!isComplaint(check(['leaf', 'intermediate'], ['intermediate'])));
  });
  test('to nobody who is trusted, by a root of the same name, by its own word', () => {
    refused(check(['leaf', 'intermediate'], []), /nobody/);
    refused(check(['leaf', 'intermediate'], ['otherRoot']), /nobody/);
    refused(check(['selfSigned']), /nobody/);
    refused(check(['leaf']), /nobody/);
  });
  test('with a link that is missing, wrong, or may sign no certificates', () => {
    refused(check(['leaf', 'root']), /behind/);
    refused(check(['intermediate', 'leaf']), /behind/);
    refused(check(['fake', 'leaf', 'intermediate']), /behind/);
    refused(check(['direct'], ['leaf']), /nobody/);
  });
  test('not valid any more, not valid yet', () => {
    refused(check(['short'], ['root'], Date.parse('2126-01-01')), /not valid now/);
    refused(check(['leaf', 'intermediate'], ['root'], Date.parse('2020-01-01')), /not valid now/);
  });
  test('with a key of another kind, or that is no certificate', () => {
    refused(check(['rsa']), /key cannot be used/);
    refused(
      checkCertificateChain([Buffer.from('no certificate')], { anchors: [], now: 0 }),
      /cannot be read/,
    );
    refused(checkCertificateChain([], { anchors: [], now: 0 }), /cannot be read/);
    refused(
      checkCertificateChain([der('leaf'), new Uint8Array(3)], { anchors: [der('root')], now: 0 }),
      /cannot be read/,
    );
  });
  test('names are read as they stand or not at all', () => {
    const text =
      'DNS:a.example, URI:https://a.example/x, DNS:*.b.example, email:c@a.example, IP Address:127.0.0.1';
    assert.deepEqual(namesOf(text), { dnsNames: ['a.example'], uris: ['https://a.example/x'] });
    assert.deepEqual(namesOf('DNS:"a.example, DNS:b.example"'), { dnsNames: [], uris: [] });
    assert.deepEqual(namesOf(undefined), { dnsNames: [], uris: [] });
  });
});

describe('signatures by Node', () => {
  const verify = createNodeVerifier();
  test('are those of Web Crypto', async () => {
    for (const alg of ['ES256', 'EdDSA'] as const) {
      const pair =
        alg === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
      const key = readPublicJwk(pair.publicKey.export({ format: 'jwk' })) as SigningJwk;
      const text = await signJws('JWT', { a: 1 }, nodeSigner(alg, pair.privateKey, { kid: 'k' }));
      const token = parseCompactJws(text, { typ: 'JWT', algorithms: [alg] });
      assert.ok(!isComplaint(token));
      assert.equal(token.header.kid, 'k');
      for (const one of [verify, webVerifySignature]) assert.ok(await isJwsSignedBy(token, key, one));
      const changed = { ...token, signature: token.signature.with(5, token.signature[5] ^ 1) };
      assert.ok(!(await isJwsSignedBy(changed, key, verify)));
    }
  });
  test('keys that are none are no error', async () => {
    const key: SigningJwk = { crv: 'P-256', kty: 'EC', x: 'A'.repeat(43), y: 'A'.repeat(43) };
    const order = { alg: 'ES256', key, data: new Uint8Array(1), signature: new Uint8Array(64) } as const;
    assert.equal(await verify(order), false);
  });
});
