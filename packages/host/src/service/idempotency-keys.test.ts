import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { fingerprintOf, readIdempotencyKey } from './idempotency-keys.ts';

test('keys are read with and without quotes; anything else is refused', () => {
  assert.equal(readIdempotencyKey(undefined), undefined);
  assert.equal(readIdempotencyKey('abc-1'), 'abc-1');
  assert.equal(readIdempotencyKey('"abc-1"'), 'abc-1');
  for (const odd of ['', '""', 'a b', 'ä', 'a\nb', 'x'.repeat(256), ['a', 'b']])
    assert.throws(() => readIdempotencyKey(odd), Fault);
});

test('fingerprints differ when anything differs', () => {
  const all = [
    fingerprintOf('a', []),
    fingerprintOf('b', []),
    fingerprintOf('a', ['']),
    fingerprintOf('a', [undefined]),
    fingerprintOf('a', ['x', 'y']),
    fingerprintOf('a', ['xy']),
    fingerprintOf('a', ['x\0+1:y']),
    fingerprintOf('a', ['y', 'x']),
  ];
  assert.equal(new Set(all).size, all.length);
  assert.equal(fingerprintOf('a', ['x']), fingerprintOf('a', ['x']));
});
