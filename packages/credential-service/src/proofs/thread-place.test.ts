import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyForThread } from './thread-place.ts';

test('only the bytes of an order go to a thread', () => {
  const shared = new Uint8Array(1000).fill(7);
  const order = {
    key: shared.subarray(10, 20),
    list: [{ bytes: shared.subarray(0, 1) }, { integer: 5n }],
    text: 'x',
  };
  const { copy, memory } = copyForThread(order);
  assert.deepEqual(copy, order);
  assert.deepEqual(
    memory.map(({ byteLength }) => byteLength),
    [10, 1],
  );
  assert.notEqual(copy.key.buffer, shared.buffer);
});
