/** What an issuer signs of a change of status: the call that was ordered, or that call after what the ledger has lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { type RegistryCall, statusCall } from '@symbolon/core/credential/registry-calls';
import { operationTypes } from '@symbolon/core/ledger/terms/operation-types';
import { encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import { readOfferedCall } from './registry-order.ts';

const source = 'ZTX3issuer';
const credentials = [`did:zid:${'c'.repeat(64)}`];
const call = statusCall({ change: 'reinstate', credentials });
const lost = statusCall({ change: 'suspend', credentials });

const blobOf = (calls: readonly RegistryCall[], registries = calls.map(() => 'ZTX3registry')): string => {
  const operations = calls.map((one, index) => ({
    type: operationTypes.payCoin,
    payCoin: { destAddress: registries[index], input: JSON.stringify(one) },
  }));
  const transaction = { sourceAddress: source, nonce: 4n, feeLimit: 1_000n, gasPrice: 1n, operations };
  return encodeHex(encodeTransaction(create(TransactionSchema, transaction)));
};

const orders = [
  ['the call alone', true, blobOf([call])],
  ['the call after what is lost', true, blobOf([lost, call])],
  ['what is lost alone', false, blobOf([lost])],
  ['the call before what is lost', false, blobOf([call, lost])],
  ['the call twice', false, blobOf([call, call])],
  ['something else first', false, blobOf([statusCall({ change: 'revoke', credentials }), call])],
  ['another credential first', false, blobOf([statusCall({ change: 'suspend', credentials: ['x'] }), call])],
  ['more after it', false, blobOf([lost, call, lost])],
  ['two registries', false, blobOf([lost, call], ['ZTX3registry', 'ZTX3other'])],
] as const;

for (const [name, isSigned, blob] of orders)
  test(`${name}: ${isSigned ? 'signed' : 'refused'}`, async () => {
    const read = readOfferedCall(blob, { source, call, before: lost });
    if (isSigned) assert.equal(encodeHex(await read), blob);
    else await assert.rejects(read, { code: 'notAsOrdered' });
  });

test('nothing goes before a call that nothing is lost for', async () => {
  await assert.rejects(readOfferedCall(blobOf([lost, call]), { source, call }), { code: 'notAsOrdered' });
});
