import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cellWords,
  generationOf,
  isNode,
  isPage,
  lastUseOf,
  leafCount,
  markUsed,
  NodeMemory,
  noNode,
  takeUsed,
} from './node-memory.ts';

test('cells do not overlap, and grow beyond the first array with what they hold', () => {
  const memory = new NodeMemory();
  const nodes = Array.from({ length: 1000 }, (_, index) => {
    const node = index % 2 === 0 ? memory.allocatePage() : memory.allocateBucket(index % 9);
    memory.words[node + cellWords - 1] = index;
    return node;
  });
  assert.equal(memory.cells, 1000);
  const sorted = nodes.toSorted((a, b) => a - b);
  for (let index = 1; index < sorted.length; index++)
    assert.ok(sorted[index] - sorted[index - 1] >= cellWords);
  for (const [index, node] of nodes.entries()) {
    assert.notEqual(node, noNode);
    assert.equal(isPage(memory.words, node), index % 2 === 0);
    assert.equal(leafCount(memory.words, node), index % 2 === 0 ? 0 : index % 9);
    assert.equal(memory.words[node + cellWords - 1], index);
  }
});

test('a released cell is used again, under another generation and without its past', () => {
  const memory = new NodeMemory();
  const first = memory.allocateBucket(5);
  const generation = generationOf(memory.words, first);
  markUsed(memory.words, first, 9);
  memory.words.fill(7, first + 16, first + cellWords);
  memory.release(first);
  assert.equal(isNode(memory.words, first), false);
  assert.notEqual(generationOf(memory.words, first), generation);
  const second = memory.allocatePage();
  assert.equal(second, first);
  assert.notEqual(generationOf(memory.words, second), generation);
  assert.equal(lastUseOf(memory.words, second), 0);
  assert.ok(memory.words.subarray(second + 16, second + cellWords).every((word) => word === 0));
  assert.equal(memory.cells, 1);
});

test('use is noted until it is asked for', () => {
  const memory = new NodeMemory();
  const node = memory.allocatePage();
  assert.equal(takeUsed(memory.words, node), false);
  markUsed(memory.words, node, 3);
  assert.deepEqual([takeUsed(memory.words, node), takeUsed(memory.words, node)], [true, false]);
  assert.equal(lastUseOf(memory.words, node), 3);
});
