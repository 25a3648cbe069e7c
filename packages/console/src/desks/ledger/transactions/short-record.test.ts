import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTransaction, transactionOfRecord } from '@symbolon/sdk/transactions/transaction-sentence';
import { isCutShort, recordOfShort, type ShortTransaction } from './short-record.ts';

const short = (operations: ShortTransaction['operations'], count = operations.length): ShortTransaction => ({
  hash: 'ab'.repeat(32),
  ledger_seq: 2,
  index: 0,
  close_time: 1,
  source_address: 'alice',
  nonce: 1,
  error_code: 0,
  actual_fee: 1,
  tx_size: 200,
  signature_count: 1,
  triggered_count: 0,
  operation_count: count,
  operations,
});

const told = (given: ShortTransaction): string => {
  const transaction = transactionOfRecord({ transaction: recordOfShort(given) });
  assert.ok(transaction);
  return describeTransaction(transaction, { nameOf: (address) => address });
};

test('every kind of operation reads as the whole one does', () => {
  const sentences = [
    short([{ type: 7, dest_address: 'bob', amount: 1_500_000 }]),
    short([{ type: 7, dest_address: 'registry', amount: 0, input: '{"method":"issue"}' }]),
    short([{ type: 1, dest_address: 'bob', amount: 0 }]),
    short([{ type: 1, amount: 0, creates_contract: true }]),
    short([{ type: 2, code: 'EXC', amount: 5 }]),
    short([{ type: 3, dest_address: 'bob', amount: 5, asset: { code: 'EXC', issuer: 'alice' } }]),
    short([{ type: 4, key: 'k', is_deletion: true }]),
    short([{ type: 8, topic: 't' }]),
    short([{ type: 9 }]),
    short([{ type: 10, dest_address: 'registry' }]),
  ].map(told);
  assert.deepEqual(sentences, [
    'alice pays 1.5 Gas to bob.',
    'alice calls "issue" of the contract registry.',
    'alice creates the account bob.',
    'alice puts a contract on the chain.',
    'alice issues 5 of the asset "EXC".',
    'alice sends 5 of the asset "EXC" to bob.',
    'alice deletes the metadata "k".',
    'alice notes under the topic "t".',
    'alice changes who may sign for the account.',
    'alice upgrades the contract registry.',
  ]);
});

test('a call that is cut keeps the name of its method, and says that it is cut', () => {
  const cut = short([
    {
      type: 7,
      dest_address: 'registry',
      amount: 0,
      input: '{"method":"revoke","params":{"cre',
      is_cut: true,
    },
  ]);
  assert.equal(told(cut), 'alice calls "revoke" of the contract registry.');
  assert.ok(isCutShort(cut));
  assert.ok(isCutShort(short([{ type: 8, topic: 't' }], 2)));
  assert.ok(!isCutShort(short([{ type: 8, topic: 't' }])));
  assert.ok(!isCutShort(short([{ type: 4, key: 'website' }])));
  assert.ok(isCutShort(short([{ type: 4, key: 'did.log' }])), 'what it changes is in its value');
});
