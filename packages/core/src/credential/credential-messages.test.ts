import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { credentialHeader, credentialMessages, proofContext, proofNonce } from './credential-messages.ts';
import { credentialVectors } from './testing/credential-vectors.ts';
import { parsed, sha256, stranger } from './testing/sample-credentials.ts';

describe('what signatures and proofs cover', () => {
  test('is as the vectors say', () => {
    const file = readFileSync(new URL('../../vectors/credential.json', import.meta.url), 'utf8');
    assert.deepEqual(JSON.parse(JSON.stringify(credentialVectors())), JSON.parse(file));
  });

  test('another holder or another frame is another header', () => {
    const { credential } = parsed();
    const header = credentialHeader(credential, credential.credentialSubject.id);
    assert.notDeepEqual(credentialHeader(credential, stranger.did), header);
    assert.notDeepEqual(
      credentialHeader(
        { ...credential, validUntil: '2028-01-01T00:00:00Z' },
        credential.credentialSubject.id,
      ),
      header,
    );
  });

  test('a value that is inherited is absent', () => {
    const { credential } = parsed();
    const inherited = Object.create(credential.credentialSubject) as typeof credential.credentialSubject;
    const messages = credentialMessages({ ...credential, credentialSubject: inherited }, sha256);
    assert.ok(
      messages.every((message) => 'bytes' in message && Buffer.from(message.bytes).includes('absent')),
    );
  });

  test('property: challenge and domain cannot trade places, absent is not empty', () => {
    const word = fc.option(fc.string(), { nil: undefined });
    fc.assert(
      fc.property(word, word, word, word, (challenge, domain, otherChallenge, otherDomain) => {
        const isSame = challenge === otherChallenge && domain === otherDomain;
        const nonces = [
          { challenge, domain },
          { challenge: otherChallenge, domain: otherDomain },
        ].map((binding) => Buffer.from(proofNonce(binding, sha256)).toString('hex'));
        assert.equal(nonces[0] === nonces[1], isSame);
      }),
    );
  });

  test('the context names every term', () => {
    const terms = {
      type: 'BbsBlsSignatureProof2020',
      cryptosuite: 'symbolon-bbs-2026',
      created: '2026-01-01T00:00:00Z',
      proofPurpose: 'assertionMethod',
      verificationMethod: 'did:zid:a#delegateKey-1',
    } as const;
    const context = proofContext({ issuer: 'i', holder: 'h', revealed: ['a'], terms }, { domain: 'd' });
    assert.deepEqual(JSON.parse(new TextDecoder().decode(context)), {
      suite: 'symbolon-bbs-2026',
      issuer: 'i',
      verificationMethod: 'did:zid:a#delegateKey-1',
      holder: 'h',
      challenge: null,
      domain: 'd',
      revealed: ['a'],
      ranges: [],
      rangeMethod: null,
      rangeParameters: null,
      created: '2026-01-01T00:00:00Z',
    });
  });
});
