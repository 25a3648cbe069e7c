import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applySaved, emptySlot, HashPlan, PatchList } from './hash-plan.ts';
import { wordsOf } from './key-words.ts';
import { sha256 } from './naive-model.test.ts';
import { hashPairsWith, leafHash } from './tree-hash.ts';

const hashPairs = hashPairsWith(sha256);
const pairOf = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(Buffer.concat([left, right]));
const known = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
const words = wordsOf(known);
const zeros = new Uint8Array(32);

test('pairs are hashed from the deepest level up, in whatever order they were planned', () => {
  const plan = new HashPlan();
  const leaf = plan.leaf(words, 0, words, 8);
  const deep = plan.pair(200, leaf, emptySlot);
  const top = plan.pair(0, plan.put(words, 16), plan.pair(1, deep, leaf));
  plan.run(hashPairs);
  const leafBytes = leafHash(known[0], known[1], sha256);
  const deepBytes = pairOf(leafBytes, zeros);
  assert.deepEqual(plan.bytes(leaf), leafBytes);
  assert.deepEqual(plan.bytes(leaf + 1), known[1]);
  assert.deepEqual(plan.bytes(top), pairOf(known[2], pairOf(deepBytes, leafBytes)));
});

test('a level larger than one batch, and a plan that starts again', () => {
  const plan = new HashPlan();
  for (const count of [3000, 1]) {
    plan.reset();
    const base = plan.put(words, 0);
    const slots = Array.from({ length: count }, () => plan.pair(5, base, emptySlot));
    const above = slots.map((slot) => plan.pair(4, emptySlot, slot));
    plan.run(hashPairs);
    const expected = pairOf(zeros, pairOf(known[0], zeros));
    for (const slot of above) assert.deepEqual(plan.bytes(slot), expected);
  }
});

test('patches go to their places at once, or later from a saved copy', () => {
  const plan = new HashPlan();
  const patches = new PatchList();
  patches.add(8, plan.put(words, 0));
  patches.add(0, plan.pair(3, plan.put(words, 8), plan.put(words, 16)));
  plan.run(hashPairs);
  const expected = wordsOf([pairOf(known[1], known[2]), known[0]]);
  const now = new Uint32Array(16);
  patches.apply(0, 2, now, plan);
  assert.deepEqual(now, expected);
  const saved = patches.save(plan);
  plan.reset();
  plan.put(words, 16);
  const later = new Uint32Array(16);
  applySaved(saved, 0, 1, later);
  applySaved(saved, 1, 2, later);
  assert.deepEqual(later, expected);
});

test('portable hashing refuses an output of another size', () => {
  assert.throws(() => hashPairs(new Uint8Array(128), new Uint8Array(32)));
});
