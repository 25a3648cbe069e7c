/**
 * Assertions by which a client shows who it is (`private_key_jwt`: RFC 7523, OpenID Connect Core). Whether one was seen
 * before is for whoever keeps their identifiers.
 */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { isJwsSignedBy, type ParsedJws, parseCompactJws, type VerifyJws } from '../jose/compact-jws.ts';
import type { SignatureAlgorithm, SigningJwk } from '../jose/public-keys.ts';
import { oid4vciLimits as limits } from '../limits/oid4vci-limits.ts';

export const assertionAlgorithms = [
  'ES256',
  'EdDSA',
  'Ed25519',
] as const satisfies readonly SignatureAlgorithm[];

/** Nobody wanted a type for long, so most have none. */
const assertionTypes = [undefined, 'JWT', 'client-authentication+jwt'];

export interface ClientKey {
  readonly kid?: string;
  readonly key: SigningJwk;
}

export interface AssertionRule {
  readonly clientId: string;
  /** Of the client, as somebody who is trusted with it has given them. */
  readonly keys: readonly ClientKey[];
  /** The identifier of the authorization server. */
  readonly audience: string;
  readonly nowSeconds: number;
  readonly verify: VerifyJws;
}

export interface ClientAssertion {
  /** To be seen once, of this client. */
  readonly jti: string;
}

const read = (assertion: string): ParsedJws | Complaint =>
  assertion.length > limits.proofCharsMax
    ? { complaint: 'is too long' }
    : parseCompactJws(assertion, { typ: assertionTypes, algorithms: assertionAlgorithms });

/** Who an assertion says it is of; nothing is verified by that. */
export function claimedClient(assertion: string): string | Complaint {
  const parsed = read(assertion);
  if (isComplaint(parsed)) return parsed;
  const { sub } = parsed.payload;
  return typeof sub === 'string' ? sub : { complaint: 'does not say of whom it is' };
}

export async function checkClientAssertion(
  assertion: string,
  rule: AssertionRule,
): Promise<ClientAssertion | Complaint> {
  const parsed = read(assertion);
  if (isComplaint(parsed)) return parsed;
  const { kid } = parsed.header;
  const keys = rule.keys.filter((one) => kid === undefined || one.kid === kid);
  if (keys.length === 0) return { complaint: 'names no key of the client' };
  if (!(await isSignedByOne(parsed, keys, rule.verify)))
    return { complaint: 'is not signed by a key of the client' };
  return claimProblem(parsed, rule) ?? { jti: parsed.payload.jti as string };
}

async function isSignedByOne(
  parsed: ParsedJws,
  keys: readonly ClientKey[],
  verify: VerifyJws,
): Promise<boolean> {
  for (const { key } of keys) if (await isJwsSignedBy(parsed, key, verify)) return true;
  return false;
}

function claimProblem(
  { payload }: ParsedJws,
  { clientId, audience, nowSeconds: now }: AssertionRule,
): Complaint | undefined {
  const { iss, sub, aud, exp, iat, nbf, jti } = payload;
  if (iss !== clientId || sub !== clientId) return { complaint: 'is not of the client, by the client' };
  // A list of servers would let each of them use it at the others.
  if (aud !== audience) return { complaint: 'is not for this authorization server alone' };
  if (typeof exp !== 'number' || !(exp > now)) return { complaint: 'has expired' };
  if (exp > now + limits.assertionSecondsMax + limits.aheadSecondsMax)
    return { complaint: `lives longer than ${limits.assertionSecondsMax} seconds` };
  const isAhead = (time: unknown): boolean =>
    time !== undefined && !(typeof time === 'number' && time <= now + limits.aheadSecondsMax);
  if (isAhead(iat) || isAhead(nbf)) return { complaint: 'was made in the future' };
  if (typeof jti !== 'string' || jti.length === 0 || jti.length > limits.identifierCharsMax)
    return { complaint: 'has no identifier' };
  return undefined;
}
