import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { readPublicJwk, type SigningJwk } from '../jose/public-keys.ts';
import { webVerifySignature } from '../jose/web-signatures.ts';
import { type AssertionRule, checkClientAssertion, claimedClient } from './client-assertions.ts';
import { signedToken, testKey } from './testing/tokens.ts';

const now = 1_800_000_000;
const audience = 'https://issuer.example/oid4vci/aa';
const clientKey = testKey('ec');
const other = testKey('ec');

const publicOf = ({ jwk }: typeof clientKey): SigningJwk => {
  const key = readPublicJwk(jwk);
  assert.ok(!isComplaint(key));
  return key;
};

const rule: AssertionRule = {
  clientId: 'wallet',
  keys: [
    { kid: 'old', key: publicOf(other) },
    { kid: 'new', key: publicOf(clientKey) },
  ],
  audience,
  nowSeconds: now,
  verify: webVerifySignature,
};

const assertion = (changes: { header?: object; claims?: object; key?: typeof clientKey } = {}): string => {
  const { header = {}, claims = {}, key = clientKey } = changes;
  return signedToken(
    { alg: key.alg, kid: 'new', ...header },
    { iss: 'wallet', sub: 'wallet', aud: audience, iat: now, exp: now + 60, jti: 'once', ...claims },
    key,
  );
};

const outcome = async (text: string): Promise<string> => {
  const checked = await checkClientAssertion(text, rule);
  return isComplaint(checked) ? checked.complaint : `good: ${checked.jti}`;
};

describe('assertions of clients', () => {
  test('a good one says who it is, with or without a type and a name of its key', async () => {
    const ways = [
      {},
      { header: { kid: undefined } },
      { header: { typ: 'JWT' } },
      { header: { typ: 'client-authentication+jwt' } },
      { header: { kid: 'old' }, key: other },
      { claims: { iat: undefined, nbf: now } },
      { claims: { exp: now + 360 } },
      { claims: { unknown: 1 } },
    ];
    for (const way of ways) assert.equal(await outcome(assertion(way)), 'good: once', JSON.stringify(way));
    assert.equal(claimedClient(assertion()), 'wallet');
    assert.equal(typeof claimedClient('x.y.z'), 'object');
    assert.equal(typeof claimedClient(assertion({ claims: { sub: 5 } })), 'object');
  });

  test('each is refused for the one thing that is wrong', async () => {
    const cases: readonly [Parameters<typeof assertion>[0], RegExp][] = [
      [{ header: { alg: 'none' } }, /not signed by ES256/],
      [{ header: { alg: 'HS256' } }, /not signed by ES256/],
      [{ header: { typ: 'dpop+jwt' } }, /not of type/],
      [{ header: { crit: ['exp'] } }, /critical/],
      [{ header: { kid: 'none' } }, /names no key/],
      [{ header: { kid: 'old' } }, /not signed by a key/],
      [{ key: testKey('ec') }, /not signed by a key/],
      [{ claims: { iss: 'another' } }, /not of the client/],
      [{ claims: { sub: 'another' } }, /not of the client/],
      [{ claims: { aud: `${audience}/token` } }, /not for this/],
      [{ claims: { aud: [audience] } }, /not for this/],
      [{ claims: { exp: now } }, /expired/],
      [{ claims: { exp: undefined } }, /expired/],
      [{ claims: { exp: now + 361 } }, /lives longer/],
      [{ claims: { iat: now + 61 } }, /future/],
      [{ claims: { nbf: now + 61 } }, /future/],
      [{ claims: { jti: undefined } }, /no identifier/],
      [{ claims: { jti: 'x'.repeat(257) } }, /no identifier/],
    ];
    for (const [change, word] of cases)
      assert.match(await outcome(assertion(change)), word, JSON.stringify(change));
    assert.match(await outcome(`${assertion()}${'A'.repeat(9_000)}`), /too long/);
  });
});
