import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offerAddress } from './offer-address.ts';

test('the address of an offer can be tapped, and has the whole link where no server sees it', () => {
  const link = 'openid-credential-offer://?credential_offer=%7B%22code%22:%22a+b%26c%22%7D';
  const address = new URL(offerAddress('https://issuer.example', link));
  assert.equal(address.origin + address.pathname, 'https://issuer.example/wallet/apply');
  assert.equal(address.search, '');
  assert.equal(new URLSearchParams(address.hash.slice(1)).get('offer'), link);
});
