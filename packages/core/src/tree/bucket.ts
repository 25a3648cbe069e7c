/**
 * A bucket: the leaves below one nibble path as long as they are few, in key order, as one array of words.
 * First stand the *heads*, the 32 bits of each key that follow the path, which nearly always tell two keys
 * apart and lie close together in memory; then one record a leaf: key, value hash, leaf hash, and the hash
 * of the branching node whose right side starts with this leaf. The first leaf starts no right side; that
 * place holds the hash of the bucket itself.
 *
 * Sorted keys determine every branching node, and its hash depends on nothing but the leaves below it. So
 * it survives a change elsewhere, a shift of the records and the split of the bucket; only the inner nodes
 * with one empty side between two branching nodes are hashed again each time.
 */
import { firstDifference, hashWords, keyBit, keyHead } from './key-words.ts';

const recordWords = 4 * hashWords;

/** Words a bucket needs for each leaf: its head and its record. */
export const leafWords = 1 + recordWords;

/** Where the parts of a record stand; the key comes first. */
export const valueAt = hashWords;
export const leafHashAt = 2 * hashWords;
export const branchHashAt = 3 * hashWords;

/** Where the record of a leaf starts. The heads before the records have room for as many as there is room for. */
export function recordAt(words: Uint32Array, index: number): number {
  return words.length / leafWords + index * recordWords;
}

/** Where the hash of a bucket with leaves stands. */
export const bucketHashAt = (words: Uint32Array): number => recordAt(words, 0) + branchHashAt;

export function writeHeads(words: Uint32Array, count: number, depth: number): void {
  for (let index = 0; index < count; index++) words[index] = keyHead(words, recordAt(words, index), depth);
}

/** The first bit in which the keys of a range of two or more leaves differ; `depth` is that of the bucket. */
export function branchBit(words: Uint32Array, depth: number, lo: number, hi: number): number {
  const difference = words[lo] ^ words[hi - 1];
  if (difference !== 0) return depth + Math.clz32(difference);
  return firstDifference(words, recordAt(words, lo), words, recordAt(words, hi - 1));
}

export function leafBit(words: Uint32Array, depth: number, index: number, bit: number): number {
  const place = bit - depth;
  return place < 32 ? (words[index] >>> (31 - place)) & 1 : keyBit(words, recordAt(words, index), bit);
}

/** The first leaf of a range with a one at the bit where the range branches. */
export function branchStart(words: Uint32Array, depth: number, lo: number, hi: number): number {
  const bit = branchBit(words, depth, lo, hi);
  let from = lo + 1;
  let to = hi - 1;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (leafBit(words, depth, middle, bit) === 1) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Copies neighbouring records from one bucket to another, without their heads. */
export function copyRecords(
  from: Uint32Array,
  fromIndex: number,
  count: number,
  to: Uint32Array,
  toIndex: number,
): void {
  to.set(from.subarray(recordAt(from, fromIndex), recordAt(from, fromIndex + count)), recordAt(to, toIndex));
}
