import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { concatBytes } from '@symbolon/core/basics/bytes';
import { AbciFrames, FrameError, lengthPrefix } from './frames.ts';

const framed = (...messages: Uint8Array[]): Uint8Array =>
  concatBytes(...messages.flatMap((message) => [lengthPrefix(message.length), message]));
const messages = [0, 1, 127, 128, 300, 20_000].map((length) =>
  Uint8Array.from({ length }, (_, index) => index),
);

describe('messages on the socket', () => {
  for (const size of [1, 2, 7, 1_000, 100_000])
    test(`come whole out of pieces of ${size}`, () => {
      const bytes = framed(...messages);
      const frames = new AbciFrames(20_000);
      const read: Uint8Array[] = [];
      for (let start = 0; start < bytes.length; start += size)
        read.push(...frames.read(bytes.subarray(start, start + size)));
      assert.deepEqual(read, messages);
    });

  test('one that is not complete is not there', () => {
    const frames = new AbciFrames(100);
    assert.deepEqual([...frames.read(framed(Uint8Array.of(1, 2, 3)).subarray(0, 3))], []);
    assert.deepEqual([...frames.read(Uint8Array.of(3))], [Uint8Array.of(1, 2, 3)]);
  });

  test('one beyond the bound is refused before it comes', () => {
    assert.throws(() => [...new AbciFrames(100).read(lengthPrefix(101))], FrameError);
    assert.deepEqual([...new AbciFrames(100).read(lengthPrefix(100))], []);
  });

  for (const bytes of [[0x80, 0x80, 0x80, 0x80, 0x80, 0x01], Array(11).fill(0xff)])
    test(`a length of ${bytes.length} bytes is no number`, () => {
      assert.throws(() => [...new AbciFrames(2 ** 50).read(Uint8Array.from(bytes))], FrameError);
    });
});
