/**
 * PKCE (RFC 7636), S256 alone: whoever asks for a code names the hash of a secret, and whoever redeems it shows the
 * secret. The method `plain` would show it to everybody who sees the first request.
 */
import { encodeBase64Url, encodeUtf8, equalTexts, type Sha256 } from '@symbolon/core/basics/bytes';

export const codeChallengeMethod = 'S256';

/** A SHA-256 in base64url. */
const challengePattern = /^[A-Za-z0-9_-]{43}$/;
const verifierPattern = /^[A-Za-z0-9\-._~]{43,128}$/;

export const isCodeChallenge = (text: string): boolean => challengePattern.test(text);

/** Whether this is the secret behind a challenge; how long that takes says nothing of where they differ. */
export const isVerifierOf = (verifier: string, challenge: string, sha256: Sha256): boolean =>
  verifierPattern.test(verifier) && equalTexts(encodeBase64Url(sha256(encodeUtf8(verifier))), challenge);
