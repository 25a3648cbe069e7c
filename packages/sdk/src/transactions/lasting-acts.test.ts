import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { type DidChange, didLogKey, encodeDidLogEntry } from '@symbolon/core/did/did-log';
import { OperationSchema, TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import { lastingActs } from './lasting-acts.ts';

type Order = Parameters<typeof create<typeof OperationSchema>>[1];

const registries = { templates: 'templates', credentials: 'credentials' };
const actsOf = (...orders: Order[]) =>
  lastingActs(
    create(TransactionSchema, {
      sourceAddress: 'ada',
      operations: orders.map((order) => create(OperationSchema, order)),
    }),
    registries,
  );
const terms = { nonce: 1n, feeLimit: 1n, gasPrice: 1n, chainId: 1n };
const logged = (...changes: DidChange[]): Order => ({
  setMetadata: { key: didLogKey, value: encodeDidLogEntry({ version: 1, terms, changes }) },
});
const call = (destAddress: string, input: unknown): Order => ({
  payCoin: { destAddress, input: typeof input === 'string' ? input : JSON.stringify(input) },
});

test('a change of a DID is told by the worst that it does', () => {
  const endsKey = { change: 'endKey', number: 1 } as const;
  assert.deepEqual(actsOf(logged(endsKey, { change: 'deactivate' })), [{ kind: 'didEnd', address: 'ada' }]);
  assert.deepEqual(actsOf(logged({ change: 'endName' }, endsKey)), [{ kind: 'didKeys', address: 'ada' }]);
  assert.deepEqual(actsOf(logged({ change: 'endName' })), [{ kind: 'didChange', address: 'ada' }]);
  assert.deepEqual(actsOf({ setMetadata: { key: didLogKey, value: 'no entry' } }), [
    { kind: 'didChange', address: 'ada' },
  ]);
});

test('a call of a known registry is told whatever it says', () => {
  for (const act of ['issue', 'revoke', 'suspend', 'reinstate', 'anchorAudit'] as const)
    assert.deepEqual(actsOf(call('credentials', { method: act, params: {} })), [
      { kind: 'registry', address: 'ada', act },
    ]);
  assert.deepEqual(actsOf(call('templates', { method: 'addTemplate' })), [
    { kind: 'registry', address: 'ada', act: 'addTemplate' },
  ]);
  for (const input of ['{"method":"revoke","method":"x"', '[]', { method: 'later' }])
    assert.deepEqual(actsOf(call('credentials', input)), [
      { kind: 'registry', address: 'ada', act: undefined },
    ]);
});

test('what one tells a registry is told of other contracts, too', () => {
  assert.deepEqual(actsOf(call('elsewhere', { method: 'revoke' })), [
    { kind: 'likeRegistry', address: 'ada', act: 'revoke', contract: 'elsewhere' },
  ]);
  assert.deepEqual(actsOf({ payAsset: { destAddress: 'elsewhere', input: '{"method":"issue"}' } }), [
    { kind: 'likeRegistry', address: 'ada', act: 'issue', contract: 'elsewhere' },
  ]);
});

test('a contract that gets other code or another owner is told', () => {
  assert.deepEqual(actsOf({ upgradeContract: { destAddress: 'shop', sOwner: true, owner: 'eve' } }), [
    { kind: 'upgrade', address: 'ada', contract: 'shop' },
  ]);
});

test('each act is told once, of whoever does it, behind any number of other operations', () => {
  const pays: Order = { payCoin: { destAddress: 'oren', amount: 1n } };
  const revokes = call('credentials', { method: 'revoke' });
  assert.deepEqual(actsOf(pays, pays, pays, pays, revokes, revokes, { ...revokes, sourceAddress: 'eve' }), [
    { kind: 'registry', address: 'ada', act: 'revoke' },
    { kind: 'registry', address: 'eve', act: 'revoke' },
  ]);
  assert.deepEqual(
    actsOf(pays, { setMetadata: { key: 'colour', value: 'red' } }, call('shop', { method: 'buy' })),
    [],
  );
});
