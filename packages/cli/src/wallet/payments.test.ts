import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import type { Signer } from '@symbolon/sdk/keys/signer';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { Pins } from '@symbolon/sdk/ledger/pins';
import { openTestChain, type TestChain } from '@symbolon/sdk/testing/test-chain.test';
import { sendTransaction } from '@symbolon/sdk/transactions/transactions';
import { learnOutcomes, signWithinCaps } from './payments.ts';
import { type Caps, countedOf, nativeAsset, paymentsOf, unfinishedPayments } from './spending.ts';
import type { Wallet } from './wallet.ts';
import { openWalletDatabase, walletDay } from './wallet-database.ts';

const caps: Caps = new Map([[nativeAsset, { perPayment: 1_000_000n, perDay: 3_000_000n }]]);
const quickly = { pollIntervalMs: 2 };

interface Purse {
  readonly wallet: Wallet;
  /** Signs a payment, and hands it in if told so. */
  readonly pay: (amount: bigint, handsIn?: boolean) => Promise<string>;
  readonly state: (hash: string) => string | undefined;
  readonly counted: () => bigint;
}

interface PurseOrder {
  readonly seen?: LedgerClient;
  readonly pins?: Pins;
  readonly balance?: bigint;
}

/** The parts of a wallet that pay, on a real chain; `seen` is what it asks instead of the node itself. */
async function openPurse(
  t: TestContext,
  chain: TestChain,
  { seen = chain.client, pins = {}, balance = 50_000_000n }: PurseOrder = {},
): Promise<Purse> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-payments-'));
  const database = await openWalletDatabase(folder);
  t.after(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const signer: Signer = await chain.fund(balance);
  const wallet = { database, signer, ledger: seen, pins, policy: { caps } } as unknown as Wallet;
  const payments = () => paymentsOf(database, walletDay(database, Date.now()));
  const pay = async (amount: bigint, handsIn = false) => {
    const { address: payTo } = chain.genesis;
    const demand = {
      scheme: 'exact',
      network: 'zetrix:testnet',
      payTo,
      asset: nativeAsset,
      amount: String(amount),
    };
    const { payload, payment } = await signWithinCaps(wallet, demand, undefined);
    if (handsIn) {
      const { transactionBlob: transaction_blob, signatures } = payload;
      await chain.client.submitTransaction({ items: [{ transaction_blob, signatures: [...signatures] }] });
      await nextBlock(chain);
    }
    return payment.hash;
  };
  return {
    wallet,
    pay,
    state: (hash) => payments().find((payment) => payment.hash === hash)?.state,
    counted: () => countedOf(payments(), nativeAsset),
  };
}

/** Whatever waits gets into a block, and that block's proof into the next. */
async function nextBlock({ client, genesis, fund }: TestChain): Promise<void> {
  const { address } = await fund(1_000_000n);
  const operations = [{ payCoin: { destAddress: address, amount: 1n } }];
  await sendTransaction(client, { signers: [genesis], operations }, quickly);
}

const record = (hash: string, code: number) => ({
  error_code: 0,
  error_desc: '',
  result: {
    total_count: 1,
    transactions: [
      {
        actual_fee: 1,
        close_time: 7,
        error_code: code,
        error_desc: '',
        hash,
        ledger_seq: 2,
        transaction: {},
        tx_size: 1,
      },
    ],
  },
});

describe('what frees a cap', () => {
  test('not the word of a node that a payment has failed', async (t) => {
    const chain = await openTestChain(t);
    const seen: LedgerClient = {
      ...chain.client,
      getTransactionHistory: async (query) => record(String(query?.hash), 100) as never,
    };
    const { wallet, pay, state, counted } = await openPurse(t, chain, { seen });
    const hash = await pay(900_000n);
    await learnOutcomes(wallet);
    assert.equal(state(hash), 'open');
    assert.ok(counted() >= 900_000n);
  });

  test('nor that its nonce is used, whatever the node says next', async (t) => {
    const chain = await openTestChain(t);
    let nonce = 0;
    const seen: LedgerClient = {
      ...chain.client,
      getAccountBase: async (query) => {
        const reply = await chain.client.getAccountBase(query);
        if (reply.result) reply.result.nonce = nonce;
        return reply;
      },
    };
    const { pay, counted } = await openPurse(t, chain, { seen });
    for (nonce = 0; nonce < 3; nonce++) await pay(900_000n);
    assert.ok(counted() >= 2_700_000n, 'each of them can still be handed in');
    await assert.rejects(pay(900_000n), /of today \(UTC\) are used up/);
  });

  test('a payment that was made is told as spent, and counts', async (t) => {
    const chain = await openTestChain(t);
    const { wallet, pay, state, counted } = await openPurse(t, chain);
    const hash = await pay(900_000n, true);
    await learnOutcomes(wallet);
    assert.equal(state(hash), 'spent');
    assert.deepEqual(unfinishedPayments(wallet.database), []);
    assert.ok(counted() >= 900_000n);
  });

  const pinsOf = async ({ client }: TestChain): Promise<Pins> => {
    const { result } = await client.getLedger({ with_validator: 'true' });
    return { validators: result?.validators ?? [] };
  };

  test('what a pinned validator has signed: a payment that failed costs its fee', async (t) => {
    const chain = await openTestChain(t);
    // The account has too little, which the node does not say when it is asked for the fee.
    const seen: LedgerClient = {
      ...chain.client,
      testTransaction: async () => evaluated as never,
    };
    for (const pins of [{}, await pinsOf(chain)]) {
      const { wallet, pay, state, counted } = await openPurse(t, chain, { seen, pins, balance: 100_000n });
      const hash = await pay(900_000n, true);
      await learnOutcomes(wallet);
      const isProven = pins.validators !== undefined;
      assert.equal(state(hash), isProven ? 'failed' : 'open');
      assert.equal(counted() < 10_000n, isProven);
    }
  });

  test('and one whose nonce another has used is void', async (t) => {
    const chain = await openTestChain(t);
    for (const pins of [{}, await pinsOf(chain)]) {
      const { wallet, pay, state, counted } = await openPurse(t, chain, { pins });
      const kept = await pay(900_000n);
      const made = await pay(5n, true);
      await learnOutcomes(wallet);
      const isProven = pins.validators !== undefined;
      assert.deepEqual([state(kept), state(made)], [isProven ? 'void' : 'open', 'spent']);
      assert.equal(counted() < 10_000n, isProven);
    }
  });
});

const evaluated = {
  error_code: 0,
  error_desc: '',
  result: { txs: [{ transaction_env: { transaction: { fee_limit: 400, gas_price: 1 } } }] },
};
