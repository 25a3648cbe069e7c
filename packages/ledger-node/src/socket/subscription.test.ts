import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@bufbuild/protobuf';
import { type OperationSchema, TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import { addressesOf, isWanted } from './subscription.ts';

const addresses = (...operations: MessageInitShape<typeof OperationSchema>[]) =>
  [...addressesOf(create(TransactionSchema, { sourceAddress: 'source', operations }))].sort();

describe('a transaction concerns', () => {
  test('its source', () => assert.deepEqual(addresses(), ['source']));

  test('the sources of its operations', () => {
    assert.deepEqual(addresses({ sourceAddress: 'a' }, { sourceAddress: 'b' }), ['a', 'b', 'source']);
    assert.deepEqual(addresses({ sourceAddress: '' }), ['source']);
  });

  test('whoever is created or paid', () => {
    assert.deepEqual(addresses({ createAccount: { destAddress: 'new' } }), ['new', 'source']);
    assert.deepEqual(addresses({ payCoin: { destAddress: 'paid' } }), ['paid', 'source']);
    assert.deepEqual(addresses({ payAsset: { destAddress: 'paid' } }), ['paid', 'source']);
    assert.deepEqual(addresses({ createAccount: {} }), ['source'], 'a contract has no address yet');
  });

  test('nobody else it names', () => {
    const issuer = { payAsset: { destAddress: 'paid', asset: { key: { issuer: 'issuer' } } } };
    assert.deepEqual(addresses(issuer), ['paid', 'source']);
    assert.deepEqual(addresses({ setPrivilege: { signers: [{ address: 'signer' }] } }), ['source']);
  });
});

describe('a filter', () => {
  test('that is none wants everything', () => assert.ok(isWanted(undefined, new Set(['a']))));

  test('wants what names one of its addresses', () => {
    assert.ok(isWanted(new Set(['x', 'a']), new Set(['a', 'b'])));
    assert.ok(!isWanted(new Set(['x']), new Set(['a', 'b'])));
    assert.ok(!isWanted(new Set(), new Set(['a'])));
  });
});
