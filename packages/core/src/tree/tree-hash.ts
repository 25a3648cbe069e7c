/**
 * How the authenticated state is hashed: plain SHA-256 over 64-byte inputs only, so that any client can
 * follow a proof. A leaf is H(H(key ‖ valueHash) ‖ tag), an inner node H(left ‖ right), an empty subtree
 * 32 zero bytes; a subtree with one leaf is that leaf. Not here: where nodes live and how they change.
 */
import { assert } from '../basics/assert.ts';
import { concatBytes, type Sha256 } from '../basics/bytes.ts';

export const hashBytes = 32;

/** Both inputs of one inner node, or a key and its value hash. */
export const pairBytes = 64;

/** Hashes n blocks of 64 bytes into n digests of 32 bytes, each a plain SHA-256 of its block. */
export type HashPairs = (input: Uint8Array, output: Uint8Array) => void;

/** The digest of the text `symbolon/leaf/v1`: it keeps a leaf from being read as an inner node. */
export const leafTag = Uint8Array.of(
  ...[0xe8, 0x17, 0xf6, 0x1f, 0x52, 0xb6, 0xcc, 0xa3, 0x48, 0x2d, 0x0b, 0xa9, 0xbc, 0x2d, 0x71, 0x0b],
  ...[0x2a, 0x51, 0x6e, 0xaa, 0xee, 0x8c, 0x51, 0xc6, 0x81, 0x40, 0xca, 0x70, 0xf2, 0xc6, 0x70, 0x31],
);

/** The hash of a subtree without leaves, and the root of an empty tree. */
export const emptyHash = (): Uint8Array => new Uint8Array(hashBytes);

export const isEmptyHash = (hash: Uint8Array): boolean => hash.every((byte) => byte === 0);

export function leafHash(key: Uint8Array, valueHash: Uint8Array, sha256: Sha256): Uint8Array {
  return sha256(concatBytes(sha256(concatBytes(key, valueHash)), leafTag));
}

/** The portable way to hash pairs where no batch implementation is at hand: slower, the same digests. */
export function hashPairsWith(sha256: Sha256): HashPairs {
  return (input, output) => {
    const count = input.length / pairBytes;
    assert(output.length === count * hashBytes, 'the output holds one digest for each pair');
    for (let index = 0; index < count; index++) {
      output.set(sha256(input.subarray(index * pairBytes, (index + 1) * pairBytes)), index * hashBytes);
    }
  };
}
