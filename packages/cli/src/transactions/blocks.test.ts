import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { blockOf } from './blocks.ts';

const hash = 'ab'.repeat(32);

/** A node that has executed the transaction with this code. */
const nodeWith = (code: number) => {
  const record = { hash, error_code: code, error_desc: '', ledger_seq: 7, close_time: 1, actual_fee: 1 };
  const getTransactionHistory = async () => ({ error_code: 0, result: { transactions: [record] } });
  return { ledger: { getTransactionHistory } as unknown as LedgerClient };
};

test('a transaction that failed has no block in which anything was done', async () => {
  assert.equal(await blockOf(nodeWith(0), hash.toUpperCase()), 7n);
  assert.equal(await blockOf(nodeWith(151), hash), undefined);
  assert.equal(await blockOf(nodeWith(0), null), undefined);
});
