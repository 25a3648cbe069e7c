/**
 * Keys and hashes as 32-bit words. Copying a digest as eight words is several times faster than as bytes, and words are
 * only ever copied, so the machine's byte order does not reach a hash; where the order of keys or a bit of one matters,
 * `ordered` gives the word as its bytes stand in memory.
 */
import { assert } from '../basics/assert.ts';
import { hashBytes } from './tree-hash.ts';

/** Words of one key, value hash or digest. */
export const hashWords = 8;

/** Bits of a key, and so the number of levels a tree can have. */
export const keyBits = 256;

/** More than the keys of any update; with a 32-bit word a number that is still exact. */
const indexSpan = 2 ** 21;

const littleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

function ordered(word: number): number {
  if (!littleEndian) return word >>> 0;
  return ((word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0;
}

/** The bit that decides between left and right at this depth. */
export function keyBit(words: Uint32Array, offset: number, depth: number): number {
  return (ordered(words[offset + (depth >> 5)]) >>> (31 - (depth & 31))) & 1;
}

/** The hex digit that decides between the children of a page at this depth, a multiple of four. */
export function keyNibble(words: Uint32Array, offset: number, depth: number): number {
  return (ordered(words[offset + (depth >> 5)]) >>> (28 - (depth & 31))) & 15;
}

/** The 32 bits of a key that follow this depth, a multiple of four, as a number; zeros behind its end. */
export function keyHead(words: Uint32Array, offset: number, depth: number): number {
  const word = depth >> 5;
  const shift = depth & 31;
  const high = ordered(words[offset + word]);
  if (shift === 0) return high;
  const low = word + 1 < hashWords ? ordered(words[offset + word + 1]) : 0;
  return ((high << shift) | (low >>> (32 - shift))) >>> 0;
}

export function compareKeys(left: Uint32Array, leftAt: number, right: Uint32Array, rightAt: number): number {
  for (let index = 0; index < hashWords; index++) {
    const a = left[leftAt + index];
    const b = right[rightAt + index];
    if (a !== b) return ordered(a) - ordered(b);
  }
  return 0;
}

/** The first bit in which two keys differ; `keyBits` if they are equal. */
export function firstDifferingBit(
  left: Uint32Array,
  leftAt: number,
  right: Uint32Array,
  rightAt: number,
): number {
  for (let index = 0; index < hashWords; index++) {
    const difference = left[leftAt + index] ^ right[rightAt + index];
    if (difference !== 0) return index * 32 + Math.clz32(ordered(difference));
  }
  return keyBits;
}

export function copyHash(from: Uint32Array, fromAt: number, to: Uint32Array, toAt: number): void {
  // Written out, because a block copies a digest a hundred thousand times.
  to[toAt] = from[fromAt];
  to[toAt + 1] = from[fromAt + 1];
  to[toAt + 2] = from[fromAt + 2];
  to[toAt + 3] = from[fromAt + 3];
  to[toAt + 4] = from[fromAt + 4];
  to[toAt + 5] = from[fromAt + 5];
  to[toAt + 6] = from[fromAt + 6];
  to[toAt + 7] = from[fromAt + 7];
}

/** 32-byte values one after the other, in the order given. */
export function wordsOf(values: readonly Uint8Array[]): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(values.length * hashWords);
  const bytes = new Uint8Array(words.buffer);
  for (let index = 0; index < values.length; index++) {
    assert(values[index].length === hashBytes, 'tree keys and value hashes are 32 bytes long');
    const value = values[index];
    // For 32 bytes a loop is faster than `set`.
    for (let byte = 0; byte < hashBytes; byte++) bytes[index * hashBytes + byte] = value[byte];
  }
  return words;
}

export function bytesOf(words: Uint32Array, offset: number): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset + offset * 4, hashBytes).slice();
}

export interface SortedKeys {
  readonly length: number;
  /** The keys in ascending order, eight words each. */
  readonly words: Uint32Array;
  /** For each place in that order, the index of the key in the list it came from. */
  readonly order: Uint32Array;
}

export function sortKeys(keys: readonly Uint8Array[]): SortedKeys {
  const given = wordsOf(keys);
  const order = sortedOrder(given);
  const words = new Uint32Array(given.length);
  for (let index = 0; index < order.length; index++) {
    copyHash(given, order[index] * hashWords, words, index * hashWords);
  }
  return { length: order.length, words, order };
}

/** Sorting numbers needs no comparison function, so the first word of a key and its index make one. */
function sortedOrder(keys: Uint32Array): Uint32Array {
  const count = keys.length / hashWords;
  const numbers = new Float64Array(count);
  for (let index = 0; index < count; index++)
    numbers[index] = ordered(keys[index * hashWords]) * indexSpan + index;
  numbers.sort();
  const order = new Uint32Array(count);
  for (let place = 0; place < count; place++) order[place] = numbers[place] % indexSpan;
  const compare = (a: number, b: number): number => compareKeys(keys, a * hashWords, keys, b * hashWords);
  // Keys are hashes: their first word nearly always decides.
  for (let place = 1; place < count; place++) {
    if (compare(order[place - 1], order[place]) > 0) return order.sort(compare);
  }
  return order;
}

/** Where the run of keys with the hex digit of the first one ends. */
export function nibbleEnd(words: Uint32Array, from: number, to: number, depth: number): number {
  const nibble = keyNibble(words, from * hashWords, depth);
  let end = from + 1;
  while (end < to && keyNibble(words, end * hashWords, depth) === nibble) end++;
  return end;
}
