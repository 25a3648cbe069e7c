import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { leavesBelow, onlyLeafChild } from './page.ts';

const childrenArbitrary = fc.array(fc.nat(2), { minLength: 16, maxLength: 16 });

/** The children below a node of the heap, counted one by one. */
function countBelow(children: readonly number[], node: number): number {
  if (node >= 16) return children[node - 16];
  return Math.min(2, countBelow(children, 2 * node) + countBelow(children, 2 * node + 1));
}

test('count classes of all nodes come from the packed classes of the children', () => {
  fc.assert(
    fc.property(childrenArbitrary, fc.integer({ min: 1, max: 31 }), fc.nat(15), (children, node, empty) => {
      // Few leaves are the interesting case, so some of the children are emptied.
      const sparse = children.map((leaves, child) => ((child * 7) % 16 < empty ? 0 : leaves));
      const packed = sparse.reduce((bits, leaves, child) => (bits | (leaves << (child * 2))) >>> 0, 0);
      const expected = countBelow(sparse, node);
      assert.equal(leavesBelow(packed, node), expected);
      // Bits read from a signed number are the same bits.
      assert.equal(leavesBelow(packed | 0, node), expected);
      if (expected === 1) assert.equal(sparse[onlyLeafChild(packed, node)], 1);
    }),
    { numRuns: 500 },
  );
});
