/**
 * JSON Web Signatures in compact form: read strictly, signed and verified through functions that the caller gives, so
 * that keys may be in a vault, in hardware or in a browser. What the payload means is not decided here.
 */
import type { Complaint } from '@symbolon/core/attributes/attribute-formats';
import { encodeBase64Url, encodeUtf8, parseExactBase64Url } from '@symbolon/core/basics/bytes';
import type { Fields } from '@symbolon/core/basics/plain-values';
import { joseLimits } from '../limits/format-limits.ts';
import {
  fitsAlgorithm,
  isSignatureAlgorithm,
  type SignatureAlgorithm,
  type SigningJwk,
} from './public-keys.ts';
import { parseSignedObject, parseUtf8 } from './strict-json.ts';

/** Whoever holds a secret key. The signature of ES256 is r and s, 64 bytes together. */
export interface JwsSigner {
  readonly alg: SignatureAlgorithm;
  /** By which a verifier finds the public key. */
  readonly header?: {
    readonly kid?: string;
    readonly x5c?: readonly string[];
    readonly jwk?: SigningJwk;
  };
  readonly sign: (data: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}

export interface JwsOrder {
  readonly alg: SignatureAlgorithm;
  readonly key: SigningJwk;
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
}
/** False for every signature, and every key, that is not right; never an error. */
export type VerifyJws = (order: JwsOrder) => boolean | Promise<boolean>;

export interface ParsedJws {
  readonly header: Fields & { readonly alg: SignatureAlgorithm };
  readonly payload: Fields;
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
}

const signatureBytes = 64;

/** Which token it must be: its type, or which types it may have, and the algorithms that may have signed it. */
export interface JwsRule {
  readonly typ: string | readonly (string | undefined)[];
  readonly algorithms: readonly SignatureAlgorithm[];
}

/** A token in its three parts, each in the one form that its bytes have. */
export function parseCompactJws(text: string, rule: JwsRule): ParsedJws | Complaint {
  if (text.length > joseLimits.tokenCharsMax) return { complaint: 'is too long' };
  const parts = text.split('.', 4);
  if (parts.length !== 3) return { complaint: 'has not the three parts of a token' };
  const [head, body, end] = parts;
  if (head.length > joseLimits.headerCharsMax) return { complaint: 'has too long a header' };
  const header = parsePart(head);
  const payload = parsePart(body);
  const signature = parseExactBase64Url(end);
  if (!header) return { complaint: 'has a header that is no base64url of a plain JSON object' };
  if (!payload) return { complaint: 'has a payload that is no base64url of a plain JSON object' };
  if (signature?.length !== signatureBytes) return { complaint: 'has no signature of 64 bytes' };
  const alg = readHeader(header, rule);
  if (typeof alg !== 'string') return alg;
  return { header: { ...header, alg }, payload, data: encodeUtf8(`${head}.${body}`), signature };
}

function parsePart(part: string): Fields | undefined {
  const bytes = parseExactBase64Url(part);
  const text = bytes && parseUtf8(bytes);
  return text === undefined ? undefined : parseSignedObject(text);
}

function readHeader({ typ, alg, crit, b64 }: Fields, rule: JwsRule): SignatureAlgorithm | Complaint {
  const types: readonly unknown[] = typeof rule.typ === 'string' ? [rule.typ] : rule.typ;
  if (!types.includes(typ))
    return { complaint: `is not of type ${types.filter((one) => one !== undefined).join(' or ')}` };
  if (!isSignatureAlgorithm(alg) || !rule.algorithms.includes(alg))
    return { complaint: `is not signed by ${rule.algorithms.join(' or ')}` };
  // No extension is understood here, and one that is critical must be.
  if (crit !== undefined || b64 !== undefined)
    return { complaint: 'has a critical extension that is not understood' };
  return alg;
}

export const isJwsSignedBy = async (
  { header, data, signature }: ParsedJws,
  key: SigningJwk,
  verify: VerifyJws,
): Promise<boolean> =>
  fitsAlgorithm(key, header.alg) && (await verify({ alg: header.alg, key, data, signature }));

const encodePart = (part: object): string => encodeBase64Url(encodeUtf8(JSON.stringify(part)));

export async function signJws(typ: string, payload: object, signer: JwsSigner): Promise<string> {
  const input = `${encodePart({ alg: signer.alg, typ, ...signer.header })}.${encodePart(payload)}`;
  return `${input}.${encodeBase64Url(await signer.sign(encodeUtf8(input)))}`;
}
