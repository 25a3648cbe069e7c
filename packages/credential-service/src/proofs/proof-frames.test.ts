import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proofLimits } from '../limits/service-limits.ts';
import { decodePipeFrame, encodePipeFrame, FrameReader } from './proof-frames.ts';

const task = {
  kind: 'derive',
  order: {
    publicKey: Buffer.alloc(96, 5),
    messages: [{ integer: 2n ** 53n - 2n }, { bytes: new Uint8Array(0) }, { bytes: Uint8Array.of(1, 2, 3) }],
    ranges: [{ index: 0, min: 0n, max: 7n }],
    isTrue: true,
    text: 'Text in every ✓ script',
  },
};
const expected = { ...task, order: { ...task.order, publicKey: new Uint8Array(96).fill(5) } };

const asArrays = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(asArrays);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asArrays(member)]));
};

test('what is said arrives as it was, in whatever pieces the pipe delivers it', () => {
  const frame = encodePipeFrame(task);
  const stream = new Uint8Array(frame.length * 2);
  stream.set(frame);
  stream.set(frame, frame.length);
  for (const size of [1, 3, frame.length - 1, frame.length, stream.length]) {
    const frames: Uint8Array[] = [];
    const reader = new FrameReader((each) => frames.push(each));
    for (let start = 0; start < stream.length; start += size)
      reader.push(stream.subarray(start, start + size));
    assert.equal(frames.length, 2);
    for (const each of frames) assert.deepEqual(asArrays(decodePipeFrame(each)), asArrays(expected));
  }
});

test('bytes lie in the frame alone, so wiping it wipes them', () => {
  const frame = encodePipeFrame({ secretKey: new Uint8Array(32).fill(0xaa) });
  assert.equal(frame.buffer.byteLength, frame.length);
  const { secretKey } = decodePipeFrame(frame) as { secretKey: Uint8Array };
  frame.fill(0);
  assert.deepEqual(secretKey, new Uint8Array(32));
});

test('what is no frame is refused, and not waited for', () => {
  const lengthOf = (length: number): Uint8Array => new Uint8Array(Uint32Array.of(length).buffer).reverse();
  const reader = () => new FrameReader(() => assert.fail('no frame'));
  assert.throws(() => reader().push(lengthOf(proofLimits.frameBytesMax + 1)));
  assert.throws(() => reader().push(lengthOf(7)));
  const frame = encodePipeFrame({ answer: new Uint8Array(10) });
  assert.throws(() => decodePipeFrame(frame.subarray(0, -1)), 'bytes that are not there');
  assert.throws(() => decodePipeFrame(frame.with(4, 0xff)), 'a text that is longer than its frame');
  assert.throws(() => decodePipeFrame(frame.with(9, 0)), 'no JSON');
});
