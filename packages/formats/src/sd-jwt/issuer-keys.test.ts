import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { makeKey } from '../jose/testing/node-keys.ts';
import { joseLimits, publishedLimits } from '../limits/format-limits.ts';
import { findIssuerKeysBy, type KeyDiscovery } from './issuer-keys.ts';
import { issuerMetadata, issuerMetadataUrl, publishedUrl, readIssuerMetadata } from './issuer-metadata.ts';
import type { FoundIssuerKeys } from './verifying.ts';

const issuer = 'https://issuer.example/oid4vci/ab';
const [one, two] = [makeKey().publicKey, makeKey('EdDSA').publicKey];
const document = JSON.stringify(
  issuerMetadata(issuer, [
    { kid: 'a', key: one },
    { kid: 'b', key: two },
  ]),
);
const words = (found: FoundIssuerKeys): string => (isComplaint(found) ? found.complaint : found.foundBy);
const find = (discovery: KeyDiscovery, header: Record<string, unknown>, from: string | undefined = issuer) =>
  findIssuerKeysBy(discovery)({ issuer: from, header });
const keysOf = (found: FoundIssuerKeys) => (isComplaint(found) ? assert.fail(found.complaint) : found.keys);

describe('the document of an issuer', () => {
  test('is at the host’s root, with the path behind', () => {
    assert.equal(issuerMetadataUrl(issuer), 'https://issuer.example/.well-known/jwt-vc-issuer/oid4vci/ab');
    assert.equal(issuerMetadataUrl('https://a.example/'), 'https://a.example/.well-known/jwt-vc-issuer');
    assert.equal(
      issuerMetadataUrl('https://a.example:8443'),
      'https://a.example:8443/.well-known/jwt-vc-issuer',
    );
    assert.ok(publishedUrl('http://127.0.0.1:8080/x'));
    for (const bad of [
      'http://a.example',
      'ftp://a',
      'a',
      'https://u:p@a.example',
      'https://a.example/?x',
      'https://a.example/#x',
      'did:key:z',
    ])
      assert.equal(issuerMetadataUrl(bad), undefined, bad);
  });
  test('is found, and the key that is named or all of them', async () => {
    const asked: string[] = [];
    const fetchText = async (url: string) => {
      asked.push(url);
      return document;
    };
    assert.deepEqual(keysOf(await find({ fetchText }, { kid: 'b' })), [two]);
    assert.deepEqual(keysOf(await find({ fetchText }, {})), [one, two]);
    assert.equal(words(await find({ fetchText }, { kid: 'c' })), "the issuer's key is not known");
    assert.equal(new Set(asked).size, 1);
  });
  test('about another issuer, by one letter, repeated members, keys elsewhere, none, too many', () => {
    const read = (text: string) => {
      const found = readIssuerMetadata(text, issuer);
      return isComplaint(found) ? found.complaint : 'fine';
    };
    assert.equal(read(document), 'fine');
    const of = (changes: object) => read(JSON.stringify({ ...JSON.parse(document), ...changes }));
    assert.match(of({ issuer: `${issuer}/` }), /another issuer/);
    assert.match(read(document.replace('{', `{"issuer":"${issuer}",`)), /no plain JSON/);
    assert.match(of({ jwks: undefined, jwks_uri: 'https://a.example' }), /not followed/);
    assert.match(of({ jwks_uri: 'https://a.example' }), /two places/);
    assert.match(of({ jwks: { keys: Array(joseLimits.keysMax + 1).fill(one) } }), /too many/);
    assert.match(read(' '.repeat(publishedLimits.issuerMetadataCharsMax + 1)), /too long/);
    const found = readIssuerMetadata(
      JSON.stringify({ issuer, jwks: { keys: [{ ...one, d: 'AA' }, { ...one, use: 'enc' }, 5, one] } }),
      issuer,
    );
    assert.deepEqual(isComplaint(found) ? found : found.keys, [{ key: one }], 'only what can verify');
  });
  test('that cannot be had', async () => {
    assert.match(words(await find({ fetchText: async () => ({ complaint: 'no answer' }) }, {})), /no answer/);
    assert.match(words(await find({}, {})), /not known/);
    assert.match(words(await find({}, {}, 'ftp://issuer.example')), /neither/);
  });
});

describe('certificates', () => {
  const x5c = [Buffer.from('leaf').toString('base64')];
  const leaf = { key: one, dnsNames: ['issuer.example'], uris: [] };
  test('of a chain that is trusted and names the issuer’s host, or the issuer itself', async () => {
    assert.deepEqual(keysOf(await find({ checkChain: async () => leaf }, { x5c })), [one]);
    const byUri = { ...leaf, dnsNames: [], uris: [issuer] };
    assert.deepEqual(keysOf(await find({ checkChain: async () => byUri }, { x5c })), [one]);
    assert.equal(
      words(await findIssuerKeysBy({ checkChain: async () => leaf })({ issuer: undefined, header: { x5c } })),
      'certificate',
    );
  });
  test('of another host, not trusted, none', async () => {
    for (const dnsNames of [[], ['other.example'], ['sub.issuer.example'], ['example']])
      assert.match(
        words(await find({ checkChain: async () => ({ ...leaf, dnsNames }) }, { x5c })),
        /name the issuer/,
      );
    assert.match(
      words(await find({ checkChain: async () => ({ complaint: 'no anchor' }) }, { x5c })),
      /no anchor/,
    );
    assert.match(words(await find({}, { x5c })), /not trusted here/);
    const checkChain = () => assert.fail('a chain was looked at');
    for (const bad of ['text', [], Array(6).fill(x5c[0]), [5], ['AA'], ['AA-_'], [''], ['A'.repeat(8_196)]])
      assert.match(words(await find({ checkChain }, { x5c: bad })), /certificate/);
  });
  test('are never passed over for another way', async () => {
    const fetchText = () => assert.fail('a document was fetched');
    assert.match(words(await find({ fetchText }, { x5c, kid: 'a' })), /not trusted here/);
  });
});

describe('DIDs', () => {
  const did = 'did:zid:ab';
  const discovery: KeyDiscovery = {
    resolveDid: async (asked, keyId) =>
      asked !== did
        ? { complaint: 'the DID is unknown' }
        : keyId === `${did}#b`
          ? [two]
          : keyId
            ? []
            : [one, two],
    isDidOf: async (asked, from) => asked === did && from === issuer,
  };
  test('the issuer itself, or one that an issuer has named', async () => {
    assert.deepEqual(keysOf(await find(discovery, {}, did)), [one, two]);
    assert.deepEqual(keysOf(await find(discovery, { kid: '#b' }, did)), [two]);
    assert.deepEqual(keysOf(await find(discovery, { kid: `${did}#b` })), [two]);
  });
  test('of another: not named by the issuer, unknown, without that key', async () => {
    assert.match(words(await find(discovery, { kid: 'did:key:z6#b' })), /not named/);
    assert.match(
      words(await find({ resolveDid: discovery.resolveDid as never }, { kid: `${did}#b` })),
      /not named/,
    );
    assert.match(words(await find(discovery, { kid: 'did:key:z6#b' }, did)), /not named/);
    assert.match(words(await find(discovery, {}, 'did:zid:cd')), /unknown/);
    assert.match(words(await find(discovery, { kid: `${did}#c` }, did)), /not known/);
    assert.match(words(await find({}, {}, did)), /not known/);
  });
});

test('keys that were given count alone; key ids that are none; nobody', async () => {
  const givenKeys = (from: string) => (from === issuer ? [one] : undefined);
  const fetchText = () => assert.fail('somebody was asked');
  assert.equal(words(await find({ givenKeys, fetchText }, { kid: 'b' })), 'given');
  assert.match(words(await find({ fetchText }, { kid: 5 })), /no text/);
  assert.match(words(await find({ fetchText }, { kid: 'k'.repeat(2_000) })), /no text/);
  assert.match(words(await findIssuerKeysBy({})({ issuer: undefined, header: {} })), /who the issuer is/);
  const stranger = { jwk: one };
  assert.match(
    words(await find({ fetchText: async () => ({ complaint: 'away' }) }, stranger)),
    /away/,
    'own word',
  );
});
