import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPatches, emptyDigest, HashPlan, PatchList } from './hash-plan.ts';
import { wordsOf } from './key-words.ts';
import { sha256 } from './naive-model.test.ts';
import { hashPairsWith, leafHash } from './tree-hash.ts';

const hashPairs = hashPairsWith(sha256);
const pairOf = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(Buffer.concat([left, right]));
const hashes = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
const words = wordsOf(hashes);
const zeros = new Uint8Array(32);

test('pairs are hashed from the deepest level up, in whatever order they were planned', () => {
  const plan = new HashPlan();
  const value = plan.known(words, 8);
  const leaf = plan.leaf(words, 0, value);
  const deep = plan.pair(200, leaf, emptyDigest);
  const top = plan.pair(0, plan.known(words, 16), plan.pair(1, deep, leaf));
  plan.run(hashPairs);
  const leafBytes = leafHash(hashes[0], hashes[1], sha256);
  assert.deepEqual(plan.bytes(leaf), leafBytes);
  assert.deepEqual(plan.bytes(value), hashes[1]);
  assert.deepEqual(plan.bytes(emptyDigest), zeros);
  assert.deepEqual(plan.bytes(top), pairOf(hashes[2], pairOf(pairOf(leafBytes, zeros), leafBytes)));
});

test('a level larger than one batch, and a plan that starts again', () => {
  const plan = new HashPlan();
  for (const count of [3000, 1]) {
    plan.restart();
    const pairs = Array.from({ length: count }, () => plan.pair(5, plan.known(words, 0), emptyDigest));
    const above = pairs.map((pair) => plan.pair(4, emptyDigest, pair));
    plan.run(hashPairs);
    const expected = pairOf(zeros, pairOf(hashes[0], zeros));
    for (const pair of above) assert.deepEqual(plan.bytes(pair), expected);
  }
});

test('a plan without jobs has the digests that were known', () => {
  const plan = new HashPlan();
  plan.restart();
  const known = plan.known(words, 16);
  plan.run(() => assert.fail('nothing to hash'));
  assert.deepEqual(plan.bytes(known), hashes[2]);
});

test('patches go to their places, now or when the plan is long used for something else', () => {
  const plan = new HashPlan();
  const patches = new PatchList(plan);
  plan.restart();
  patches.add(8, plan.known(words, 0));
  patches.add(0, plan.pair(3, plan.known(words, 8), plan.known(words, 16)));
  const finished = patches.finish(plan.run(hashPairs));
  plan.restart();
  plan.known(words, 16);
  plan.run(hashPairs);
  const target = new Uint32Array(16);
  applyPatches(finished, 0, 1, target);
  assert.deepEqual(target, wordsOf([zeros, hashes[0]]));
  applyPatches(finished, 1, 2, target);
  assert.deepEqual(target, wordsOf([pairOf(hashes[1], hashes[2]), hashes[0]]));
});

test('portable hashing refuses an output of another size', () => {
  assert.throws(() => hashPairs(new Uint8Array(128), new Uint8Array(32)));
});
