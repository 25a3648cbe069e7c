import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import fc from 'fast-check';
import {
  blockRow,
  encodePosition,
  headRow,
  parsePosition,
  positionRow,
  recordRow,
  recordRows,
  rowsOfBuckets,
  rowsOfState,
  stateRow,
  stateRows,
  treeBucketRow,
  treeLeafRow,
  treeLeafRows,
  treeNodeRow,
} from './rows.ts';

const compare = (left: Uint8Array, right: Uint8Array) => Buffer.compare(left, right);
const isWithin = (row: Uint8Array, { gte, lt }: { gte: Uint8Array; lt: Uint8Array }) =>
  compare(row, gte) >= 0 && compare(row, lt) < 0;
const anySeq = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const anyIndex = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const anyHash = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('rows of blocks and history', () => {
  test('lie in the order of the chain', () => {
    const property = fc.property(anySeq, anyIndex, anySeq, anyIndex, (seq, index, otherSeq, otherIndex) => {
      const expected = seq === otherSeq ? Math.sign(index - otherIndex) : seq < otherSeq ? -1 : 1;
      assert.equal(compare(recordRow(seq, index), recordRow(otherSeq, otherIndex)), expected);
      if (seq !== otherSeq) assert.equal(compare(blockRow(seq), blockRow(otherSeq)), seq < otherSeq ? -1 : 1);
      assert.ok(isWithin(recordRow(seq, index), recordRows));
    });
    fc.assert(property);
  });

  test('name a place that can be read back', () => {
    fc.assert(
      fc.property(anySeq, anyIndex, (seq, index) => {
        assert.deepEqual(parsePosition(encodePosition(seq, index)), { seq, index });
        // A row may be a part of a larger buffer.
        const inside = recordRow(seq, index).subarray(1);
        assert.deepEqual(parsePosition(inside), { seq, index });
      }),
    );
  });
});

describe('rows of the state', () => {
  test('of one account are a range of their own', () => {
    const rows = stateRows('asset/A/');
    assert.ok(isWithin(stateRow('asset/A/issuer/code'), rows));
    assert.ok(isWithin(stateRow('asset/A/\u{10ffff}'), rows));
    for (const other of ['asset/B/issuer/code', 'asset/A', 'asset/AA/x', 'metadata/A/x', 'account/A']) {
      assert.ok(!isWithin(stateRow(other), rows), other);
    }
  });

  test('are told apart from everything else', () => {
    const derived = [stateRow('account/A'), treeNodeRow('', 'a'), treeLeafRow('asset/A', new Uint8Array(32))];
    const others = [headRow, blockRow(1n), recordRow(1n, 0), positionRow(new Uint8Array(32).fill(255))];
    for (const row of derived) assert.equal(rowsOfState.filter((range) => isWithin(row, range)).length, 1);
    for (const row of others) assert.equal(rowsOfState.filter((range) => isWithin(row, range)).length, 0);
    const list = treeBucketRow('asset/A', 'ab');
    assert.ok(isWithin(list, rowsOfBuckets) && !rowsOfState.some((range) => isWithin(list, range)));
    for (const row of [...derived, ...others]) assert.ok(!isWithin(row, rowsOfBuckets));
  });
});

describe('leaves of a tree', () => {
  const nibbles = (key: Uint8Array) => Buffer.from(key).toString('hex');

  test('below a path are exactly those whose key begins with it', () => {
    const property = fc.property(anyHash, anyHash, fc.integer({ min: 0, max: 64 }), (key, other, length) => {
      const path = nibbles(key).slice(0, length);
      const rows = treeLeafRows('asset/A', path);
      assert.ok(isWithin(treeLeafRow('asset/A', key), rows));
      assert.equal(isWithin(treeLeafRow('asset/A', other), rows), nibbles(other).startsWith(path));
      assert.ok(!isWithin(treeLeafRow('asset/B', key), rows));
      assert.ok(!isWithin(treeLeafRow('', key), rows));
    });
    fc.assert(property);
  });

  test('include the first and the last possible key', () => {
    for (const byte of [0, 255]) {
      const key = new Uint8Array(32).fill(byte);
      for (const path of ['', nibbles(key).slice(0, 1), nibbles(key)]) {
        assert.ok(isWithin(treeLeafRow('', key), treeLeafRows('', path)));
      }
    }
  });

  test("of one namespace never stand among another's", () => {
    assert.deepEqual(treeNodeRow('', 'ab'), encodeUtf8('t\0ab'));
    const rows = treeLeafRows('', '');
    assert.ok(!isWithin(treeLeafRow('metadata/A', new Uint8Array(32)), rows));
  });
});
