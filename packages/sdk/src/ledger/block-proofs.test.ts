import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { JsonObject } from '@symbolon/wire/json/json';
import { signerFromSeed } from '../keys/signer.ts';
import { openTestChain } from '../testing/test-chain.test.ts';
import {
  buildTransaction,
  sendTransaction,
  settleTransaction,
  signTransaction,
} from '../transactions/transactions.ts';
import { blockHashAnew, provenTransactions, signedBlock } from './block-proofs.ts';
import type { LedgerClient } from './ledger-client.ts';
import { TransactionFailed } from './receipts.ts';

const quickly = { pollIntervalMs: 2 };

/** A chain with a payment that was made, one that failed, and blocks after both. */
async function openStory(t: TestContext) {
  const chain = await openTestChain(t);
  const { client, genesis, fund } = chain;
  const alice = await fund(1_000_000n);
  const send = async (amount: bigint) => {
    const operations = [{ payCoin: { destAddress: genesis.address, amount } }];
    const terms = { source: alice.address, operations, feeLimit: 1_000n, gasPrice: 1n };
    const signed = await signTransaction(await buildTransaction(client, terms), [alice]);
    const hash = encodeHex(signed.hash);
    try {
      return { hash, seq: (await settleTransaction(client, signed, quickly)).ledgerSeq };
    } catch (error) {
      assert.ok(error instanceof TransactionFailed, String(error));
      return { hash, seq: error.receipt.ledgerSeq };
    }
  };
  const [made, failed] = [await send(5n), await send(999_999_999n)];
  const { result } = await client.getLedger({ with_validator: 'true' });
  const validators = result?.validators ?? [];
  return { ...chain, alice, made, failed, validators, pass: () => fund(1n) };
}

describe('what a validator has signed', () => {
  test('proves which transactions were executed and which failed, once another block is there', async (t) => {
    const { client, alice, made, failed, validators, pass } = await openStory(t);
    assert.equal(await provenTransactions(client, failed.seq, { validators }), undefined);
    await pass();
    const [first] = (await provenTransactions(client, made.seq, { validators, chainId: 0n })) ?? [];
    assert.deepEqual(first, { hash: made.hash, sourceAddress: alice.address, nonce: 1n, hasFailed: false });
    const [second] = (await provenTransactions(client, failed.seq, { validators })) ?? [];
    assert.deepEqual([second?.hash, second?.hasFailed], [failed.hash, true]);
  });

  test('proves nothing to whoever has pinned nobody, another validator or another chain', async (t) => {
    const { client, made, validators } = await openStory(t);
    const stranger = (await signerFromSeed(new Uint8Array(32).fill(9))).address;
    for (const pins of [{}, { validators: [] }, { validators: [stranger] }, { validators, chainId: 3n }])
      assert.equal(await provenTransactions(client, made.seq, pins), undefined);
    assert.ok(await provenTransactions(client, made.seq, { validators: [stranger, ...validators] }));
  });

  test('proves nothing where a node has changed anything', async (t) => {
    const { client, made, failed, validators, genesis, fund } = await openStory(t);
    const operations = [{ log: { topic: 'after' } }];
    await sendTransaction(client, { signers: [genesis], operations }, quickly);
    await fund(1n);
    // biome-ignore lint/suspicious/noExplicitAny: an answer is changed where it stands, whatever its form.
    const lies: Readonly<Record<string, (value: any) => void>> = {
      'a failure taken away': (value) => delete value.validation,
      'a failure made up': (value) => {
        value.validation = { error_tx_ids: [0], expire_tx_ids: [] };
      },
      'one that ran out of its time': (value) => {
        value.validation = { expire_tx_ids: [0] };
      },
      'a transaction left out': (value) => {
        value.txset = null;
      },
      'another nonce': (value) => {
        value.txset.txs[0].transaction.nonce = 77;
      },
      'another signature': (value) => {
        value.txset.txs[0].signatures[0].sign_data = '00'.repeat(64);
      },
      'another time': (value) => {
        value.close_time = 1;
      },
      'another number': (value) => {
        value.ledger_seq = Number(value.ledger_seq) + 1;
      },
      'another block before it': (value) => {
        value.previous_ledger_hash = '00'.repeat(32);
      },
      'no proof': (value) => delete value.previous_proof,
      'a proof that is none': (value) => {
        value.previous_proof = 'ffff';
      },
      'what is no consensus value': (value) => {
        value.txset = { txs: 'all' };
      },
    };
    for (const [what, lie] of Object.entries(lies))
      for (const { seq } of [made, failed]) {
        const lying: LedgerClient = {
          ...client,
          getLedger: async (query) => {
            const reply = await client.getLedger(query);
            const before = JSON.stringify(reply.result?.consensus_value);
            if (reply.result?.consensus_value) lie(reply.result.consensus_value);
            assert.ok(query?.with_consvalue === 'true' && before !== undefined);
            return reply;
          },
        };
        const proven = await provenTransactions(lying, seq, { validators });
        const isUnchanged = proven?.some(({ hash, hasFailed }) =>
          hash === failed.hash ? hasFailed : hash === made.hash && !hasFailed,
        );
        assert.ok(proven === undefined || (what.startsWith('a failure') && isUnchanged), `${what} ${seq}`);
      }
  });

  test('of another block does not prove this one', async (t) => {
    const { client, made, failed, validators, pass } = await openStory(t);
    await pass();
    const swapped: LedgerClient = {
      ...client,
      getLedger: (query) =>
        client.getLedger({
          ...query,
          seq: query?.seq === String(made.seq) ? String(failed.seq) : query?.seq,
        }),
    };
    assert.equal(await provenTransactions(swapped, made.seq, { validators }), undefined);
  });
});

describe('the hash of a block', () => {
  test('is made anew from its header and its transactions, and the next block names it', async (t) => {
    const { client, made, failed, validators, pass } = await openStory(t);
    await pass();
    for (const { seq } of [made, failed, { seq: 1n }]) {
      const header = (await client.getLedger({ seq })).result?.header as JsonObject;
      assert.equal(await blockHashAnew(client, header), header.hash);
      assert.notEqual(await blockHashAnew(client, { ...header, account_tree_hash: '00' }), header.hash);
    }
    const header = (await client.getLedger({ seq: made.seq })).result?.header;
    const next = await signedBlock(client, made.seq + 1n, { validators });
    assert.equal(encodeHex(next?.value.previousLedgerHash ?? new Uint8Array()), header?.hash);
    assert.ok(validators.includes(next?.signer ?? ''));
  });

  test('is another one where the node leaves a transaction out', async (t) => {
    const { client, made } = await openStory(t);
    const header = (await client.getLedger({ seq: made.seq })).result?.header as JsonObject;
    const silent: LedgerClient = {
      ...client,
      getTransactionHistory: async () => ({
        error_code: 0,
        error_desc: '',
        result: { total_count: 0, transactions: [] },
      }),
    };
    assert.notEqual(await blockHashAnew(silent, header), header.hash);
  });
});
