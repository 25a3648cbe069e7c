import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { ValidatorSetSchema } from '@symbolon/core/proto/ledger_pb';
import { ValidatorUpdate } from 'cosmjs-types/tendermint/abci/types';
import { cometChainId, genesisProblem } from './handshake.ts';

const genesis = { hash: new Uint8Array(32).fill(0xab) };
const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const setOf = (...powers: bigint[]) =>
  create(ValidatorSetSchema, {
    validators: powers.map((pledgeCoinAmount, index) => ({ publicKey: key(index), pledgeCoinAmount })),
  });
const theirs = (...powers: bigint[]) =>
  powers.map((power, index) => ValidatorUpdate.fromPartial({ pubKey: { ed25519: key(index) }, power }));
const good = { chainId: cometChainId(genesis), initialHeight: 2n, validators: theirs(5n, 7n) };
const ours = { genesis, validators: setOf(5n, 7n) };

describe('the genesis of CometBFT', () => {
  test('fits ours, in any order of validators', () => {
    assert.match(good.chainId, /^symbolon-(ab){16}$/);
    assert.equal(genesisProblem(good, ours), undefined);
    assert.equal(genesisProblem({ ...good, validators: good.validators.toReversed() }, ours), undefined);
  });

  for (const [name, change, told] of [
    ['of another chain id', { chainId: 'symbolon' }, /chain_id/],
    ['of no chain id', { chainId: '' }, /chain_id/],
    ['that begins at 1', { initialHeight: 1n }, /initial_height/],
    ['that begins at 3', { initialHeight: 3n }, /initial_height/],
    ['without validators', { validators: [] }, /validators/],
    ['with a validator more', { validators: theirs(5n, 7n, 1n) }, /validators/],
    ['with a validator less', { validators: theirs(5n) }, /validators/],
    ['with another power', { validators: theirs(5n, 8n) }, /validators/],
    [
      'with keys of another kind',
      { validators: [ValidatorUpdate.fromPartial({ pubKey: { secp256k1: key(0) }, power: 5n })] },
      /validators/,
    ],
  ] as const)
    test(`${name} is refused`, () => {
      assert.match(
        genesisProblem(
          {
            ...good,
            ...change,
            validators: [...('validators' in change ? change.validators : good.validators)],
          },
          ours,
        ) ?? '',
        told,
      );
    });
});
