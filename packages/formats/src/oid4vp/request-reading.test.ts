import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import type { Fields } from '@symbolon/core/basics/plain-values';
import { clientIdOf, type RequestTerms, requestClaims } from './request-objects.ts';
import { readRequestParameters, signedRequestProblem, splitClientId } from './request-reading.ts';
import { makeResponseKey } from './response-encryption.ts';

const query = { credentials: [{ id: 'a', format: 'dc+sd-jwt', meta: { vct_values: ['card'] } }] };
const payment = { type: 'payment', credential_ids: ['a'], amount: '5' };
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const terms: RequestTerms = {
  clientId: clientIdOf('x509_san_dns', 'verifier.example'),
  responseUri: 'https://verifier.example/answers',
  responseMode: 'direct_post.jwt',
  nonce: 'n',
  state: 's',
  query,
  formats: ['dc+sd-jwt'],
  transactionData: [encoded(payment)],
  encryptionKey: (await makeResponseKey('k')).publicJwk,
  purpose: 'To let you in',
};
const moment = { now: 5_000, expiresAt: 905_000, walletNonce: 'w' };
const claims = requestClaims(terms, moment) as Fields;

describe('a request', () => {
  test('that our own verifier makes is read whole', () => {
    const read = readRequestParameters(claims);
    assert.ok(!isComplaint(read));
    const { encryption, ...others } = read.terms;
    const { clientId, responseUri, nonce, state } = terms;
    assert.deepEqual(others, { clientId, responseUri, nonce, state });
    assert.deepEqual([encryption?.kid, encryption?.enc], ['k', 'A128GCM']);
    assert.deepEqual(read.agreements[0]?.content, payment);
    assert.equal(read.purpose, 'To let you in');
    assert.equal(read.expiresAt, 905_000);
    assert.equal(signedRequestProblem(claims, { now: 6_000, walletNonce: 'w' }), undefined);
  });

  test('of an unknown authority is read, and matched by nothing', () => {
    const authorities = [{ type: 'aki', values: ['s9tIpPmhxdiuNkHMEWNpYim8S8Y'] }];
    const [credential] = query.credentials;
    const asked = { credentials: [{ ...credential, trusted_authorities: authorities }] };
    const read = readRequestParameters({ ...claims, dcql_query: asked });
    assert.ok(!isComplaint(read));
    assert.deepEqual(read.query.credentials[0]?.authorities, authorities);
  });

  test('with one wrong thing is none', () => {
    const wrong: readonly (readonly [change: Fields, words: RegExp])[] = [
      [{ response_type: 'code' }, /something else/],
      [{ response_mode: 'query' }, /another way/],
      [{ dcql_query: undefined }, /no dcql_query/],
      [{ dcql_query: { credentials: [{ ...query.credentials[0], extra: 1 }] } }, /not understood/],
      [{ response_uri: undefined }, /where its answer goes/],
      [{ nonce: 5 }, /no nonce/],
      [{ state: 5 }, /state that is none/],
      [{ scope: 'x' }, /scope/],
      [{ redirect_uri: 'https://a.example' }, /redirect/],
      [{ presentation_definition: {} }, /older/],
      [{ client_metadata: {} }, /no key to encrypt/],
      [{ client_metadata: { vp_formats_supported: {} }, response_mode: 'direct_post' }, /cannot read/],
      [{ transaction_data: ['x'] }, /base64url/],
      [{ transaction_data: [encoded({ ...payment, credential_ids: ['b'] })] }, /key of its holder/],
      [{ transaction_data: [encoded({ ...payment, transaction_data_hashes_alg: ['x'] })] }, /sha-256/],
    ];
    for (const [change, words] of wrong) {
      const read = readRequestParameters({ ...claims, ...change });
      assert.ok(isComplaint(read), JSON.stringify(change));
      assert.match(read.complaint, words);
    }
    const free = { ...query.credentials[0], require_cryptographic_holder_binding: false };
    const stateless = { ...claims, state: undefined, transaction_data: undefined };
    const read = readRequestParameters({ ...stateless, dcql_query: { credentials: [free] } });
    assert.ok(isComplaint(read));
    assert.match(read.complaint, /no state/);
  });

  test('at another time, or for somebody else', () => {
    const at = (change: Fields, now = 6_000): string =>
      signedRequestProblem({ ...claims, ...change }, { now, walletNonce: 'w' }) ?? '';
    assert.match(at({}, 905_000), /expired/);
    assert.match(at({ iat: 500 }), /future/);
    assert.match(at({ nbf: 500 }), /future/);
    assert.match(at({ exp: 'soon' }), /time that is none/);
    assert.match(at({ aud: 'https://wallet.example' }), /another wallet/);
    assert.match(at({ wallet_nonce: undefined }), /nonce/);
  });
});

test('a client id is split at its prefix', () => {
  assert.deepEqual(splitClientId('decentralized_identifier:did:web:a.example'), {
    prefix: 'decentralized_identifier',
    name: 'did:web:a.example',
  });
  for (const text of ['', 'x', 'x509_hash', 'x509_hash:', 'web-origin:https://a.example'])
    assert.equal(splitClientId(text), undefined, text);
});
