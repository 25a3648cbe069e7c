/**
 * Proofs that a wallet has the keys that credentials are bound to (OpenID4VCI 1.0, appendix F.1), each check by itself.
 * What is known of nonces, of clients and of keys behind identifiers is handed in; nothing is looked up here.
 */
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import type { Sha256 } from '@symbolon/core/basics/bytes';
import { isJwsSignedBy, type ParsedJws, parseCompactJws, type VerifyJws } from '../jose/compact-jws.ts';
import {
  keyThumbprint,
  readPublicJwk,
  type SignatureAlgorithm,
  type SigningJwk,
} from '../jose/public-keys.ts';
import { oid4vciLimits as limits } from '../limits/oid4vci-limits.ts';

export const keyProofType = 'openid4vci-proof+jwt';

export interface ProofRule {
  /** The credential issuer's identifier. */
  readonly audience: string;
  /** Those that the metadata lists. */
  readonly algorithms: readonly SignatureAlgorithm[];
  readonly proofsMax: number;
  readonly nowSeconds: number;
  /** Who asked for the token; absent where nobody has said. */
  readonly clientId?: string;
  /** Whether a nonce is ours and young. */
  readonly isNonce: (nonce: string) => boolean;
  /** The key that an identifier of a key stands for. */
  readonly keyOf: (kid: string) => Promise<ProvenKey | undefined>;
  readonly verify: VerifyJws;
  readonly sha256: Sha256;
}

/** A key that somebody has shown to have. */
export interface ProvenKey {
  readonly key: SigningJwk;
  /** The DID that the key was named by. */
  readonly did?: string;
}

export interface KeyProofRefusal {
  readonly error: 'invalid_proof' | 'invalid_nonce';
  readonly complaint: string;
}

const refusal = (complaint: string): KeyProofRefusal => ({ error: 'invalid_proof', complaint });

/** The keys, in the order of the proofs, or what is wrong with the first that is not right. */
export async function checkKeyProofs(
  proofs: readonly string[],
  rule: ProofRule,
): Promise<readonly ProvenKey[] | KeyProofRefusal> {
  if (proofs.length === 0) return refusal('there is no proof');
  if (proofs.length > rule.proofsMax) return refusal(`there are more than ${rule.proofsMax} proofs`);
  const proven: ProvenKey[] = [];
  const seen = new Set<string>();
  for (const proof of proofs) {
    const checked = await checkKeyProof(proof, rule);
    if ('error' in checked) return checked;
    const thumbprint = keyThumbprint(checked.key, rule.sha256);
    if (seen.has(thumbprint)) return refusal('two proofs are by the same key');
    seen.add(thumbprint);
    proven.push(checked);
  }
  return proven;
}

async function checkKeyProof(proof: string, rule: ProofRule): Promise<ProvenKey | KeyProofRefusal> {
  if (proof.length > limits.proofCharsMax) return refusal('a proof is too long');
  const parsed = parseCompactJws(proof, { typ: keyProofType, algorithms: rule.algorithms });
  if (isComplaint(parsed)) return refusal(`a proof ${parsed.complaint}`);
  const named = await keyOfProof(parsed, rule);
  if ('error' in named) return named;
  // Only what is signed is worth being looked at.
  if (!(await isJwsSignedBy(parsed, named.key, rule.verify)))
    return refusal('a proof is not signed by the key that it names');
  return claimProblem(parsed, rule) ?? named;
}

async function keyOfProof({ header }: ParsedJws, rule: ProofRule): Promise<ProvenKey | KeyProofRefusal> {
  const given = (['kid', 'jwk', 'x5c'] as const).filter((name) => header[name] !== undefined);
  if (given.length !== 1) return refusal('a proof names its key by exactly one of kid, jwk and x5c');
  const [how] = given;
  if (how === 'x5c') return refusal('a proof names its key by a certificate, which is not taken here');
  if (how === 'jwk') {
    const key = readPublicJwk(header.jwk);
    return isComplaint(key) ? refusal(`in a proof ${key.complaint}`) : { key };
  }
  const { kid } = header;
  if (typeof kid !== 'string' || kid.length > limits.identifierCharsMax)
    return refusal('the kid of a proof is no identifier of a key');
  return (await rule.keyOf(kid)) ?? refusal('the kid of a proof names no key that is known here');
}

function claimProblem({ payload }: ParsedJws, rule: ProofRule): KeyProofRefusal | undefined {
  const { aud, iat, nonce, iss } = payload;
  if (aud !== rule.audience) return refusal('a proof is not for this issuer');
  const time = timeProblem(iat, rule.nowSeconds);
  if (time !== undefined) return refusal(`a proof ${time}`);
  if (rule.clientId === undefined ? iss !== undefined : iss !== undefined && iss !== rule.clientId)
    return refusal('the iss of a proof is not who asked for the token');
  if (nonce === undefined) return refusal('a proof has no nonce');
  if (typeof nonce !== 'string' || !rule.isNonce(nonce))
    return {
      error: 'invalid_nonce',
      complaint: 'the nonce of a proof is not one of this issuer, or too old',
    };
  return undefined;
}

/** What is wrong with the moment at which a proof says it was made. */
export function timeProblem(iat: unknown, nowSeconds: number): string | undefined {
  if (typeof iat !== 'number' || !Number.isFinite(iat)) return 'does not say when it was made';
  if (iat < nowSeconds - limits.proofAgeSecondsMax) return 'is too old';
  return iat > nowSeconds + limits.aheadSecondsMax ? 'was made in the future' : undefined;
}
