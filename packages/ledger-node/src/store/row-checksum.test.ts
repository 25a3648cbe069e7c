import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RowChecksums, valueOfRow } from './row-checksum.ts';

const bytes = (maxLength: number) => fc.uint8Array({ maxLength });

test('what was stored comes out again, whatever was stored before', () => {
  const checksums = new RowChecksums();
  fc.assert(
    fc.property(bytes(60), bytes(300), (key, value) => {
      const row = checksums.add(key, value);
      assert.deepEqual([...row.key], [...key]);
      assert.deepEqual([...(valueOfRow(row.key, row.value) ?? [])], [...value]);
    }),
  );
});

test('a row longer than the room is stored alike, beside it', () => {
  const checksums = new RowChecksums();
  const key = Uint8Array.of(1, 2, 3);
  const short = checksums.add(key, Uint8Array.of(9));
  for (const length of [64 * 1024 - 8, 64 * 1024 - 7, 64 * 1024 - 6, 1_000_000]) {
    const value = new Uint8Array(length).fill(7);
    const row = checksums.add(key, value);
    assert.deepEqual(valueOfRow(key, row.value), value);
  }
  const isShared = checksums.add(key, Uint8Array.of(8)).value.buffer === short.value.buffer;
  assert.ok(isShared, 'short rows share one room');
});

test('a flipped bit, a lost byte and a byte moved between key and value are noticed', () => {
  const checksums = new RowChecksums();
  fc.assert(
    fc.property(bytes(40), bytes(100), fc.nat(), fc.nat({ max: 7 }), (key, value, place, bit) => {
      const stored = checksums.add(key, value).value.slice();
      assert.equal(valueOfRow(key, stored.subarray(0, -1)), undefined);
      if (value.length > 0) {
        const longerKey = Uint8Array.from([...key, value[0]]);
        assert.equal(valueOfRow(longerKey, stored.subarray(1)), undefined);
      }
      stored[place % stored.length] ^= 1 << bit;
      assert.equal(valueOfRow(key, stored), undefined);
    }),
  );
  for (const length of [0, 1, 2, 3]) {
    assert.equal(valueOfRow(Uint8Array.of(1), new Uint8Array(length)), undefined);
  }
});
