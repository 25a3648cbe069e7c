/**
 * Proofs that whoever shows an access token has the key that it was given to (RFC 9449). Whether a proof was seen before
 * is for whoever keeps their identifiers.
 */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { encodeBase64Url, encodeUtf8, equalTexts, type Sha256 } from '@symbolon/core/basics/bytes';
import { isJwsSignedBy, parseCompactJws, type VerifyJws } from '../jose/compact-jws.ts';
import { keyThumbprint, readPublicJwk, type SignatureAlgorithm } from '../jose/public-keys.ts';
import { oid4vciLimits as limits } from '../limits/oid4vci-limits.ts';
import { timeProblem } from './key-proofs.ts';

export const dpopProofAlgorithms = [
  'ES256',
  'EdDSA',
  'Ed25519',
] as const satisfies readonly SignatureAlgorithm[];

export interface DpopRule {
  readonly method: string;
  /** The address that is called, without query. */
  readonly url: string;
  /** What is shown beside the proof; absent at the token endpoint. */
  readonly accessToken?: string;
  /** The thumbprint of the key that the token was given to; absent where any key will do. */
  readonly boundTo?: string;
  readonly nowSeconds: number;
  readonly verify: VerifyJws;
  readonly sha256: Sha256;
}

export interface DpopProof {
  readonly thumbprint: string;
  /** To be seen once, with this key. */
  readonly jti: string;
  readonly iat: number;
}

export async function checkDpopProof(proof: string, rule: DpopRule): Promise<DpopProof | Complaint> {
  if (proof.length > limits.proofCharsMax) return { complaint: 'is too long' };
  const parsed = parseCompactJws(proof, { typ: 'dpop+jwt', algorithms: dpopProofAlgorithms });
  if (isComplaint(parsed)) return parsed;
  const key = readPublicJwk(parsed.header.jwk);
  if (isComplaint(key)) return key;
  if (!(await isJwsSignedBy(parsed, key, rule.verify))) return { complaint: 'is not signed by its key' };
  const { htm, htu, jti, iat, ath } = parsed.payload;
  if (htm !== rule.method) return { complaint: 'is for another method' };
  if (typeof htu !== 'string' || withoutQuery(htu) !== rule.url)
    return { complaint: 'is for another address' };
  const time = timeProblem(iat, rule.nowSeconds);
  if (time !== undefined) return { complaint: time };
  if (typeof jti !== 'string' || jti.length === 0 || jti.length > limits.identifierCharsMax)
    return { complaint: 'has no identifier' };
  const thumbprint = keyThumbprint(key, rule.sha256);
  if (rule.accessToken !== undefined && !isHashOf(ath, rule.accessToken, rule.sha256))
    return { complaint: 'is for another access token' };
  if (rule.boundTo !== undefined && !equalTexts(thumbprint, rule.boundTo))
    return { complaint: 'is by another key than the access token was given to' };
  return { thumbprint, jti, iat: iat as number };
}

const isHashOf = (ath: unknown, token: string, sha256: Sha256): boolean =>
  typeof ath === 'string' && equalTexts(ath, encodeBase64Url(sha256(encodeUtf8(token))));

/** Query and fragment do not count (RFC 9449, section 4.3); an address in another spelling of the host is the same. */
function withoutQuery(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}
