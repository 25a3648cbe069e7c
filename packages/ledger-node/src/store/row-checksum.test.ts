import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RowSealer, unsealRow } from './row-checksum.ts';

const bytes = (maxLength: number) => fc.uint8Array({ maxLength });

test('what was sealed comes out again, whatever was sealed before', () => {
  const sealer = new RowSealer();
  fc.assert(
    fc.property(bytes(60), bytes(300), (key, value) => {
      const row = sealer.seal(key, value);
      assert.deepEqual([...row.key], [...key]);
      assert.deepEqual([...(unsealRow(row.key, row.value) ?? [])], [...value]);
    }),
  );
});

test('a row longer than the room is sealed alike, beside it', () => {
  const sealer = new RowSealer();
  const key = Uint8Array.of(1, 2, 3);
  const short = sealer.seal(key, Uint8Array.of(9));
  for (const length of [64 * 1024 - 8, 64 * 1024 - 7, 64 * 1024 - 6, 1_000_000]) {
    const value = new Uint8Array(length).fill(7);
    const row = sealer.seal(key, value);
    assert.deepEqual(unsealRow(key, row.value), value);
  }
  const isShared = sealer.seal(key, Uint8Array.of(8)).value.buffer === short.value.buffer;
  assert.ok(isShared, 'short rows share one room');
});

test('a flipped bit, a lost byte and a byte moved between key and value are noticed', () => {
  const sealer = new RowSealer();
  fc.assert(
    fc.property(bytes(40), bytes(100), fc.nat(), fc.nat({ max: 7 }), (key, value, place, bit) => {
      const sealed = sealer.seal(key, value).value.slice();
      assert.equal(unsealRow(key, sealed.subarray(0, -1)), undefined);
      if (value.length > 0) {
        const longerKey = Uint8Array.from([...key, value[0]]);
        assert.equal(unsealRow(longerKey, sealed.subarray(1)), undefined);
      }
      sealed[place % sealed.length] ^= 1 << bit;
      assert.equal(unsealRow(key, sealed), undefined);
    }),
  );
  for (const length of [0, 1, 2, 3]) {
    assert.equal(unsealRow(Uint8Array.of(1), new Uint8Array(length)), undefined);
  }
});
