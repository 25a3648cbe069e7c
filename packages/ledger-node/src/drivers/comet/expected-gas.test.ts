import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { blockLimits } from '@symbolon/core/limits/consensus';
import { AccountSchema } from '@symbolon/core/proto/ledger_pb';
import { person } from '../../testing/people.ts';
import { verified } from '../../testing/test-chain.ts';
import { ExpectedGas } from './expected-gas.ts';

const contract = person('contract').address;
const other = person('another contract').address;
const account = create(AccountSchema, { contract: { payload: 'code' } });
const state = { account: (address: string) => ([contract, other].includes(address) ? account : undefined) };

const paying = (...targets: string[]) =>
  verified({
    operations: targets.map((destAddress) => operation('payCoin', { destAddress, amount: 0n })),
  });

test('a contract is expected to use what its last call used; an unknown one some', () => {
  const gas = new ExpectedGas(state);
  assert.equal(gas.of(paying(person('bob').address).signed), undefined);
  const unknown = gas.of(paying(contract).signed) as bigint;
  assert(unknown > 0n && unknown < blockLimits.contractGasMax);
  const executed = (targets: string[], contractGas: bigint) => ({
    transactions: [
      {
        verified: paying(...targets),
        outcome: { failure: undefined, actualFee: 0n, result: '', triggered: [], contractGas },
      },
    ],
  });
  gas.note(executed([contract], 500n));
  assert.equal(gas.of(paying(contract).signed), 500n);
  assert.equal(gas.of(paying(contract, contract).signed), 1_000n);
  assert.equal(gas.of(paying(contract, other).signed), 500n + unknown);
  gas.note(executed([contract, other], 600n));
  assert.equal(gas.of(paying(contract).signed), 300n);
  gas.note(executed([person('bob').address], 0n));
  assert.equal(gas.of(paying(other).signed), 300n);
});
