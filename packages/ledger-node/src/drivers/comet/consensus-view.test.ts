import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { ValidatorSetSchema } from '@symbolon/core/proto/ledger_pb';
import { mayFail } from './consensus-view.ts';

const setOf = (powers: readonly bigint[]) =>
  create(ValidatorSetSchema, { validators: powers.map((pledgeCoinAmount) => ({ pledgeCoinAmount })) });

describe('how many validators may fail', () => {
  for (const [powers, count] of [
    [[1n], 0],
    [[1n, 1n, 1n], 0],
    [[1n, 1n, 1n, 1n], 1],
    [Array<bigint>(7).fill(10n), 2],
    [[100n, 1n, 1n, 1n], 0],
    [[4n, 3n, 3n, 1n], 0],
    [[3n, 3n, 3n, 2n], 1],
  ] as const)
    test(`of powers ${powers.join(', ')}: ${count}`, () => assert.equal(mayFail(setOf(powers)), count));
});
