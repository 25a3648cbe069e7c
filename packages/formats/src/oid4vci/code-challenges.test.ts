import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { isCodeChallenge, isVerifierOf } from './code-challenges.ts';

/** RFC 7636, appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('code challenges', () => {
  test('are met by the secret behind them alone', () => {
    assert.ok(isVerifierOf(verifier, challenge, sha256));
    assert.ok(!isVerifierOf(`${verifier.slice(0, -1)}l`, challenge, sha256));
    assert.ok(!isVerifierOf(challenge, challenge, sha256), 'plain is no method here');
    assert.ok(!isVerifierOf('', challenge, sha256));
  });

  test('have secrets of a length and of characters that the standard has', () => {
    const of = (text: string): boolean => {
      const hash = Buffer.from(sha256(Buffer.from(text))).toString('base64url');
      return isVerifierOf(text, hash, sha256);
    };
    assert.ok(of('a'.repeat(43)) && of('~'.repeat(128)));
    for (const wrong of ['a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(42)}=`, `${'a'.repeat(42)}é`])
      assert.ok(!of(wrong), wrong);
  });

  test('are known by their form', () => {
    assert.ok(isCodeChallenge(challenge));
    for (const wrong of ['', challenge.slice(1), `${challenge}A`, `${challenge}=`, `${challenge.slice(1)}+`])
      assert.ok(!isCodeChallenge(wrong), wrong);
  });
});
