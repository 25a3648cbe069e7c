/** Bundles: what is read as one, and what is not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concatBytes } from '@symbolon/core/basics/bytes';
import { cometLimits } from '../../limits/node-limits.ts';
import { encodeBundle, openBundle } from './bundles.ts';
import { openNetworkBytes } from './network-bytes.ts';

const some = [Uint8Array.of(1, 2, 3), new Uint8Array(300).fill(7)];
const good = encodeBundle(some);

test('what was put together comes apart again, in memory of its own', () => {
  const opened = openBundle(good);
  assert.deepEqual(opened, some);
  for (const bytes of opened ?? []) assert.equal(bytes.buffer.byteLength, bytes.length);
});

test('a bundle is no envelope', () => assert.equal(openNetworkBytes(good), undefined));

const cases: Record<string, Uint8Array> = {
  nothing: new Uint8Array(0),
  'one transaction alone': encodeBundle(some.slice(0, 1)),
  'a bundle cut short': good.subarray(0, good.length - 1),
  'another field in it': concatBytes(good, Uint8Array.of(0x0a, 0x01, 0x00)),
  'a number in the place of bytes': concatBytes(good, Uint8Array.of(0x78, 0x01)),
  'more than there may be': encodeBundle(
    Array<Uint8Array>(cometLimits.bundleTransactionsMax + 1).fill(Uint8Array.of(1)),
  ),
  'more bytes than there may be': encodeBundle([
    new Uint8Array(cometLimits.bundleBytesMax),
    Uint8Array.of(1),
  ]),
};
for (const [name, bytes] of Object.entries(cases))
  test(`is not: ${name}`, () => assert.equal(openBundle(bytes), undefined));

test('as many as there may be are read', () => {
  const most = Array<Uint8Array>(cometLimits.bundleTransactionsMax).fill(Uint8Array.of(1));
  assert.equal(openBundle(encodeBundle(most))?.length, most.length);
});
