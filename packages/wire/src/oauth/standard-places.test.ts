import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { placeOfWebDid } from '@symbolon/core/did/foreign-document';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { createStandardPlaces, issuerOfSegment, standardsOrigin } from './standard-places.ts';

const hex = '7f0b0cd2f99de9b7e71cfe2b9ba3d2e4d4db999d6eb5d7cce1b82bfafad68a31';
const did = `did:zid:${hex}`;

describe('what an issuer is called on the web', () => {
  it('need an origin over https, or of this machine', () => {
    for (const good of [
      'https://a.example',
      'https://a.example:8443',
      'http://127.0.0.1:8080',
      'http://localhost',
    ])
      assert.equal(standardsOrigin(good), good);
    for (const bad of [
      'http://a.example',
      'https://a.example/',
      'https://a.example/x',
      'http://localhost.example',
      '',
    ])
      assert.equal(standardsOrigin(bad), undefined, bad);
  });

  it('are put together in one way', () => {
    const places = createStandardPlaces('https://a.example:8443');
    assert.equal(places.issuer(did), `https://a.example:8443/oid4vci/${hex}`);
    const web = places.webDid(did);
    assert.equal(web, `did:web:a.example%3A8443:oid4vci:${hex}`);
    assert.deepEqual(placeOfWebDid(web), { host: 'a.example:8443', path: `/oid4vci/${hex}/did.json` });
  });

  it('name an issuer by the digits of its DID', () => {
    assert.equal(issuerOfSegment(hex, zetrixProfile), did);
    for (const bad of ['', hex.toUpperCase(), hex.slice(1), `${hex}0`, '..', `${hex.slice(2)}%61`])
      assert.equal(issuerOfSegment(bad, zetrixProfile), undefined, bad);
  });
});
