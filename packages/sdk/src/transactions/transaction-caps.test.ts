import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { SdkError } from '../errors/errors.ts';
import { signPayment } from '../flows/payment-scheme.ts';
import type { Signer } from '../keys/signer.ts';
import type { LedgerClient } from '../ledger/ledger-client.ts';
import { clientLimits } from '../limits/client-limits.ts';
import { openTestChain } from '../testing/test-chain.test.ts';
import { publishKey } from './did-keys.ts';
import { buildTransaction, type OperationOrder, sendTransaction } from './transactions.ts';

const quickly = { pollIntervalMs: 2 };
const pay = (destAddress: string, amount: bigint): OperationOrder => ({ payCoin: { destAddress, amount } });

interface Lies {
  readonly feeLimit?: bigint;
  readonly gasPrice?: bigint;
  readonly nonce?: bigint;
  readonly chainId?: bigint;
}

/** A node that answers as it should but for some numbers. */
const lying = (client: LedgerClient, { feeLimit, gasPrice, nonce, chainId }: Lies): LedgerClient => ({
  ...client,
  testTransaction: async (...given) => {
    const reply = await client.testTransaction(...given);
    const transaction = reply.result?.txs?.[0]?.transaction_env.transaction;
    if (transaction && feeLimit !== undefined) transaction.fee_limit = feeLimit;
    if (transaction && gasPrice !== undefined) transaction.gas_price = gasPrice;
    return reply;
  },
  getAccountBase: async (...given) => {
    const reply = await client.getAccountBase(...given);
    if (reply.result && nonce !== undefined) reply.result.nonce = nonce;
    return reply;
  },
  getLedger: async (...given) => {
    const reply = await client.getLedger(...given);
    if (reply.result && chainId !== undefined) reply.result.header.chain_id = chainId;
    return reply;
  },
});

const isSdkError =
  (code: string, words = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof SdkError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(`${error.message} ${error.hint}`, words);
    return true;
  };

const bbsKey = {
  type: 'X25519KeyAgreementKey2020' as const,
  publicKeyMultibase: 'z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc',
};

/** Every way from an order to a signature, and whether it signed anything. */
async function signingWays(t: TestContext, lies: Lies, caps: object = {}) {
  const chain = await openTestChain(t);
  const honest = await chain.fund(100_000_000_000n);
  const client = lying(chain.client, lies);
  let signatures = 0;
  const signer: Signer = {
    ...honest,
    sign: (bytes) => {
      signatures++;
      return honest.sign(bytes);
    },
  };
  const operations = [pay(chain.genesis.address, 1_000n)];
  const demand = {
    scheme: 'exact',
    network: zetrixProfile.networkId,
    payTo: chain.genesis.address,
    asset: 'ZTX',
    amount: '1000',
  };
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    sendTransaction: () => sendTransaction(client, { signers: [signer], operations, ...caps }, quickly),
    signPayment: () => signPayment(demand, { client, signer, amountsMax: { ZTX: 1_000n }, ...caps }),
    publishKey: () => publishKey(client, { signer, ...bbsKey }, { ...quickly, ...caps }),
  };
  return {
    ways: Object.entries(ways),
    signatures: () => signatures,
    balance: () => chain.node.account(honest.address)?.balance,
  };
}

async function assertRefused(t: TestContext, lies: Lies, check: (error: unknown) => boolean, caps?: object) {
  const { ways, signatures, balance } = await signingWays(t, lies, caps);
  for (const [name, way] of ways) await assert.rejects(way(), check, name);
  assert.equal(signatures(), 0);
  assert.equal(balance(), 100_000_000_000n);
}

describe('what a node says of costs', () => {
  test('a node that wants 25,000 Gas for a payment of 1,000 units gets nothing', (t) =>
    assertRefused(t, { feeLimit: 25_000_000_000n, gasPrice: 90_000_000n }, isSdkError('feeTooHigh')));

  test('a high price alone is refused, and so is a high limit alone', async (t) => {
    await assertRefused(t, { gasPrice: clientLimits.gasPriceMax + 1n }, isSdkError('feeTooHigh', /price/));
    await assertRefused(t, { feeLimit: clientLimits.feeLimitMax + 1n }, isSdkError('feeTooHigh', /limit/));
  });

  test('caps of the caller are obeyed, in both directions', async (t) => {
    await assertRefused(t, {}, isSdkError('feeTooHigh', /limit/), { feeLimitMax: 10n });
    await assertRefused(t, { gasPrice: 2n }, isSdkError('feeTooHigh', /price/), { gasPriceMax: 1n });
    const caps = { feeLimitMax: 5_000_000n, gasPriceMax: 3_000n };
    const { ways } = await signingWays(t, { feeLimit: 4_000_000n, gasPrice: 2_000n }, caps);
    for (const [, way] of ways) await way();
  });

  test('what the caller says itself is an order, whatever the caps', async (t) => {
    const { client, genesis, fund } = await openTestChain(t);
    const payee = await fund();
    const order = { source: genesis.address, operations: [pay(payee.address, 5n)] };
    const given = { feeLimit: 900_000_000n, gasPrice: 100_000n };
    const built = await buildTransaction(client, { ...order, ...given });
    assert.deepEqual([built.feeLimit, built.gasPrice], [given.feeLimit, given.gasPrice]);
    const dear = lying(client, { feeLimit: 7n ** 20n });
    assert.equal((await buildTransaction(dear, { ...order, feeLimit: 5_000n })).feeLimit, 5_000n);
  });

  test('what costs more by its kind has a higher cap, and no more than that', async (t) => {
    const { client, genesis } = await openTestChain(t);
    const contract = {
      payload: `"use strict";function init(){return;}function main(){return;}function query(){return;}`,
    };
    const createAccount = { contract, priv: { thresholds: { txThreshold: 1n } } };
    const kinds: OperationOrder[] = [{ createAccount }, { issueAsset: { code: 'GOLD', amount: 5n } }];
    for (const operation of kinds) {
      const order = { source: genesis.address, operations: [operation], withRoom: true };
      const { feeLimit } = await buildTransaction(client, order);
      assert.ok(feeLimit > clientLimits.feeLimitMax, String(feeLimit));
      const dear = lying(client, { feeLimit: 25_000_000_000n });
      await assert.rejects(buildTransaction(dear, order), isSdkError('feeTooHigh'));
    }
  });

  test('numbers that no node says are refused', async (t) => {
    for (const lies of [{ feeLimit: -1n }, { gasPrice: -1n }, { nonce: -1n }, { nonce: 2n ** 63n - 1n }])
      await assertRefused(t, lies, isSdkError('unexpectedReply'));
  });
});

describe('the chain that is meant', () => {
  test('a node of another chain is refused with words, and nothing is signed', (t) =>
    assertRefused(t, { chainId: 9n }, isSdkError('notAsOrdered', /chain 9.*chain 0/), { chainId: 0n }));

  test('is chain 0 where nobody says: no node chooses it', (t) =>
    assertRefused(t, { chainId: 9n }, isSdkError('notAsOrdered', /chain 9.*chain 0.*chainId/)));

  test('is in what is signed', async (t) => {
    const { client, genesis } = await openTestChain(t);
    const operations = [pay(genesis.address, 1n)];
    const order = { source: genesis.address, operations, nonce: 1n, feeLimit: 1n, gasPrice: 1n };
    assert.equal((await buildTransaction(client, { ...order, chainId: 7n })).chainId, 7n);
  });
});
