/**
 * SHA-256 of many 64-byte blocks at once, for the state tree. `@chainsafe/hashtree` does it with vector
 * instructions, about ten times faster than block by block; where its native module does not load, or does
 * not give plain SHA-256, `node:crypto` takes its place. Both give the same digests, so nodes may differ in it.
 *
 * Input and output may be views at any offset; they must not overlap.
 */
import { hash as cryptoHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { assert } from '@symbolon/core/basics/assert';
import { equalBytes } from '@symbolon/core/basics/bytes';
import { type HashPairs, hashBytes, hashPairsWith, pairBytes } from '@symbolon/core/tree/tree-hash';

const portable = hashPairsWith((block) => cryptoHash('sha256', block, 'buffer'));
const native = loadNative();

export const hashPairsPortable: HashPairs = checked(portable);

/** Undefined on a machine the native module was not built for. */
export const hashPairsNative: HashPairs | undefined = native && checked(native);

export const hashPairs: HashPairs = hashPairsNative ?? hashPairsPortable;

function checked(hash: HashPairs): HashPairs {
  return (input, output) => {
    assert(input.length % pairBytes === 0, 'the input is made of 64-byte blocks');
    assert(output.length * 2 === input.length, 'the output holds 32 bytes for each block');
    assert(!overlap(input, output), 'input and output do not overlap');
    hash(input, output);
  };
}

function overlap(left: Uint8Array, right: Uint8Array): boolean {
  return (
    left.buffer === right.buffer &&
    left.byteOffset < right.byteOffset + right.length &&
    right.byteOffset < left.byteOffset + left.length
  );
}

function loadNative(): HashPairs | undefined {
  try {
    const module = createRequire(import.meta.url)('@chainsafe/hashtree') as { hashInto: HashPairs };
    return agreesWithPortable(module.hashInto) ? module.hashInto : undefined;
  } catch {
    return undefined;
  }
}

/** As many blocks as the widest vector unit takes, and one: wrong digests would split this node from the rest. */
function agreesWithPortable(hash: HashPairs): boolean {
  const blocks = 17;
  const input = Uint8Array.from({ length: blocks * pairBytes }, (_, index) => (index * 37) % 251);
  const expected = new Uint8Array(blocks * hashBytes);
  const actual = new Uint8Array(blocks * hashBytes);
  portable(input, expected);
  hash(input, actual);
  return equalBytes(expected, actual);
}
