/**
 * What a receiver of callbacks checks besides the service's own signature (`docs/verification.md`, "Results"): the HMAC
 * where a secret is shared, over the time and the very text, and that the time is about now.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignedText } from '@symbolon/sdk/verification/signed-results';
import { signedPayload } from '@symbolon/wire/sessions/replies';

/** An older one may be a replay. */
const ageMsMax = 300_000;

/** Undefined if the HMAC is by the secret, else what is wrong with it. */
export function checkSharedSignature(
  secret: string,
  { text, timestamp, signature }: SignedText,
): string | undefined {
  const expected = createHmac('sha256', secret).update(signedPayload(timestamp, text)).digest();
  const given = Buffer.from(signature, 'base64');
  const isGood = given.length === expected.length && timingSafeEqual(given, expected);
  return isGood ? undefined : 'The signature is not by the shared secret.';
}

/** Undefined if the time is about now, else what is wrong with it. */
export function checkAge(timestamp: string, nowMs: number): string | undefined {
  const isFresh = Math.abs(nowMs - Date.parse(timestamp)) <= ageMsMax;
  return isFresh ? undefined : 'The time is not about now: the clocks differ, or somebody sends it again.';
}
