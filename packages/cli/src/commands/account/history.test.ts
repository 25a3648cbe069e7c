import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { recordsOf } from './history.ts';

type History = Awaited<ReturnType<LedgerClient['getTransactionHistory']>>;

test('a node whose block does not end is not asked for ever', async () => {
  let asked = 0;
  const getTransactionHistory = async () => {
    asked += 1;
    if (asked > 5_000) throw new Error('asked for ever');
    return {
      error_code: 0,
      result: { total_count: 1e9, transactions: [{ hash: 'a' }] },
    } as unknown as History;
  };
  await assert.rejects(recordsOf({ getTransactionHistory }, 7n), /list does not end/);
});
