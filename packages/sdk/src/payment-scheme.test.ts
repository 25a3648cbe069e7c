import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { createKeyFormat } from '@symbolon/core/keys';
import { judgePayment } from '@symbolon/core/payments/payment-rules';
import { zetrixProfile } from '@symbolon/core/profile';
import { verifyEd25519 } from '@symbolon/ledger-node/signatures/ed25519';
import { SdkError } from './errors.ts';
import { createExactScheme, type PaymentDemand } from './payment-scheme.ts';
import { openTestChain } from './testing/test-chain.test.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const keys = createKeyFormat(zetrixProfile, sha256);

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
        verify: (publicKey, message, signature) => verifyEd25519(publicKey, signature, message),
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
});
