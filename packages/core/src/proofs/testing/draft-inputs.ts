/** Inputs of tests of proofs by the draft's `ProofGen`: its random numbers that are always the same, and a point that is none. */
import { expand_message_xmd } from '@noble/curves/abstract/hash-to-curve.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { randomScalarBytes, scalarOfRandomBytes } from '../plain-proofs.ts';
import { integerBytes } from '../scalars.ts';
import { pointBytes } from '../sizes.ts';

/** The draft's own way to random numbers for its vectors. */
export const seededScalars = (seed: Uint8Array, tag: Uint8Array, count: number): bigint[] => {
  const bytes = expand_message_xmd(seed, tag, count * randomScalarBytes, sha256);
  return Array.from({ length: count }, (_, index) =>
    scalarOfRandomBytes(bytes.subarray(index * randomScalarBytes, (index + 1) * randomScalarBytes)),
  );
};

/** A point of the curve that is not in its group of prime order: of all points of the curve next to none is. */
export function pointOutsideOfGroup(): Uint8Array {
  const { Fp } = bls12_381.fields;
  for (let x = 1n; ; x++) {
    try {
      Fp.sqrt(Fp.add(Fp.pow(x, 3n), 4n));
    } catch {
      // Not on the curve at all.
      continue;
    }
    const bytes = integerBytes(x, pointBytes);
    bytes[0] = 0x80;
    return bytes;
  }
}
