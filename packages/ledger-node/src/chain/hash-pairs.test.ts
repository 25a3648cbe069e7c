import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { BrokenInvariant } from '@symbolon/core/basics/assert';
import fc from 'fast-check';
import { hashPairs, hashPairsNative, hashPairsPortable } from './hash-pairs.ts';

const implementations = [hashPairs, hashPairsPortable, ...(hashPairsNative ? [hashPairsNative] : [])];

function reference(input: Uint8Array): Uint8Array {
  const digests: Buffer[] = [];
  for (let at = 0; at < input.length; at += 64) {
    digests.push(
      createHash('sha256')
        .update(input.subarray(at, at + 64))
        .digest(),
    );
  }
  return Uint8Array.from(Buffer.concat(digests));
}

test('every implementation gives plain SHA-256, at any count and offset, and writes nowhere else', () => {
  const shape = fc.record({
    blocks: fc.nat({ max: 70 }),
    inputOffset: fc.nat({ max: 33 }),
    outputOffset: fc.nat({ max: 33 }),
  });
  fc.assert(
    fc.property(
      shape,
      fc.infiniteStream(fc.nat({ max: 255 })),
      ({ blocks, inputOffset, outputOffset }, noise) => {
        const room = new Uint8Array(inputOffset + blocks * 64 + 64).map(() => noise.next().value);
        const input = room.subarray(inputOffset, inputOffset + blocks * 64);
        for (const hash of implementations) {
          const around = new Uint8Array(outputOffset + blocks * 32 + 64).fill(0xaa);
          hash(input, around.subarray(outputOffset, outputOffset + blocks * 32));
          const expected = new Uint8Array(around.length).fill(0xaa);
          expected.set(reference(input), outputOffset);
          assert.deepEqual(around, expected);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('a large batch and an empty one', () => {
  const input = Uint8Array.from(randomBytes(20_000 * 64));
  const expected = reference(input);
  for (const hash of implementations) {
    const output = new Uint8Array(20_000 * 32);
    hash(input, output);
    assert.ok(Buffer.from(output).equals(expected));
    hash(new Uint8Array(0), new Uint8Array(0));
  }
});

test('different stretches of one buffer are fine, shared bytes are not', () => {
  const room = Uint8Array.from(randomBytes(64 + 32));
  const expected = reference(room.subarray(0, 64));
  for (const hash of implementations) {
    hash(room.subarray(0, 64), room.subarray(64));
    assert.deepEqual(room.slice(64), expected);
    assert.throws(() => hash(room.subarray(0, 64), room.subarray(0, 32)), BrokenInvariant);
    assert.throws(() => hash(room.subarray(0, 64), room.subarray(63, 95)), BrokenInvariant);
  }
});

test('lengths that do not fit are bugs', () => {
  for (const hash of implementations) {
    for (const [input, output] of [
      [63, 32],
      [65, 32],
      [32, 16],
      [64, 31],
      [64, 33],
      [64, 0],
      [0, 32],
      [128, 32],
    ]) {
      assert.throws(() => hash(new Uint8Array(input), new Uint8Array(output)), BrokenInvariant);
    }
  }
});
