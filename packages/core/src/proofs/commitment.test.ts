import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { encodeHex, encodeUtf8 } from '../basics/bytes.ts';
import { commitContents, commitmentBases, commitmentToHidden } from './commitment.ts';
import { createGenerators } from './generators.ts';
import type { BbsMessage } from './proof-engine.ts';
import { messageScalar } from './scalars.ts';

const { Point } = bls12_381.G1;
const header = encodeUtf8('header');
const messages: BbsMessage[] = [
  { bytes: encodeUtf8('name: a') },
  { integer: 0n },
  { integer: 7n },
  { bytes: encodeUtf8('$salt: u') },
];

describe('a commitment to contents', () => {
  test('has points of its own', () => {
    const indexes = [0, 1, 2, 3, 4, 5];
    const bases = commitmentBases(indexes, 6).map(encodeHex);
    const others = new Set([
      ...createGenerators('typed', 10).map(encodeHex),
      ...createGenerators('plain', 10).map(encodeHex),
    ]);
    assert.equal(new Set(bases).size, bases.length);
    assert.ok(bases.every((base) => !others.has(base)));
    assert.deepEqual(commitmentBases([5], 6), commitmentBases([8], 9), 'the salt has one point');
    assert.notDeepEqual(commitmentBases([5], 7), commitmentBases([5], 6));
  });

  test('differs with the salt, the header and every message', () => {
    const made = [
      commitContents({ header, messages }),
      commitContents({ header: encodeUtf8('other'), messages }),
      ...messages.map((_, index) =>
        commitContents({ header, messages: messages.with(index, { integer: 9n }) }),
      ),
    ].map(encodeHex);
    assert.equal(new Set(made).size, made.length);
  });

  test('without what is shown, is the sum over what is hidden', () => {
    const commitment = commitContents({ header, messages });
    const hidden = [0, 3];
    const revealed = [1, 2].map((index) => ({ index, message: messages[index] }));
    const rest = commitmentToHidden(commitment, { header, messageCount: 4, revealed });
    const points = commitmentBases(hidden, 4).map((base) => Point.fromBytes(base));
    const sum = hidden.reduce(
      (total, index, place) => total.add(points[place].multiply(messageScalar('typed', messages[index]))),
      Point.ZERO,
    );
    assert.deepEqual(rest, sum.toBytes(true));
  });

  test('bytes that are no commitment leave nothing', () => {
    const shown = { header, messageCount: 4, revealed: [] };
    // On the curve and outside of the group.
    const outside =
      '8123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';
    for (const bytes of [
      new Uint8Array(48),
      new Uint8Array(47),
      new Uint8Array(48).fill(0x8b),
      Buffer.from(outside, 'hex'),
    ])
      assert.equal(commitmentToHidden(Uint8Array.from(bytes), shown), undefined);
    const onlyHeader = commitContents({ header, messages: [{ integer: 0n }] });
    assert.equal(commitmentToHidden(onlyHeader, { header, messageCount: 1, revealed: [] }), undefined);
  });
});
