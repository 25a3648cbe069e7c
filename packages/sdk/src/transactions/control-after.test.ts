import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { OperationSchema, TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import { controlAfter } from './control-after.ts';

type Order = Parameters<typeof create<typeof OperationSchema>>[1];

const ada = {
  address: 'ada',
  priv: { master_weight: 1, signers: [], thresholds: { tx_threshold: 1, type_thresholds: [] } },
} as unknown as Parameters<typeof controlAfter>[1];
const after = (...orders: Order[]) =>
  controlAfter(
    create(TransactionSchema, {
      sourceAddress: 'ada',
      operations: orders.map((order) => create(OperationSchema, order)),
    }),
    ada,
  );
const signer = (address: string, weight: bigint) => ({ address, weight });

test('orders are followed one after the other, and what they do not name stays', () => {
  const change = after(
    { setPrivilege: { signers: [signer('bob', 2n), signer('eve', 1n)], txThreshold: '2' } },
    { payCoin: { destAddress: 'bob', amount: 1n } },
    { setPrivilege: { masterWeight: '0', signers: [signer('eve', 0n)] } },
  );
  assert.deepEqual(change?.before, {
    needed: 1n,
    leastNeeded: 1n,
    mostNeeded: 1n,
    signers: [signer('ada', 1n)],
  });
  assert.deepEqual(change?.after, {
    needed: 2n,
    leastNeeded: 2n,
    mostNeeded: 2n,
    signers: [signer('bob', 2n)],
  });
});

test('an operation that needs less than a transaction is the least that is needed', () => {
  const change = after({ setPrivilege: { txThreshold: '5', typeThresholds: [{ type: 7, threshold: 2n }] } });
  assert.deepEqual([change?.after.needed, change?.after.leastNeeded], [5n, 2n]);
});

test('what is of another account, or changes no signer, changes nothing', () => {
  assert.equal(after({ payCoin: { destAddress: 'bob', amount: 1n } }), undefined);
  assert.equal(after({ sourceAddress: 'eve', setPrivilege: { masterWeight: '0' } }), undefined);
});
