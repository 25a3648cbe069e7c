import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  compareKeys,
  firstDifferingBit,
  keyBit,
  keyBits,
  keyHead,
  keyNibble,
  nibbleEnd,
  sortKeys,
  wordsOf,
} from './key-words.ts';

const keyArbitrary = fc.uint8Array({ minLength: 32, maxLength: 32 });
const bitsOf = (key: Uint8Array): string =>
  Array.from(key, (byte) => byte.toString(2).padStart(8, '0')).join('');

test('bits, nibbles and heads of a key are those of its bytes', () => {
  fc.assert(
    fc.property(keyArbitrary, fc.nat(255), (key, bit) => {
      const words = wordsOf([new Uint8Array(32), key]);
      const bits = bitsOf(key);
      const depth = bit - (bit % 4);
      assert.equal(keyBit(words, 8, bit), Number(bits[bit]));
      assert.equal(keyNibble(words, 8, depth), Number.parseInt(bits.slice(depth, depth + 4), 2));
      assert.equal(
        keyHead(words, 8, depth),
        Number.parseInt(bits.padEnd(320, '0').slice(depth, depth + 32), 2),
      );
    }),
  );
});

test('keys compare as their bytes do', () => {
  fc.assert(
    fc.property(keyArbitrary, keyArbitrary, fc.nat(32), (left, right, common) => {
      right.set(left.subarray(0, common));
      const words = wordsOf([left, right]);
      assert.equal(Math.sign(compareKeys(words, 0, words, 8)), Buffer.compare(left, right));
      const [a, b] = [bitsOf(left), bitsOf(right)];
      const difference = [...a].findIndex((bit, index) => bit !== b[index]);
      assert.equal(firstDifferingBit(words, 0, words, 8), difference === -1 ? keyBits : difference);
    }),
  );
});

test('sorted keys say where they came from and where a nibble ends', () => {
  fc.assert(
    fc.property(fc.array(keyArbitrary, { minLength: 1, maxLength: 30 }), (keys) => {
      const { words, order, length } = sortKeys(keys);
      const sorted = Array.from(order, (index) => keys[index]);
      assert.deepEqual(
        sorted,
        keys.toSorted((a, b) => Buffer.compare(a, b)),
      );
      assert.deepEqual(words, wordsOf(sorted));
      const end = nibbleEnd(words, 0, length, 0);
      const digit = sorted[0][0] >> 4;
      assert.equal(end, sorted.filter((key) => key[0] >> 4 === digit).length);
    }),
  );
});

test('keys with one beginning are sorted too', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 2, maxLength: 2 }), { maxLength: 20 }), (tails) => {
      const keys = tails.map((tail) => Uint8Array.from([...new Uint8Array(30).fill(7), ...tail]));
      const { order } = sortKeys(keys);
      assert.deepEqual(
        Array.from(order, (index) => keys[index]),
        keys.toSorted((a, b) => Buffer.compare(a, b)),
      );
    }),
  );
});

test('values of another length than 32 bytes are refused', () => {
  for (const length of [0, 31, 33, 64]) assert.throws(() => wordsOf([new Uint8Array(length)]));
});
