/**
 * Proofs of the draft's own kind as bytes and numbers: how they are laid out, what their challenge is hashed from, and the
 * arithmetic of scalars in them (`draft-irtf-cfrg-bbs-signatures`: `ProofInit`, `ProofFinalize`, `ProofVerifyInit`).
 * Computing with points is the engine's.
 *
 * Scalars are big integers here, whose arithmetic takes a time that depends on them a little: JavaScript has nothing
 * better. What is secret in it is the holder's (the signature's `e`, hidden messages, random numbers used once), never an
 * issuer's key. The one operation whose time says much, the inverse, is of a number that a random factor hides.
 */
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { assert } from '../basics/assert.ts';
import { concatBytes } from '../basics/bytes.ts';
import { bbsLimits } from '../limits/documents.ts';
import { domainTag } from './generators.ts';
import type { PlainStatement } from './proof-engine.ts';
import { hashToScalar, integerBytes, parseScalar } from './scalars.ts';
import { pointBytes, scalarBytes } from './sizes.ts';
import { groupOrder } from './suite.ts';

/** The three points a proof begins with, compressed. */
export interface PlainPoints {
  readonly aBar: Uint8Array;
  readonly bBar: Uint8Array;
  readonly d: Uint8Array;
}

export interface PlainProof extends PlainPoints {
  readonly eResponse: bigint;
  readonly r1Response: bigint;
  readonly r3Response: bigint;
  /** One for each hidden message, in their order. */
  readonly messageResponses: readonly bigint[];
  readonly challenge: bigint;
}

const fixedPoints = 3;
const fixedScalars = 4;
const fixedBytes = fixedPoints * pointBytes + fixedScalars * scalarBytes;

export const plainProofLength = (hiddenMessages: number): number => fixedBytes + hiddenMessages * scalarBytes;

/** How many messages a proof of this length hides; undefined when no proof has it. */
export function hiddenMessagesOf(proofLength: number): number | undefined {
  const hidden = (proofLength - fixedBytes) / scalarBytes;
  return Number.isInteger(hidden) && hidden >= 0 && hidden <= bbsLimits.messagesMax ? hidden : undefined;
}

/** Whether bytes are marked as a compressed point other than the one at infinity. */
export const isMarkedAsPoint = (bytes: Uint8Array): boolean => ((bytes[0] as number) & 0xc0) === 0x80;

/**
 * Reads a proof: exactly as long as its scalars, no point at infinity, no scalar that is 0 or too large. Points at
 * infinity would make the pairing hold for anybody, so they never come as far as a library.
 */
export function parsePlainProof(proof: Uint8Array): PlainProof | undefined {
  const hidden = hiddenMessagesOf(proof.length);
  if (hidden === undefined) return undefined;
  const points = Array.from({ length: fixedPoints }, (_, index) =>
    proof.slice(index * pointBytes, (index + 1) * pointBytes),
  );
  const scalars = Array.from({ length: fixedScalars + hidden }, (_, index) => {
    const start = fixedPoints * pointBytes + index * scalarBytes;
    return parseScalar(proof.subarray(start, start + scalarBytes));
  });
  if (!points.every(isMarkedAsPoint) || !isComplete(scalars)) return undefined;
  const [aBar, bBar, d] = points as [Uint8Array, Uint8Array, Uint8Array];
  const [eResponse, r1Response, r3Response] = scalars as [bigint, bigint, bigint];
  const messageResponses = scalars.slice(fixedScalars - 1, -1);
  const challenge = scalars.at(-1) as bigint;
  return { aBar, bBar, d, eResponse, r1Response, r3Response, messageResponses, challenge };
}

const isComplete = (scalars: readonly (bigint | undefined)[]): scalars is bigint[] =>
  scalars.every((scalar) => scalar !== undefined);

export const encodePlainProof = (proof: PlainProof): Uint8Array =>
  concatBytes(
    proof.aBar,
    proof.bBar,
    proof.d,
    ...[proof.eResponse, proof.r1Response, proof.r3Response, ...proof.messageResponses, proof.challenge].map(
      (scalar) => integerBytes(scalar, scalarBytes),
    ),
  );

/** What the challenge of a proof is hashed from, beside its points. */
export interface ChallengeFacts {
  readonly points: PlainPoints;
  readonly t1: Uint8Array;
  readonly t2: Uint8Array;
  readonly domain: bigint;
  /** With the scalars of the messages, not the messages. */
  readonly revealed: readonly { readonly index: number; readonly scalar: bigint }[];
}

const countBytes = 8;

export function plainChallenge(
  { points, t1, t2, domain, revealed }: ChallengeFacts,
  { presentationHeader }: Pick<PlainStatement, 'presentationHeader'>,
): bigint {
  const shown = revealed.flatMap(({ index, scalar }) => [
    integerBytes(index, countBytes),
    integerBytes(scalar, scalarBytes),
  ]);
  const hashed = concatBytes(
    integerBytes(revealed.length, countBytes),
    ...shown,
    points.aBar,
    points.bBar,
    points.d,
    t1,
    t2,
    integerBytes(domain, scalarBytes),
    integerBytes(presentationHeader.length, countBytes),
    presentationHeader,
  );
  return hashToScalar(hashed, domainTag('plain'));
}

/** The rest of a division by the order of the group, from 0. */
export const scalarOf = (value: bigint): bigint => {
  const rest = value % groupOrder;
  return rest < 0n ? rest + groupOrder : rest;
};

/** The inverse of a secret: only its product with the factor, which is random and used once, is inverted. */
export function invertScalar(secret: bigint, factor: bigint): bigint {
  assert(secret !== 0n && factor !== 0n, 'scalars with an inverse');
  return scalarOf(bls12_381.fields.Fr.inv(scalarOf(secret * factor)) * factor);
}

/** A random scalar of 48 random bytes, so that the rest of the division is as good as even. */
export const scalarOfRandomBytes = (bytes: Uint8Array): bigint => {
  assert(bytes.length === randomScalarBytes, `${randomScalarBytes} random bytes`);
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return scalarOf(value);
};
export const randomScalarBytes = 48;
