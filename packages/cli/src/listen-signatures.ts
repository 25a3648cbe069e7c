/**
 * Whether a result or callback comes from the service (`docs/verification.md`, "Results"): the detached signature by
 * the service's own key, and the HMAC where a secret is shared. Both cover the time and the very text.
 */
import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { signedPayload } from '@symbolon/wire/exchange-replies';
import { isJsonObject, parseJson } from '@symbolon/wire/json';

export interface SignedText {
  readonly text: string;
  readonly timestamp: string;
  readonly signature: string;
}

export interface ResultKeys {
  readonly keys: readonly { readonly kid: string; readonly [member: string]: unknown }[];
}

/** An older one may be a replay. */
const ageMsMax = 300_000;

/** Undefined if the detached JWS is by a key of the service, else what is wrong with it. */
export function checkOwnSignature(
  jwks: ResultKeys,
  { text, timestamp, signature }: SignedText,
): string | undefined {
  const [head = '', payload, proof = '', ...others] = signature.split('.');
  const header = readHeader(head);
  if (payload !== '' || others.length > 0 || !header) return 'The signature is not a detached JWS.';
  const { alg, b64, crit, kid } = header;
  const isOurs = alg === 'EdDSA' && b64 === false && Array.isArray(crit) && crit.join() === 'b64';
  if (!isOurs) return 'The signature is of another kind.';
  const key = keyOf(jwks, kid);
  if (!key) return 'The signature is by a key that the service does not show.';
  const bytes = Buffer.from(`${head}.${signedPayload(timestamp, text)}`, 'utf8');
  const isGood = verify(null, bytes, key, Buffer.from(proof, 'base64url'));
  return isGood ? undefined : 'The signature does not fit the text.';
}

function readHeader(head: string) {
  try {
    const header = parseJson(Buffer.from(head, 'base64url').toString('utf8'));
    return isJsonObject(header) ? header : undefined;
  } catch {
    // No JSON, no header.
    return undefined;
  }
}

function keyOf({ keys }: ResultKeys, kid: unknown): KeyObject | undefined {
  const found = keys.find((key) => key.kid === kid && key.kty === 'OKP' && key.crv === 'Ed25519');
  if (!found || typeof found.x !== 'string') return undefined;
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: found.x }, format: 'jwk' });
  } catch {
    // A key that cannot be read has signed nothing.
    return undefined;
  }
}

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
