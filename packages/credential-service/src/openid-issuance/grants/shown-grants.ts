/**
 * Whose access token a request shows, and whether it is good here: of this issuer, in its time, and shown with the key
 * that it was given to.
 */
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { equalTexts } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { checkDpopProof, type DpopProof, type DpopRule } from '@symbolon/formats/oid4vci/dpop-proofs';
import { sha256 } from '@symbolon/host/work/sha256';
import type { Call } from '@symbolon/wire/http/service-route';
import {
  endpointOf,
  type OpenidIssuer,
  type OpenidParts,
  type openidEndpoints,
} from '../parts/openid-parts.ts';
import { secretHash } from '../parts/openid-secrets.ts';
import { verifyToken } from '../parts/token-signatures.ts';
import { findGrantByToken, type Grant, markGrantAnswered } from './grant-rows.ts';
import { isFirstSeen } from './seen-proofs.ts';

type ProofParts = Pick<OpenidParts, 'database' | 'clock'>;

/** Throws `dpopProofInvalid`; the proof is used up by it. */
export async function requireDpopProof(
  { database, clock }: ProofParts,
  proof: string,
  rule: Pick<DpopRule, 'method' | 'url' | 'accessToken' | 'boundTo'>,
): Promise<DpopProof> {
  const now = clock.nowMs();
  const nowSeconds = Math.floor(now / 1_000);
  const checked = await checkDpopProof(proof, { ...rule, nowSeconds, verify: verifyToken, sha256 });
  if (isComplaint(checked))
    throw new Fault('dpopProofInvalid', { detail: `The DPoP proof ${checked.complaint}` });
  const seen = { owner: checked.thumbprint, jti: checked.jti, now };
  if (!(await isFirstSeen(database.kysely, seen)))
    throw new Fault('dpopProofInvalid', { detail: 'The DPoP proof was used before' });
  return checked;
}

/** The key of the proof in the header, if there is one, for a request that is no resource of a token. */
export async function shownDpopKey(
  parts: ProofParts,
  { header, headerNames }: Pick<Call, 'header' | 'headerNames'>,
  { issuer, endpoint }: { readonly issuer: OpenidIssuer; readonly endpoint: keyof typeof openidEndpoints },
): Promise<string | undefined> {
  if (!headerNames.includes('dpop')) return undefined;
  const proof = header('dpop');
  if (proof === undefined) throw new Fault('dpopProofInvalid', { detail: 'There are several DPoP proofs' });
  const url = endpointOf(issuer, endpoint);
  return (await requireDpopProof(parts, proof, { method: 'POST', url })).thumbprint;
}

const invalid = (detail: string): Fault => new Fault('accessTokenInvalid', { detail });

/** Throws `accessTokenInvalid`, `dpopProofInvalid`. */
export async function requireGrant(
  parts: ProofParts,
  { grant: shown }: Pick<Call, 'grant'>,
  { issuer, endpoint }: { readonly issuer: OpenidIssuer; readonly endpoint: keyof typeof openidEndpoints },
): Promise<Grant> {
  if (!shown) throw new Fault('accessTokenMissing');
  const { scheme, token, dpopProof } = shown;
  const tokenHash = secretHash(token);
  const grant = await findGrantByToken(parts.database.kysely, tokenHash);
  if (!grant || !equalTexts(grant.tokenHash, tokenHash) || grant.issuer !== issuer.did)
    throw invalid('The token is unknown here');
  if (grant.expiresAt <= parts.clock.nowMs()) throw invalid('The token has expired');
  if (grant.revokedAt !== null) throw invalid('The token was revoked, because its code came again');
  const { dpopThumbprint: boundTo } = grant;
  if (boundTo === null && scheme === 'DPoP')
    throw invalid('The token was not given to a key: it is shown as Bearer');
  if (boundTo !== null) {
    if (scheme !== 'DPoP' || dpopProof === undefined)
      throw invalid('The token was given to a key: it is shown with DPoP');
    const url = endpointOf(issuer, endpoint);
    await requireDpopProof(parts, dpopProof, { method: 'POST', url, accessToken: token, boundTo });
  }
  // Whoever shows it has got it: the code gives it to nobody any more.
  if (grant.answeredAt === null)
    await markGrantAnswered(parts.database.kysely, grant.id, parts.clock.nowMs());
  return grant;
}
