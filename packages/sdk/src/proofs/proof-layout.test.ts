import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDockEngine } from './dock-engine.ts';
import {
  hasShape,
  isRangeParameters,
  type LibraryRange,
  needsInequality,
  proofLength,
} from './proof-layout.ts';
import { deriveOrder, makeProofWorld } from './testing/proof-world.ts';

const narrow: LibraryRange = { min: 32_000n, end: 80_001n, method: 'set-membership' };
const wide: LibraryRange = { min: 0n, end: 2n ** 53n - 1n, method: 'set-membership' };
const bulletproofs: LibraryRange = { ...wide, method: 'bulletproofs' };

test('lengths are those of the library, to the byte', () => {
  const lengths: [number, LibraryRange[], number][] = [
    [9, [], 653],
    [0, [], 365],
    [9, [bulletproofs], 1928],
    [9, [bulletproofs, bulletproofs], 3203],
    [9, [wide], 6865],
    [9, [{ ...wide, end: 2n ** 20n }], 3505],
    [9, [{ ...wide, end: 2n ** 24n - 1n }], 3505],
    [9, [{ ...wide, end: 2n ** 24n }], 3925],
    // Where a wide range ends counts, not how wide it is.
    [9, [{ ...wide, min: 2n ** 52n + 150n }], 6865],
    // With 505 bytes for the inequality that closes a narrow range.
    [9, [{ ...wide, end: 2n ** 20n - 1n }], 1947 + 505],
    [9, [narrow], 1947 + 505],
    [9, [{ ...wide, end: 1n }], 1107 + 505],
    [9, [{ ...wide, end: 16n }], 1317 + 505],
    [9, [{ ...wide, end: 255n }], 1317 + 505],
    [9, [{ ...wide, end: 256n }], 1527 + 505],
  ];
  for (const [hiddenMessages, ranges, length] of lengths) {
    assert.equal(proofLength({ hiddenMessages, isCommitted: false, ranges }), length, String(ranges[0]?.end));
  }
  assert.equal(proofLength({ hiddenMessages: 9, isCommitted: true, ranges: [] }), 653 + 65);
  assert.equal(needsInequality(narrow), true);
  assert.equal(needsInequality(wide), false);
  assert.equal(needsInequality(bulletproofs), false);
});

test('whatever a proof says about itself must be what the verifier would say', async (context) => {
  const engine = await createDockEngine();
  context.after(() => engine.close());
  const world = await makeProofWorld(engine);
  const ranges = [{ index: 3, min: 32_000n, max: 80_000n }];
  const asked = deriveOrder(world, { ranges, rangeParameters: world.setMembership });
  const proof = await engine.derive(asked);
  const shape = { hiddenMessages: 9, isCommitted: false, ranges: [narrow] };
  assert.equal(hasShape(proof, shape), true);
  const set = (position: number, ...bytes: number[]): Uint8Array => {
    const copy = proof.slice();
    copy.set(bytes, position);
    return copy;
  };
  const wrong: [string, Uint8Array][] = [
    ['number of statements', set(0, 4)],
    ['kind of statement', set(8, 1)],
    ['number of hidden messages', set(314, 11)],
    ['kind of range', set(643, 0x0c)],
    ['way of the range', set(644, 0)],
    ['base of the digits', set(645, 2)],
    ['base of the digits', set(645, 17)],
    ['number of digits', set(647, 4)],
    ['point that is not compressed', set(655, (proof[655] as number) & 0x7f)],
    ['point at infinity', set(655, 0xc0, ...new Uint8Array(47))],
    ['scalar as large as the order', set(322, ...new Uint8Array(32).fill(0xff))],
    ['end', set(proof.length - 1, 1)],
  ];
  for (const [what, bytes] of wrong) assert.equal(hasShape(bytes, shape), false, what);
  assert.equal(hasShape(proof, { ...shape, hiddenMessages: 8 }), false);
  assert.equal(hasShape(proof, { ...shape, ranges: [] }), false);
});

test('range parameters are for the digits 0 to 15', async (context) => {
  const engine = await createDockEngine();
  context.after(() => engine.close());
  const parameters = await engine.makeRangeParameters();
  assert.equal(isRangeParameters(parameters), true);
  assert.equal(isRangeParameters(parameters.slice(1)), false);
  assert.notDeepEqual(await engine.makeRangeParameters(), parameters);
  const otherDigit = parameters.slice();
  otherDigit[248 + 32] = 2;
  assert.equal(isRangeParameters(otherDigit), false);
});
