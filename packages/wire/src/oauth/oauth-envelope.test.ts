import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Fault, type FaultName, faults } from '@symbolon/core/faults/faults';
import { standardsFaults } from '@symbolon/core/faults/standards-faults';
import {
  createOauthEnvelope,
  credentialEnvelope,
  notificationEnvelope,
  oauthDescription,
  oauthEnvelope,
} from './oauth-envelope.ts';
import { dpopAlgorithms, faultOfOauth, oauthErrorOf, oauthErrors } from './oauth-words.ts';

const failure = (code: FaultName, envelope = oauthEnvelope, detail?: string) =>
  envelope.failure(new Fault(code, { detail }), 'r');

describe('answers of OAuth', () => {
  it('are bare, and refusals exactly two members', () => {
    assert.deepEqual(oauthEnvelope.success({ a: 1 }), { a: 1 });
    assert.deepEqual(oauthEnvelope.open({ a: 1 }), { a: 1 });
    const { status, body, headers } = failure('grantInvalid', oauthEnvelope, 'used');
    assert.deepEqual(
      [status, body, headers],
      [400, { error: 'invalid_grant', error_description: 'used' }, {}],
    );
  });

  it('name every fault of the standards, and whatever else by its status', () => {
    for (const [code, [status]] of Object.entries(standardsFaults))
      assert.equal(Object.hasOwn(oauthErrors, code), status < 500, code);
    for (const code of Object.keys(faults) as FaultName[])
      assert.match(String(failure(code).body.error), /^[a-z_]+$/);
    assert.equal(failure('templateUnknown').body.error, 'invalid_request');
    assert.equal(failure('overloaded').body.error, 'temporarily_unavailable');
    assert.equal(failure('settlementUnknown').body.error, 'server_error');
    assert.equal(oauthErrorOf('internalError', 500), 'server_error');
  });

  it('are read back as the fault that is meant', () => {
    for (const error of new Set(Object.values(oauthErrors))) {
      const code = faultOfOauth(error) as FaultName;
      assert.equal(oauthErrorOf(code, faults[code][0]), error);
    }
    for (const error of ['', 'constructor', 'nothing']) assert.equal(faultOfOauth(error), undefined);
  });

  it('describe with the characters that a description may have', () => {
    const described = oauthDescription('"a\\b" \u00e4 \u{1f600}\n\u007f\u0000');
    assert.equal(described, "'a/b' ? ????");
    assert.ok(oauthDescription('x'.repeat(5_000)).length <= 500);
    for (let unit = 0; unit < 0x300; unit++)
      assert.match(oauthDescription(String.fromCharCode(unit)), /^[\x20-\x21\x23-\x5b\x5d-\x7e]$/);
  });

  it('call a malformed request what the protocol of the route does', () => {
    assert.equal(failure('requestMalformed').body.error, 'invalid_request');
    assert.equal(failure('requestMalformed', credentialEnvelope).body.error, 'invalid_credential_request');
    assert.equal(
      failure('requestMalformed', notificationEnvelope).body.error,
      'invalid_notification_request',
    );
    assert.equal(failure('bodyTooLarge', credentialEnvelope).body.error, 'invalid_request');
  });
});

describe('a refused access token', () => {
  const resource = createOauthEnvelope({ isResource: true });
  const algorithms = `algs="${dpopAlgorithms.join(' ')}"`;
  const challengeOf = (code: FaultName) => failure(code, resource).headers?.['www-authenticate'];

  it('is told in the header, too, and as nothing wrong where there was none', () => {
    assert.equal(
      challengeOf('accessTokenMissing'),
      `Bearer realm="symbolon", DPoP realm="symbolon", ${algorithms}`,
    );
    assert.equal(
      challengeOf('accessTokenInvalid'),
      `Bearer error="invalid_token", DPoP error="invalid_token", ${algorithms}`,
    );
    assert.equal(failure('scopeInsufficient', resource).status, 403);
    assert.match(String(challengeOf('scopeInsufficient')), /^Bearer error="insufficient_scope", DPoP /);
    assert.equal(challengeOf('keyProofInvalid'), undefined);
  });

  it('for its proof has status 401, but 400 at the token endpoint', () => {
    assert.equal(challengeOf('dpopProofInvalid'), `DPoP error="invalid_dpop_proof", ${algorithms}`);
    assert.deepEqual(
      [failure('dpopProofInvalid', resource).status, failure('dpopProofInvalid').status],
      [401, 400],
    );
    const wanted = new Fault('dpopNonceWanted', { facts: { dpopNonce: 'n-1' } });
    assert.deepEqual(oauthEnvelope.failure(wanted, 'r').headers, { 'dpop-nonce': 'n-1' });
    const { status, headers, body } = resource.failure(wanted, 'r');
    assert.deepEqual([status, headers?.['dpop-nonce'], body.error], [401, 'n-1', 'use_dpop_nonce']);
  });
});
