/**
 * Token Status List (`statuslist+jwt`): a signed list of slots, made, and read as somebody else's. A list is good for
 * the address that it names, until the time that it names, and for nothing else.
 */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { encodeBase64Url, parseExactBase64Url } from '@symbolon/core/basics/bytes';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import {
  isJwsSignedBy,
  type JwsSigner,
  type ParsedJws,
  parseCompactJws,
  signJws,
  type VerifyJws,
} from '../jose/compact-jws.ts';
import { type SignatureAlgorithm, signatureAlgorithms } from '../jose/public-keys.ts';
import { sdJwtLimits, statusListLimits } from '../limits/format-limits.ts';
import type { FoundIssuerKeys, IssuerQuestion } from '../sd-jwt/verifying.ts';
import { pack, unpack } from './packing.ts';
import { isSlotBits, type MarkedSlots, type SlotBits, tokenListBytes } from './slots.ts';

export const statusListType = 'statuslist+jwt';

export interface TokenListOrder {
  /** The address at which the list is served, exactly. */
  readonly uri: string;
  readonly marked: MarkedSlots;
  /** Milliseconds since 1970: when the facts were read. */
  readonly at: number;
  readonly lifetimeSeconds?: number;
  readonly keepSeconds?: number;
}

/** The list as its signer may sign it. */
export async function tokenListPayload({
  uri,
  marked,
  at,
  lifetimeSeconds = statusListLimits.lifetimeSeconds,
  keepSeconds = statusListLimits.keepSeconds,
}: TokenListOrder): Promise<object> {
  const { slots, bits } = statusListLimits;
  const iat = Math.floor(at / 1_000);
  const packed = await pack(tokenListBytes(marked, { slots, bits }), 'zlib');
  return {
    sub: uri,
    iat,
    exp: iat + lifetimeSeconds,
    ttl: keepSeconds,
    status_list: { bits, lst: encodeBase64Url(packed) },
  };
}

export const signTokenList = async (order: TokenListOrder, signer: JwsSigner): Promise<string> =>
  signJws(statusListType, await tokenListPayload(order), signer);

export interface ReadTokenList {
  readonly bits: SlotBits;
  readonly bytes: Uint8Array;
  /** Milliseconds since 1970, from which it counts no longer. */
  readonly until: number;
}

export interface TokenListFacts {
  readonly uri: string;
  /** The issuer of the credential: nobody else's list says anything of it. */
  readonly issuer: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly findIssuerKeys: (question: IssuerQuestion) => Promise<FoundIssuerKeys>;
  readonly verifySignature: VerifyJws;
  readonly algorithms?: readonly SignatureAlgorithm[];
}

/** Verified before it is unpacked. */
export async function readTokenList(text: string, facts: TokenListFacts): Promise<ReadTokenList | Complaint> {
  if (text.length > statusListLimits.tokenCharsMax) return { complaint: 'the list is too long' };
  const algorithms = facts.algorithms ?? signatureAlgorithms;
  const token = parseCompactJws(text, { typ: statusListType, algorithms });
  if (isComplaint(token)) return { complaint: `the list ${token.complaint}` };
  const until = readTimes(token.payload, facts);
  if (typeof until !== 'number') return until;
  const refusal = await signatureComplaint(token, facts);
  return refusal ?? readList(token.payload, until);
}

async function signatureComplaint(
  token: ParsedJws,
  { issuer, findIssuerKeys, verifySignature }: TokenListFacts,
): Promise<Complaint | undefined> {
  const { iss } = token.payload;
  if (iss !== undefined && iss !== issuer) return { complaint: 'the list is of another issuer' };
  const found = await findIssuerKeys({ issuer, header: token.header });
  if (isComplaint(found)) return { complaint: `of the list ${found.complaint}` };
  for (const key of found.keys) if (await isJwsSignedBy(token, key, verifySignature)) return undefined;
  return { complaint: 'the list is not signed by the issuer of the credential' };
}

function readTimes({ sub, iat, exp, ttl }: Fields, { uri, now }: TokenListFacts): number | Complaint {
  if (sub !== uri) return { complaint: 'the list is for another address' };
  const seconds = now / 1_000;
  if (typeof iat !== 'number' || iat > seconds + sdJwtLimits.clockSkewSeconds)
    return { complaint: 'the list is made in the future' };
  if (exp !== undefined && !(typeof exp === 'number' && exp > seconds))
    return { complaint: 'the list has expired' };
  if (ttl !== undefined && !(typeof ttl === 'number' && ttl > 0))
    return { complaint: 'the list does not say how long it may be kept' };
  const keep = Math.min(ttl ?? statusListLimits.keepSeconds, statusListLimits.keepSecondsMax);
  return Math.min(exp ?? Number.POSITIVE_INFINITY, seconds + keep) * 1_000;
}

async function readList({ status_list: list }: Fields, until: number): Promise<ReadTokenList | Complaint> {
  const { bits, lst } = asObject(list) ?? {};
  if (!isSlotBits(bits)) return { complaint: 'the list has not 1, 2, 4 or 8 bits for each' };
  const packed = typeof lst === 'string' ? parseExactBase64Url(lst) : undefined;
  if (!packed) return { complaint: 'the list is no base64url' };
  const read = await unpack(packed, { packing: 'zlib', bytesMax: statusListLimits.listBytesMax });
  return isComplaint(read) ? read : { bits, bytes: read.bytes, until };
}
