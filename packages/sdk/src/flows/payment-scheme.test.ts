import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { decodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { paymentLimits } from '@symbolon/core/limits/payments';
import { judgePayment } from '@symbolon/core/payments/payment-rules';
import { verifyLedgerSignature } from '@symbolon/ledger-node/signatures/ed25519';
import { SdkError } from '../errors/errors.ts';
import type { LedgerClient } from '../ledger/ledger-client.ts';
import { openTestChain } from '../testing/test-chain.test.ts';
import { createExactScheme, type PaymentDemand, signPayment } from './payment-scheme.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const keys = createKeyFormat(zetrixProfile, sha256);

test('a payer or a demand that lacks a member is refused by its name', async (t) => {
  const { client, genesis: signer } = await openTestChain(t);
  const demand = {
    scheme: 'exact',
    network: 'zetrix:testnet',
    payTo: signer.address,
    asset: 'ZTX',
    amount: '5',
  };
  const payer = { client, signer, amountsMax: { ZTX: 5n } };
  const refused = (given: object, options: object, name: string) =>
    assert.rejects(signPayment(given as never, options as never), (error) => {
      assert.ok(error instanceof SdkError && error.code === 'invalidArgument', String(error));
      assert.match(error.message, new RegExp(`${name} is missing`));
      return true;
    });
  for (const name of Object.keys(payer)) await refused(demand, { ...payer, [name]: undefined }, name);
  for (const name of ['scheme', 'network', 'payTo', 'asset'])
    await refused({ ...demand, [name]: undefined }, payer, name);
});

describe('the scheme exact', () => {
  test('signs what is asked for and nothing else', async (t) => {
    const { client, genesis, fund } = await openTestChain(t);
    const payer = await fund();
    const scheme = createExactScheme({ client, signer: payer, amountsMax: { ZTX: 5n } });
    const demand: PaymentDemand = {
      scheme: 'exact',
      network: 'zetrix:testnet',
      payTo: genesis.address,
      asset: 'ZTX',
      amount: '5',
    };
    const { x402Version, payload } = await scheme.createPaymentPayload(2, demand);
    assert.equal(x402Version, 2);
    const [{ sign_data, public_key }] = payload.signatures as [(typeof payload.signatures)[number]];
    const judged = judgePayment(
      {
        ...demand,
        blob: Buffer.from(payload.transactionBlob, 'hex'),
        signatures: [{ publicKey: public_key, signature: Buffer.from(sign_data, 'hex') }],
        validBefore: payload.validBefore,
      },
      { ...demand, amount: 5n, payer: payer.address },
      {
        keys,
        sha256,
        verify: (publicKey, message, signature) => verifyLedgerSignature(publicKey, signature, message),
        chainId: 0n,
        gasPrice: 1n,
        nowSeconds: Math.floor(Date.now() / 1_000),
      },
    );
    assert.ok('paid' in judged);
    const refused: readonly Partial<PaymentDemand>[] = [
      { amount: '6' },
      { amount: '0' },
      { amount: '1.5' },
      { asset: genesis.address },
      { asset: 'constructor' },
      { network: 'zetrix:mainnet' },
      { scheme: 'upto' },
    ];
    for (const changes of refused)
      await assert.rejects(
        scheme.createPaymentPayload(2, { ...demand, ...changes }),
        (error) => error instanceof SdkError && error.code === 'invalidArgument',
        JSON.stringify(changes),
      );
  });

  test('pays no fee beyond what the payer or anybody who is paid would take, whatever the node says', async (t) => {
    const { client, genesis, fund } = await openTestChain(t);
    const signer = await fund();
    let feeLimit = 1_000n;
    const lying: LedgerClient = {
      ...client,
      testTransaction: async (...args) => {
        const reply = await client.testTransaction(...args);
        const [first] = reply.result?.txs ?? [];
        if (first) first.transaction_env.transaction.fee_limit = feeLimit;
        return reply;
      },
    };
    const demand = {
      scheme: 'exact',
      network: 'zetrix:testnet',
      payTo: genesis.address,
      asset: 'ZTX',
      amount: '5',
    };
    const limitOf = async (feeLimitMax?: bigint) => {
      const payer = { client: lying, signer, amountsMax: { ZTX: 5n } };
      const { transactionBlob } = await signPayment(demand, {
        ...payer,
        ...(feeLimitMax && { feeLimitMax }),
      });
      return decodeTransaction(Buffer.from(transactionBlob, 'hex'))?.feeLimit;
    };
    assert.equal(await limitOf(), 1_101n);
    assert.equal(await limitOf(1_050n), 1_050n);
    const refused = (error: unknown) => error instanceof SdkError && error.code === 'feeTooHigh';
    await assert.rejects(limitOf(999n), refused);
    feeLimit = paymentLimits.feeLimitMax + 1n;
    await assert.rejects(limitOf(), refused);
  });
});
