import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { codes } from '@symbolon/core/ledger/terms/codes';
import type { JsonValue } from '@symbolon/wire/json/json';
import { LedgerError, SdkError } from '../errors/errors.ts';
import { openTestChain, type TestChain } from '../testing/test-chain.test.ts';
import { buildTransaction, signTransaction, submitTransaction } from '../transactions/transactions.ts';
import { createLedgerClient } from './ledger-client.ts';
import { waitForReceipt } from './receipts.ts';

const someHash = 'ab'.repeat(32);
const quickly = { pollIntervalMs: 2 };

async function submit({ client, genesis, fund }: TestChain, nonceGap = 0n): Promise<string> {
  const alice = await fund();
  const operations = [{ payCoin: { destAddress: genesis.address, amount: 1n } }];
  const built = await buildTransaction(client, { source: alice.address, operations, nonce: 1n + nonceGap });
  return submitTransaction(client, await signTransaction(built, [alice]));
}

const timesOut = (hint: RegExp) => (error: unknown) => {
  assert.ok(error instanceof SdkError, String(error));
  assert.equal(error.code, 'receiptTimedOut');
  assert.match(error.hint, hint);
  assert.match(error.transactionHash ?? '', /^[0-9a-f]{64}$/);
  return true;
};

/** A client of routes that are not there, or answer as they are told. */
const answering = (answers: Readonly<Record<string, () => JsonValue | Promise<JsonValue>>>) =>
  createLedgerClient(async (_method, path) => {
    const answer = answers[/^\/(\w+)/.exec(path)?.[1] ?? ''];
    return answer ? answer() : { error_code: codes.notFound, error_desc: '', result: null };
  });

const record = (hash: string): JsonValue => ({
  actual_fee: 300,
  close_time: 7,
  error_code: 0,
  error_desc: '',
  hash,
  ledger_seq: 2n ** 62n,
  transaction: {},
  tx_size: 1,
});

const page = (...transactions: JsonValue[]): JsonValue => ({
  error_code: 0,
  error_desc: '',
  result: { total_count: transactions.length, transactions },
});

describe('waiting for a receipt', () => {
  test('ends with the receipt, however the hash is spelled', async (t) => {
    const chain = await openTestChain(t);
    const hash = await submit(chain);
    const receipt = await waitForReceipt(chain.client, hash, quickly);
    assert.equal(receipt.hash, hash);
    assert.equal(receipt.ledgerSeq, chain.node.chain.head.seq);
    assert.deepEqual(await waitForReceipt(chain.client, hash.toUpperCase(), quickly), receipt);
  });

  test('tells an expired transaction by its code', async (t) => {
    const chain = await openTestChain(t, {
      queue: { transactionsMax: 100, transactionsPerAccountMax: 10, lifetimeMs: 1 },
    });
    const hash = await submit(chain, 1n);
    const waiting = waitForReceipt(chain.client, hash, quickly);
    chain.node.queue.expire(chain.node.clock.nowMs() + 10_000);
    await assert.rejects(waiting, (error) => {
      assert.ok(error instanceof LedgerError);
      assert.deepEqual([error.code, error.name], [codes.timeout, 'ERRCODE_TX_TIMEOUT']);
      return true;
    });
  });

  test('tells a transaction that still waits from one that is nowhere', async (t) => {
    const chain = await openTestChain(t);
    const options = { pollIntervalMs: 2, timeoutMs: 30 };
    const hash = await submit(chain, 1n);
    await assert.rejects(waitForReceipt(chain.client, hash, options), timesOut(/waits in the queue/));
    await assert.rejects(waitForReceipt(chain.client, someHash, options), timesOut(/does not hold it/));
  });

  test('goes on when the node is away for a moment, and says so when it stays away', async () => {
    let questions = 0;
    const away = () => Promise.reject(new SdkError('unreachable', 'no connection', { hint: 'none' }));
    const back = answering({
      getTransactionHistory: () => (++questions < 4 ? away() : page(record(someHash))),
    });
    assert.equal((await waitForReceipt(back, someHash, quickly)).ledgerSeq, 2n ** 62n);
    assert.equal(questions, 4);
    const gone = answering({ getTransactionHistory: away });
    const options = { pollIntervalMs: 2, timeoutMs: 20 };
    await assert.rejects(waitForReceipt(gone, someHash, options), timesOut(/did not answer/));
  });

  test('ends in time although a request hangs', async () => {
    const hanging = answering({ getTransactionHistory: () => new Promise(() => undefined) });
    await assert.rejects(waitForReceipt(hanging, someHash, { timeoutMs: 30 }), timesOut(/did not answer/));
  });

  test('does not wait at all when there is no time', async () => {
    const client = createLedgerClient(() => assert.fail('nothing is asked'));
    await assert.rejects(waitForReceipt(client, someHash, { timeoutMs: 0 }), timesOut(/did not answer/));
  });

  test('can wait for as long as one likes', async () => {
    const client = answering({ getTransactionHistory: () => page(record(someHash)) });
    const receipt = await waitForReceipt(client, someHash, { timeoutMs: Number.POSITIVE_INFINITY });
    assert.equal(receipt.code, 0);
  });

  test('stops at any other refusal, and at a reply about something else', async () => {
    const refused = answering({ getTransactionHistory: () => ({ error_code: 1, error_desc: 'broken' }) });
    await assert.rejects(waitForReceipt(refused, someHash, quickly), { code: codes.internalError });
    for (const reply of [
      page(),
      page(record('cd'.repeat(32))),
      page({}),
      { error_code: 0, error_desc: '' },
    ]) {
      const wrong = answering({ getTransactionHistory: () => reply });
      await assert.rejects(waitForReceipt(wrong, someHash, quickly), { code: 'unexpectedReply' });
    }
  });

  for (const text of ['', '0x', 'ab', 'zz'.repeat(32), `${someHash}00`, ` ${someHash}`])
    test(`does not take "${text}" for a hash`, async () => {
      const client = createLedgerClient(() => assert.fail('nothing is asked'));
      await assert.rejects(waitForReceipt(client, text), { code: 'invalidArgument' });
    });
});
