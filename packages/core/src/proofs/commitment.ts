/**
 * What ties the contents of a credential to its entry on the ledger: a Pedersen commitment in G1 to the header and to
 * every message of its BBS signature, the last of which is a salt that nobody but issuer and holder ever sees. The
 * points are hashed to the curve under a name of their own, so nobody knows how they relate to each other or to those
 * of signatures. With a random salt the commitment is an even point: it says nothing of what it is to.
 */
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { assert } from '../basics/assert.ts';
import { bbsLimits } from '../limits/documents.ts';
import type { CommitOrder, ProofStatement } from './proof-engine.ts';
import { hashToScalar, integerBytes, messageScalar } from './scalars.ts';
import { pointBytes } from './sizes.ts';
import { ciphersuiteId, tag } from './suite.ts';

const { Point } = bls12_381.G1;
type CurvePoint = InstanceType<typeof Point>;

const commitmentId = `${ciphersuiteId}SYMBOLON_COMMITMENT_V1_`;

/** Multiples of a base that are kept, as a power of two: 5 makes a product seven times cheaper for 0.2 MB a base. */
const precomputedBits = 5;

interface Base {
  readonly point: CurvePoint;
  /** Compressed. Taken before multiples are kept: the library would make them all for it. */
  readonly bytes: Uint8Array;
}

/** Made when first needed; there are never more than messages are possible, and two. */
const bases: Base[] = [];

function baseAt(index: number): Base {
  while (bases.length <= index) {
    const message = integerBytes(bases.length, 8);
    const hashed = bls12_381.G1.hashToCurve(message, { DST: tag(commitmentId, 'BASE_DST_') });
    const bytes = hashed.toBytes(true);
    bases.push({ bytes, point: Point.fromAffine(hashed.toAffine()).precompute(precomputedBits) });
  }
  return bases[index];
}

const headerPlace = 0;
const saltPlace = 1;

/** The salt is the last message; the others follow in their order. */
const placeOf = (index: number, messageCount: number): number =>
  index === messageCount - 1 ? saltPlace : saltPlace + 1 + index;

export const committedHeaderTag = (): Uint8Array => tag(commitmentId, 'HEADER_TO_SCALAR_');

const headerScalar = (header: Uint8Array): bigint => hashToScalar(header, committedHeaderTag());

/** The points of some messages, by their index among all of them, compressed. */
export const commitmentBases = (indexes: readonly number[], messageCount: number): Uint8Array[] =>
  indexes.map((index) => baseAt(placeOf(index, messageCount)).bytes);

/** The points of header and messages, in this order, compressed. */
export const allCommitmentBases = (messageCount: number): Uint8Array[] => [
  baseAt(headerPlace).bytes,
  ...commitmentBases([...Array(messageCount).keys()], messageCount),
];

/** Takes the same time whatever the values are, as far as numbers of JavaScript do. */
export function commitContents({ header, messages }: CommitOrder): Uint8Array {
  assert(messages.length >= 1 && messages.length <= bbsLimits.messagesMax, `${messages.length} messages`);
  let sum = baseAt(headerPlace).point.multiply(headerScalar(header));
  for (const [index, message] of messages.entries()) {
    const scalar = messageScalar('typed', message);
    // The library multiplies by no zero; nothing is added then.
    if (scalar !== 0n) sum = sum.add(baseAt(placeOf(index, messages.length)).point.multiply(scalar));
  }
  return sum.toBytes(true);
}

/**
 * The commitment to what is hidden alone: the given one without what is shown. Undefined when the bytes are no point,
 * or when nothing would be left, which no salt that was chosen at random makes happen.
 */
export function commitmentToHidden(
  commitment: Uint8Array,
  { header, messageCount, revealed }: Pick<ProofStatement, 'header' | 'messageCount' | 'revealed'>,
): Uint8Array | undefined {
  const given = parsePoint(commitment);
  if (given === undefined) return undefined;
  let shown = baseAt(headerPlace).point.multiplyUnsafe(headerScalar(header));
  for (const { index, message } of revealed) {
    const scalar = messageScalar('typed', message);
    shown = shown.add(baseAt(placeOf(index, messageCount)).point.multiplyUnsafe(scalar));
  }
  const hidden = given.subtract(shown);
  return hidden.is0() ? undefined : hidden.toBytes(true);
}

function parsePoint(bytes: Uint8Array): CurvePoint | undefined {
  if (bytes.length !== pointBytes) return undefined;
  try {
    return Point.fromBytes(bytes);
  } catch {
    // Thrown for bytes that are no point of the group.
    return undefined;
  }
}
