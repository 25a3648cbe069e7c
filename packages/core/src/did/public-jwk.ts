/** Public keys of documents as JSON Web Keys (RFC 7517, RFC 8037), and back: points of P-256 are on the curve. */
import { p256 } from '@noble/curves/nist.js';
import { concatBytes, encodeBase64Url, parseExactBase64Url } from '../basics/bytes.ts';
import type { DidKeyType } from './did.ts';

export const didContext = 'https://www.w3.org/ns/did/v1';
export const multikeyContext = 'https://w3id.org/security/multikey/v1';
export const jsonWebKeyContext = 'https://w3id.org/security/jwk/v1';

/** What names the key; a JWK may have other members. */
export type PublicJwkMembers =
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519' | 'X25519'; readonly x: string };

/** Undefined where no JWK has a form for such a key, or the point is none. */
export function publicJwk(keyType: DidKeyType, publicKey: Uint8Array): PublicJwkMembers | undefined {
  if (keyType === 'bls12381g2') return undefined;
  if (keyType !== 'p256') {
    const crv = keyType === 'ed25519' ? 'Ed25519' : 'X25519';
    return { kty: 'OKP', crv, x: encodeBase64Url(publicKey) };
  }
  const point = pointBytes(publicKey, false);
  if (!point) return undefined;
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(encodeBase64Url);
  return { kty: 'EC', crv: 'P-256', x, y };
}

/** The key of a JWK; undefined for what is none, is of another kind, or holds a private key. */
export function keyOfJwk(jwk: unknown): { keyType: DidKeyType; publicKey: Uint8Array } | undefined {
  if (typeof jwk !== 'object' || jwk === null || 'd' in jwk || 'k' in jwk) return undefined;
  const { kty, crv, x, y } = jwk as Readonly<Record<string, unknown>>;
  const first = coordinate(x);
  if (!first) return undefined;
  if (kty === 'OKP' && crv === 'Ed25519') return { keyType: 'ed25519', publicKey: first };
  if (kty === 'OKP' && crv === 'X25519') return { keyType: 'x25519', publicKey: first };
  const second = kty === 'EC' && crv === 'P-256' ? coordinate(y) : undefined;
  const publicKey = second && pointBytes(concatBytes(Uint8Array.of(4), first, second), true);
  return publicKey && { keyType: 'p256', publicKey };
}

const coordinateBytes = 32;

function coordinate(text: unknown): Uint8Array | undefined {
  const bytes = typeof text === 'string' && text.length < 64 ? parseExactBase64Url(text) : undefined;
  return bytes?.length === coordinateBytes ? bytes : undefined;
}

/** Compressed or not; undefined for what is no point of P-256. */
function pointBytes(bytes: Uint8Array, isCompressed: boolean): Uint8Array | undefined {
  try {
    const point = p256.Point.fromBytes(bytes);
    point.assertValidity();
    return point.toBytes(isCompressed);
  } catch {
    return undefined;
  }
}
