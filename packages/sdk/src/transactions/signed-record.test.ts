import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SdkError } from '../errors/errors.ts';
import type { LedgerClient, LedgerReply } from '../ledger/ledger-client.ts';
import { TransactionFailed } from '../ledger/receipts.ts';
import { openTestChain } from '../testing/test-chain.test.ts';
import { publishKey } from './did-keys.ts';
import { createdContract } from './signed-record.ts';
import { buildTransaction, sendTransaction, settleTransaction, signTransaction } from './transactions.ts';

const quickly = { pollIntervalMs: 2 };
type Record = NonNullable<LedgerReply<'getTransactionHistory'>['result']>['transactions'][number];

/** A node that shows records of its own making under the hash that it is asked for. */
const showing = (client: LedgerClient, change: (record: Record) => void): LedgerClient => ({
  ...client,
  getTransactionHistory: async (...given) => {
    const reply = await client.getTransactionHistory(...given);
    const [record] = reply.result?.transactions ?? [];
    if (record) change(record);
    return reply;
  },
});

const lies: Readonly<{ [what: string]: (record: Record) => void }> = {
  'another payee': ({ transaction }) => {
    const payment = transaction.operations?.[0]?.pay_coin;
    if (payment) payment.dest_address = 'ZTX3SaMw164VpkvH5EGvbJ5Kit9jFWd6GjLjy';
  },
  'another amount': ({ transaction }) => {
    const payment = transaction.operations?.[0]?.pay_coin;
    if (payment) payment.amount = 2n ** 60n;
  },
  'one operation more': ({ transaction }) => {
    transaction.operations?.push({ type: 8, log: { topic: 'more' } });
  },
  'another nonce': ({ transaction }) => {
    transaction.nonce = 77;
  },
  'no transaction at all': (record) => {
    record.transaction = {};
  },
  'a fee above the limit': (record) => {
    record.actual_fee = 25_000_000_000n;
  },
  'a fee below nothing': (record) => {
    record.actual_fee = -1;
  },
};

describe('what became of a transaction', () => {
  for (const [what, change] of Object.entries(lies))
    test(`${what} under its hash is not believed`, async (t) => {
      const { client, genesis, fund } = await openTestChain(t);
      const alice = await fund();
      const operations = [{ payCoin: { destAddress: genesis.address, amount: 5n } }];
      await assert.rejects(
        sendTransaction(showing(client, change), { signers: [alice], operations }, quickly),
        (error) => {
          assert.ok(error instanceof SdkError, String(error));
          assert.equal(error.code, 'notAsOrdered', error.message);
          assert.match(error.transactionHash ?? '', /^[0-9a-f]{64}$/);
          assert.match(error.hint, /another node/);
          return true;
        },
      );
    });

  test('a change of a DID document is looked at in the same way', async (t) => {
    const { client, fund } = await openTestChain(t);
    const signer = await fund();
    const key = {
      type: 'X25519KeyAgreementKey2020' as const,
      publicKeyMultibase: 'z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc',
    };
    const lying = showing(client, ({ transaction }) => {
      transaction.nonce = 77;
    });
    await assert.rejects(publishKey(lying, { signer, ...key }, quickly), { code: 'notAsOrdered' });
  });

  test('notes, conditions, ends and several operations come back as they were signed', async (t) => {
    const { client, genesis, fund } = await openTestChain(t);
    const [alice, bob] = [await fund(), await fund()];
    const operations = [
      {
        payCoin: { destAddress: bob.address, amount: 2n ** 53n + 1n, input: '' },
        metadata: Uint8Array.of(0, 255),
      },
      { setMetadata: { key: 'k', value: 'ü', deleteFlag: false } },
      { setPrivilege: { masterWeight: '2', signers: [{ address: bob.address, weight: 0n }] } },
    ];
    await sendTransaction(client, { signers: [genesis], operations: [operations[0]!] }, quickly);
    const terms = { metadata: Uint8Array.of(7), exprCondition: '1 < 2', ceilLedgerSeq: 9_999n };
    const order = { source: alice.address, operations: operations.slice(1), ...terms };
    const signed = await signTransaction(await buildTransaction(client, order), [alice]);
    assert.equal((await settleTransaction(client, signed, quickly)).code, 0);
    const poor = {
      signers: [bob] as const,
      operations: [{ payCoin: { destAddress: alice.address, amount: 2n ** 62n } }],
    };
    await assert.rejects(
      sendTransaction(client, { ...poor, feeLimit: 1_000n, gasPrice: 1n }, quickly),
      TransactionFailed,
    );
  });

  test('the address of a new contract follows from what was signed', async (t) => {
    const { client, genesis } = await openTestChain(t);
    const payload = '"use strict";function init(){return;}function main(){return;}function query(){return;}';
    const createAccount = { contract: { payload }, priv: { thresholds: { txThreshold: 1n } } };
    const order = { source: genesis.address, operations: [{ log: { topic: 'x' } }, { createAccount }] };
    const signed = await signTransaction(await buildTransaction(client, order), [genesis]);
    const { description } = await settleTransaction(client, signed, quickly);
    const [{ contract_address: said }] = JSON.parse(description);
    assert.equal(createdContract(signed.transaction, 1), said);
    assert.throws(() => createdContract(signed.transaction, 0), { code: 'invalidArgument' });
  });
});
