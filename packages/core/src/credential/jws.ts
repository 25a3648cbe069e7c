/**
 * The two kinds of JSON Web Signature that documents carry, both detached and by Ed25519: the issuer's over raw bytes
 * (RFC 7797, unencoded) and the holder's over an encoded payload (RFC 7515, appendix F). Each has exactly one header
 * text, which is compared and never interpreted: no algorithm, key or extension can be chosen by who sends it.
 */
import { assert } from '../basics/assert.ts';
import { concatBytes, encodeBase64Url, encodeUtf8, parseExactBase64Url } from '../basics/bytes.ts';

export type JwsKind = 'issuer' | 'holder';

export const jwsHeaders: Readonly<Record<JwsKind, string>> = {
  issuer: '{"alg":"EdDSA","b64":false,"crit":["b64"]}',
  holder: '{"alg":"EdDSA"}',
};

export const jwsSignatureBytes = 64;

const headerPart = (kind: JwsKind): string => encodeBase64Url(encodeUtf8(jwsHeaders[kind]));

/** The bytes that are signed. */
export function jwsSigningInput(kind: JwsKind, payload: Uint8Array): Uint8Array {
  const encoded = kind === 'issuer' ? payload : encodeUtf8(encodeBase64Url(payload));
  return concatBytes(encodeUtf8(`${headerPart(kind)}.`), encoded);
}

export function detachedJws(kind: JwsKind, signature: Uint8Array): string {
  assert(signature.length === jwsSignatureBytes, 'an Ed25519 signature has 64 bytes');
  return `${headerPart(kind)}..${encodeBase64Url(signature)}`;
}

/** The signature, or undefined for every text that `detachedJws` would not have made. */
export function parseDetachedJws(kind: JwsKind, text: string): Uint8Array | undefined {
  const start = `${headerPart(kind)}..`;
  if (!text.startsWith(start) || text.length !== start.length + jwsSignatureChars) return undefined;
  const signature = parseExactBase64Url(text.slice(start.length));
  return signature?.length === jwsSignatureBytes ? signature : undefined;
}

/** 64 bytes in base64url. */
const jwsSignatureChars = 86;
