import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import {
  certificateClientId,
  clientIdOf,
  type RequestTerms,
  requestClaims,
  requestLink,
  unsignedLink,
} from './request-objects.ts';
import { makeResponseKey } from './response-encryption.ts';

const query = { credentials: [{ id: 'a', format: 'dc+sd-jwt', meta: { vct_values: ['card'] } }] };
const terms: RequestTerms = {
  clientId: clientIdOf('x509_san_dns', 'verifier.example'),
  responseUri: 'https://verifier.example/oid4vp/response/1',
  responseMode: 'direct_post.jwt',
  nonce: 'n',
  state: 's',
  query,
  formats: ['dc+sd-jwt', 'dc+sd-jwt', 'ldp_vc'],
  transactionData: ['e30'],
  encryptionKey: (await makeResponseKey('k')).publicJwk,
};

test('a request object says these things and no others', () => {
  const claims = requestClaims(terms, { now: 5_900, expiresAt: 9_100, walletNonce: 'w' }) as Record<
    string,
    never
  >;
  assert.deepEqual(Object.keys(claims).toSorted(), [
    ...['aud', 'client_id', 'client_metadata', 'dcql_query', 'exp', 'iat', 'nonce', 'response_mode'],
    ...['response_type', 'response_uri', 'state', 'transaction_data', 'wallet_nonce'],
  ]);
  assert.deepEqual([claims.aud, claims.iat, claims.exp], ['https://self-issued.me/v2', 5, 9]);
  assert.equal(claims.client_id, 'x509_san_dns:verifier.example');
  const metadata = claims.client_metadata as Record<string, Record<string, object>>;
  assert.deepEqual(Object.keys(metadata.vp_formats_supported), ['dc+sd-jwt', 'ldp_vc']);
  assert.deepEqual(metadata.jwks.keys, [terms.encryptionKey]);
  assert.deepEqual(metadata.encrypted_response_enc_values_supported, ['A128GCM', 'A256GCM']);
  const { transactionData: _, encryptionKey: __, ...plain } = terms;
  const bare = requestClaims({ ...plain, responseMode: 'direct_post' }, { now: 0, expiresAt: 0 });
  for (const absent of ['transaction_data', 'wallet_nonce']) assert.equal(absent in bare, false);
});

test('links name the request, or are it', () => {
  const link = new URL(
    requestLink({ clientId: terms.clientId, requestUri: 'https://a.example/r', isByPost: true }),
  );
  assert.deepEqual(Object.fromEntries(link.searchParams), {
    ...{ client_id: terms.clientId, request_uri: 'https://a.example/r', request_uri_method: 'post' },
  });
  const { searchParams: unsigned } = new URL(unsignedLink(terms));
  assert.deepEqual(JSON.parse(unsigned.get('dcql_query') ?? ''), query);
  assert.equal(unsigned.get('response_uri'), terms.responseUri);
  assert.equal(unsigned.has('aud'), false);
});

test('a certificate is named by its hash', () => {
  const hash = Buffer.from(sha256(new Uint8Array([1]))).toString('base64url');
  assert.equal(certificateClientId(new Uint8Array([1]), sha256), `x509_hash:${hash}`);
});
