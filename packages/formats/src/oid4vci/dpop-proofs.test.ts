import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { keyThumbprint, type SigningJwk } from '../jose/public-keys.ts';
import { webVerifySignature } from '../jose/web-signatures.ts';
import { checkDpopProof, type DpopRule } from './dpop-proofs.ts';
import { signedToken, testKey } from './testing/tokens.ts';

const now = 1_800_000_000;
const url = 'https://issuer.example/oid4vci/aa/credential';
const token = 'a-token';
const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const key = testKey('ec');
const { crv, kty, x, y } = key.jwk as SigningJwk & { y: string };
const thumbprint = keyThumbprint({ crv, kty, x, y } as SigningJwk, sha256);

const rule: DpopRule = {
  ...{ method: 'POST', url, accessToken: token, boundTo: thumbprint, nowSeconds: now },
  ...{ verify: webVerifySignature, sha256 },
};
const ath = createHash('sha256').update(token).digest('base64url');

const proof = (claims: object = {}, header: object = {}, by = key): string =>
  signedToken(
    { typ: 'dpop+jwt', alg: by.alg, jwk: by.jwk, ...header },
    { htm: 'POST', htu: url, iat: now, jti: 'one', ath, ...claims },
    by,
  );
const outcome = async (text: string, changes: Partial<DpopRule> = {}): Promise<string> => {
  const checked = await checkDpopProof(text, { ...rule, ...changes });
  return isComplaint(checked) ? checked.complaint : 'good';
};

describe('DPoP proofs', () => {
  test('a good one says by which key, and how it is called', async () => {
    assert.deepEqual(await checkDpopProof(proof(), rule), { thumbprint, jti: 'one', iat: now });
    assert.equal(await outcome(proof({ htu: `${url}?a=1#b` })), 'good');
    const anybody = { accessToken: undefined, boundTo: undefined } as unknown as Partial<DpopRule>;
    assert.equal(await outcome(proof({ ath: undefined }), anybody), 'good');
  });

  test('each is refused for the one thing that is wrong', async () => {
    const stranger = testKey('ec');
    const cases: readonly [string, RegExp][] = [
      [proof({ htm: 'GET' }), /another method/],
      [proof({ htu: `${url}/` }), /another address/],
      [proof({ htu: 'x' }), /another address/],
      [proof({ htu: undefined }), /another address/],
      [proof({ iat: now - 301 }), /too old/],
      [proof({ iat: now + 61 }), /future/],
      [proof({ iat: undefined }), /when it was made/],
      [proof({ jti: undefined }), /no identifier/],
      [proof({ jti: '' }), /no identifier/],
      [proof({ jti: 'x'.repeat(257) }), /no identifier/],
      [proof({ ath: undefined }), /another access token/],
      [proof({ ath: 'x' }), /another access token/],
      [proof({}, { typ: 'JWT' }), /type/],
      [proof({}, { alg: 'none' }), /signed by/],
      [proof({}, { alg: 'HS256' }), /signed by/],
      [proof({}, { jwk: undefined }), /no JSON Web Key/],
      [proof({}, { jwk: { ...key.jwk, d: 'A'.repeat(43) } }), /private member/],
      [proof({}, { jwk: stranger.jwk }), /not signed by its key/],
      [proof({}, {}, stranger), /another key than/],
      ['x'.repeat(10_000), /too long/],
    ];
    for (const [text, word] of cases) assert.match(await outcome(text), word);
  });
});
