import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import { extendedRoutes } from '../credentials/extended-routes.ts';
import { readExtendedHeaders, readWalletHeaders } from '../credentials/signed-headers.ts';
import { familyMessage } from '../http/family-words.ts';
import { readServiceRequest } from '../http/service-route.ts';
import type { JsonObject } from '../json/json.ts';
import { verificationRoutes } from './routes.ts';

const isFault = (code: FaultName, words?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Fault, String(error));
  assert.equal(error.code, code, error.message);
  if (words) assert.match(familyMessage(error), words);
  return true;
};
const requirements = { credentials: [{ id: 'a', claims: [{ path: ['x'] }] }] };
const did = `did:zid:${'01'.repeat(32)}`;

describe('a request', () => {
  const read = (body: JsonObject) => readServiceRequest(verificationRoutes.requestVerification, { body });

  test('as x401 sends it, with an explicit null', () => {
    const order = read({ requirements, callbackUrl: null, stateId: 's', expirationMinutes: 5 });
    assert.deepEqual([order.callbackUrl, order.stateId, order.minutes], [undefined, 's', 5]);
    assert.deepEqual(order.requirements, requirements);
  });

  test('trusted issuers beside the query become part of it, once', () => {
    const order = read({ requirements, trusted_issuers: [did], issuers: [did] });
    assert.deepEqual(order.requirements.trusted_issuers, [did]);
    assert.deepEqual(order.requirements, { ...requirements, trusted_issuers: [did] });
    const both = { requirements: { ...requirements, trusted_issuers: [did] }, trusted_issuers: [did] };
    assert.throws(() => read(both), isFault('requestMalformed'));
    const other = `did:zid:${'02'.repeat(32)}`;
    assert.throws(
      () => read({ requirements, trusted_issuers: [did], issuers: [other] }),
      isFault('requestMalformed'),
    );
  });

  test('a query in its wrapper is the query', () => {
    const wrapped = { requirementsId: 'adults-1', query: requirements };
    assert.deepEqual(read({ requirements: wrapped }).requirements, requirements);
    const order = read({ requirements: wrapped, trusted_issuers: [did] });
    assert.deepEqual(order.requirements, { ...requirements, trusted_issuers: [did] });
    const wrongs: JsonObject[] = [
      { requirementsId: 'r' },
      { requirementsId: 1, query: requirements },
      { query: [] },
    ];
    for (const wrong of wrongs) assert.throws(() => read({ requirements: wrong }), isFault('queryInvalid'));
    for (const name of ['trusted_issuers', 'issuers'])
      assert.throws(
        () => read({ requirements: { ...requirements, [name]: [did] }, trusted_issuers: [did] }),
        isFault('requestMalformed'),
      );
  });

  test('what is refused', () => {
    assert.throws(() => read({}), isFault('requestMalformed', /requirements/));
    assert.throws(
      () => read({ requirements: { credentials: 1 } }),
      isFault('queryInvalid', /\/requirements/),
    );
    for (const expirationMinutes of [0, 1.5, 100_000])
      assert.throws(() => read({ requirements, expirationMinutes }), isFault('requestMalformed'));
    const long = { requirements, callbackUrl: `https://example.org/${'x'.repeat(3_000)}` };
    assert.throws(() => read(long), isFault('requestMalformed'));
  });
});

describe('headers of wallets', () => {
  const call = (headers: Record<string, string>) => ({ header: (name: string) => headers[name] });
  const [key, signature] = ['01'.repeat(32), '02'.repeat(64)];

  test('both are read, in both spellings of the names', () => {
    const given = { 'x-wallet-public-key': key, 'x-wallet-signed-data': signature.toUpperCase() };
    assert.equal(readWalletHeaders(call(given)).signature.length, 64);
    assert.equal(
      readExtendedHeaders(call({ publickey: key, signeddata: signature }))?.publicKey.bytes.length,
      32,
    );
    assert.equal(readExtendedHeaders(call({})), undefined);
  });

  test('missing or malformed ones have the words that clients know', () => {
    const refused = (headers: Record<string, string>, words: RegExp) =>
      assert.throws(() => readWalletHeaders(call(headers)), isFault('walletNotAuthenticated', words));
    refused({}, /WALLET_AUTH_MISSING_PUBLIC_KEY/);
    refused({ 'x-wallet-public-key': key }, /WALLET_AUTH_MISSING_SIGNED_DATA/);
    refused({ 'x-wallet-public-key': 'x', 'x-wallet-signed-data': signature }, /WALLET_AUTH_INVALID/);
    assert.throws(
      () => readExtendedHeaders(call({ signeddata: signature })),
      isFault('walletNotAuthenticated', /MISSING_PUBLIC_KEY/),
    );
  });
});

describe('an extended submission', () => {
  const read = (more: JsonObject) =>
    readServiceRequest(extendedRoutes.submitExtendedPresentation, {
      body: { blobId: 'AB'.repeat(16), signedBlob: '02'.repeat(64), publicKey: '01'.repeat(32), ...more },
    });

  test('with and without its options', () => {
    assert.deepEqual([read({}).keptSeconds, read({}).includesPresentation], [300, false]);
    const full = read({ vpExpiry: '60', includeVp: 'true' });
    assert.deepEqual([full.keptSeconds, full.includesPresentation], [60, true]);
  });

  test('what is refused', () => {
    for (const vpExpiry of [-1, 1.5, 100_000, 'soon'])
      assert.throws(() => read({ vpExpiry }), isFault('requestMalformed', /vpExpiry/));
    assert.throws(() => read({ signedBlob: 'zz' }), isFault('signatureMalformed'));
    assert.throws(() => read({ includeVp: 'perhaps' }), isFault('requestMalformed'));
  });
});
