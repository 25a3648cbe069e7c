import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrokenInvariant } from '../basics/assert.ts';
import { decodeNodeRecord, recordBytes, recordHead } from './node-record.ts';

test('a record of every shape and class decodes to what it was', () => {
  const hash = new Uint8Array(32).fill(7);
  for (const isPage of [false, true]) {
    for (const leaves of [0, 1, 2] as const) {
      const record = new Uint8Array(recordBytes(leaves));
      record[0] = recordHead(isPage, leaves);
      if (leaves > 0) record.set(hash, 1);
      assert.deepEqual(decodeNodeRecord(record), { isPage, leaves, hash: leaves > 0 ? hash : undefined });
    }
  }
});

test('no record is an empty bucket', () => {
  assert.deepEqual(decodeNodeRecord(undefined), { isPage: false, leaves: 0, hash: undefined });
});

test('anything else is damage', () => {
  const full = (head: number, length: number): Uint8Array => new Uint8Array(length).fill(head, 0, 1);
  const damaged = [
    full(0, 0),
    full(3, 33),
    full(8, 33),
    full(0x82, 33),
    full(2, 32),
    full(2, 34),
    full(0, 33),
    full(1, 1),
  ];
  for (const record of damaged) assert.throws(() => decodeNodeRecord(record), { name: BrokenInvariant.name });
});
