import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { createLedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { openMade } from '@symbolon/sdk/transactions/transaction-texts';
import type { JsonValue } from '@symbolon/wire/json/json';
import { isReadError } from '@symbolon/wire/json/message-json';
import { transactionFromRecord, transactionToJson } from '@symbolon/wire/ledger/transaction-json';
import { draftOutcome, handInDraft } from './hand-in.ts';

const read = transactionFromRecord({
  source_address: 'ada',
  nonce: 1,
  fee_limit: 500,
  operations: [{ type: 7, pay_coin: { dest_address: 'oren', amount: 1 } }],
});
assert.ok(!isReadError(read));
const signed = openMade(read);
assert.ok(signed);
const hash = encodeHex(signed.hash);

type Answers = Readonly<Record<string, () => JsonValue>>;

const reply = (result: JsonValue): JsonValue => ({ error_code: 0, error_desc: '', result });
const nothing = (): JsonValue => ({ error_code: codes.notFound, error_desc: '', result: null });
const noAnswer = (): never => {
  throw new SdkError('unreachable', 'nobody answers', { hint: '' });
};
/** A node that has executed it, or another transaction under its hash. */
const executed = (transaction = transactionToJson(read)) =>
  reply({
    total_count: 1,
    transactions: [
      {
        actual_fee: 300,
        close_time: 7,
        error_code: 0,
        error_desc: '',
        hash,
        ledger_seq: 9,
        transaction,
        tx_size: 1,
      },
    ],
  });
const node = (answers: Answers) =>
  createLedgerClient(async (_method, path) => (answers[/^\/(\w+)/.exec(path)?.[1] ?? ''] ?? nothing)());
const stateOf = async (answers: Answers): Promise<string> =>
  (await draftOutcome(node(answers), signed)).state;

test('what became of it is what a node says of these very bytes, else it is not known', async () => {
  assert.equal(await stateOf({ getTransactionHistory: () => executed() }), 'executed');
  assert.equal(await stateOf({}), 'absent');
  assert.equal(await stateOf({ getTransactionHistory: noAnswer }), 'unknown');
  const other = { ...transactionToJson(read), nonce: 2 };
  assert.equal(await stateOf({ getTransactionHistory: () => executed(other) }), 'unknown');
  assert.equal(await stateOf({ getTransactionHistory: () => reply({}) }), 'unknown');
});

test('what a block takes between two questions is not absent', async () => {
  let asked = 0;
  const history = (): JsonValue => {
    asked += 1;
    return asked === 1 ? nothing() : executed();
  };
  assert.equal(await stateOf({ getTransactionHistory: history }), 'executed');
});

test('it waits once a node has taken it, is unknown without an answer, and is not refused if a block has it', async () => {
  const sent = async (answers: Answers): Promise<string> => (await handInDraft(node(answers), signed)).state;
  const taken = (): JsonValue => ({
    success_count: 1,
    results: [{ error_code: 0, error_desc: '', hash }],
    ...(reply({ hash }) as object),
  });
  const refuses = (): JsonValue => ({ error_code: codes.alreadyExists, error_desc: '', result: null });
  assert.equal(await sent({ submitTransaction: taken }), 'waiting');
  assert.equal(await sent({ submitTransaction: noAnswer }), 'unknown');
  assert.equal(await sent({ submitTransaction: refuses }), 'refused');
  assert.equal(
    await sent({ submitTransaction: refuses, getTransactionHistory: () => executed() }),
    'executed',
  );
});
