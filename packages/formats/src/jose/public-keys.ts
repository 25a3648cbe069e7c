/**
 * Public keys as JSON Web Keys: the two kinds that sign here, read strictly and reduced to their bare members. A key with
 * a private member is refused: whoever sent it has given it away.
 */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { encodeBase64Url, parseExactBase64Url, type Sha256 } from '@symbolon/core/basics/bytes';
import { canonicalJsonBytes } from '@symbolon/core/basics/jcs';
import { asObject } from '@symbolon/core/basics/plain-values';

/** The bare members, in the order that thumbprints want. */
export type SigningJwk =
  | { readonly crv: 'P-256'; readonly kty: 'EC'; readonly x: string; readonly y: string }
  | { readonly crv: 'Ed25519'; readonly kty: 'OKP'; readonly x: string };

/** Algorithms of signatures, and the curve of each. `Ed25519` is the newer name of the same (RFC 9864). */
const curves = { ES256: 'P-256', EdDSA: 'Ed25519', Ed25519: 'Ed25519' } as const;
export type SignatureAlgorithm = keyof typeof curves;
export const signatureAlgorithms = Object.keys(curves) as readonly SignatureAlgorithm[];

export const isSignatureAlgorithm = (name: unknown): name is SignatureAlgorithm =>
  typeof name === 'string' && Object.hasOwn(curves, name);

/** Whether a key is of the curve that an algorithm takes. */
export const fitsAlgorithm = (key: SigningJwk, algorithm: SignatureAlgorithm): boolean =>
  curves[algorithm] === key.crv;

const coordinateBytes = 32;
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

const isCoordinate = (value: unknown): value is string =>
  typeof value === 'string' && parseExactBase64Url(value)?.length === coordinateBytes;

/** Members beside the bare ones may stand there and must not speak against signing. */
export function readPublicJwk(value: unknown): SigningJwk | Complaint {
  const jwk = asObject(value);
  if (!jwk) return { complaint: 'a key is no JSON Web Key' };
  if (privateMembers.some((name) => Object.hasOwn(jwk, name)))
    return { complaint: 'a key has a private member' };
  const key = bareKey(jwk);
  if (isComplaint(key)) return key;
  if (jwk.use !== undefined && jwk.use !== 'sig') return { complaint: 'a key is not for signatures' };
  if (jwk.alg !== undefined && !(isSignatureAlgorithm(jwk.alg) && fitsAlgorithm(key, jwk.alg)))
    return { complaint: 'a key is for another algorithm' };
  if (jwk.key_ops !== undefined && !(Array.isArray(jwk.key_ops) && jwk.key_ops.includes('verify')))
    return { complaint: 'a key is not for verifying' };
  return key;
}

function bareKey({ kty, crv, x, y }: Readonly<Record<string, unknown>>): SigningJwk | Complaint {
  if (kty === 'EC' && crv === 'P-256')
    return isCoordinate(x) && isCoordinate(y)
      ? { crv, kty, x, y }
      : { complaint: 'a key has no coordinates of 32 bytes' };
  if (kty === 'OKP' && crv === 'Ed25519')
    return isCoordinate(x) ? { crv, kty, x } : { complaint: 'a key has no coordinate of 32 bytes' };
  return { complaint: 'a key is neither of P-256 nor Ed25519' };
}

/** Of the bare members (RFC 7638): one key, one name, whatever stood beside them. */
export const keyThumbprint = (key: SigningJwk, sha256: Sha256): string =>
  encodeBase64Url(sha256(canonicalJsonBytes(key)));

export const isSameKey = (left: SigningJwk, right: SigningJwk): boolean =>
  left.kty === right.kty &&
  left.x === right.x &&
  (left.kty !== 'EC' || right.kty !== 'EC' || left.y === right.y);
