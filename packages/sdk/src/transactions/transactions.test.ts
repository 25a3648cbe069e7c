import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { encodeHex, encodeUtf8, parseHex } from '@symbolon/core/basics/bytes';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { int64Max } from '@symbolon/core/limits/consensus';
import { TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import type { JsonValue } from '@symbolon/wire/json/json';
import { LedgerError, SdkError } from '../errors/errors.ts';
import { signerFromSeed } from '../keys/signer.ts';
import { createLedgerClient } from '../ledger/ledger-client.ts';
import { TransactionFailed } from '../ledger/receipts.ts';
import { openTestChain, serveTestChain } from '../testing/test-chain.test.ts';
import type { Transport } from '../transport/transport.ts';
import {
  buildTransaction,
  type OperationOrder,
  sendTransaction,
  settleTransaction,
  signTransaction,
  submitTransaction,
} from './transactions.ts';

const quickly = { pollIntervalMs: 2 };
const pay = (destAddress: string, amount: bigint): OperationOrder => ({ payCoin: { destAddress, amount } });

const isRefusal = (code: number) => (error: unknown) => {
  assert.ok(error instanceof LedgerError, String(error));
  assert.equal(error.code, code, error.message);
  return true;
};

const isSdkError = (code: string) => (error: unknown) => {
  assert.ok(error instanceof SdkError, String(error));
  assert.equal(error.code, code, error.message);
  return true;
};

/** Answers some routes by itself and leaves the rest to a node. */
const withAnswers =
  (node: Transport, answers: Readonly<Record<string, () => JsonValue | Promise<JsonValue>>>): Transport =>
  async (method, path, body) => {
    const answer = answers[/^\/(\w+)/.exec(path)?.[1] ?? ''];
    return answer ? answer() : node(method, path, body);
  };

describe('building a transaction', () => {
  test('asks for nonce and fee, and what comes out is accepted', async (t) => {
    const { client, genesis, fund } = await openTestChain(t);
    const alice = await fund();
    const operations = [pay(genesis.address, 5n)];
    const built = await buildTransaction(client, { source: alice.address, operations });
    assert.equal(built.nonce, 1n);
    assert.equal(built.gasPrice, 1n);
    assert.ok(built.feeLimit > 200n && built.feeLimit < 1_000n, String(built.feeLimit));
    assert.equal(built.operations[0]?.type, 7);
    assert.match(await submitTransaction(client, await signTransaction(built, [alice])), /^[0-9a-f]{64}$/);
  });

  test('asks for nothing that it is given', async () => {
    const client = createLedgerClient(() => assert.fail('nothing is asked'));
    const order = { source: 'a', operations: [], nonce: 4n, feeLimit: 5n, gasPrice: 6n };
    const built = await buildTransaction(client, {
      ...order,
      metadata: encodeUtf8('note'),
      ceilLedgerSeq: undefined,
    });
    const { nonce, feeLimit, gasPrice, ceilLedgerSeq, metadata } = built;
    assert.deepEqual([nonce, feeLimit, gasPrice, ceilLedgerSeq], [4n, 5n, 6n, 0n]);
    assert.deepEqual(metadata, encodeUtf8('note'));
  });

  test('evaluates with the price that is given, and keeps a fee limit that is given', async (t) => {
    const { client, genesis, fund } = await openTestChain(t);
    const operations = [pay((await fund()).address, 5n)];
    const order = { source: genesis.address, operations };
    const plain = await buildTransaction(client, order);
    const dear = await buildTransaction(client, { ...order, gasPrice: 1_000n });
    assert.ok(dear.feeLimit >= plain.feeLimit * 1_000n);
    assert.equal(dear.gasPrice, 1_000n);
    const limited = await buildTransaction(client, { ...order, feeLimit: 9n });
    assert.deepEqual([limited.feeLimit, limited.gasPrice], [9n, 1n]);
  });

  test('refuses an evaluated fee above what the caller allows', async (t) => {
    const { client, genesis, fund } = await openTestChain(t);
    const order = { source: genesis.address, operations: [pay((await fund()).address, 5n)] };
    await assert.rejects(buildTransaction(client, { ...order, feeLimitMax: 10n }), isSdkError('feeTooHigh'));
    const built = await buildTransaction(client, { ...order, feeLimitMax: 10_000n });
    assert.ok(built.feeLimit <= 10_000n);
  });

  test('passes on what the node has against it', async (t) => {
    const { client, genesis, fund } = await openTestChain(t);
    const alice = await fund();
    const stranger = (await signerFromSeed(new Uint8Array(32))).address;
    const build = (source: string, operations: OperationOrder[]) =>
      buildTransaction(client, { source, operations });
    await assert.rejects(build(stranger, [pay(alice.address, 1n)]), isRefusal(codes.notFound));
    await assert.rejects(build(genesis.address, []), isRefusal(codes.noOperations));
    await assert.rejects(build(genesis.address, [pay('nobody', 1n)]), LedgerError);
    await assert.rejects(build(genesis.address, [pay(alice.address, -1n)]), LedgerError);
    const many = Array(101).fill(pay(alice.address, 1n));
    await assert.rejects(build(genesis.address, many), isRefusal(codes.tooManyOperations));
  });

  const unusable: Record<string, OperationOrder> = {
    'no body': {},
    'two bodies': { payCoin: { amount: 1n }, log: { topic: 'x' } },
    'an amount beyond 64 bits': { payCoin: { amount: int64Max + 1n } },
    'a text that is not UTF-8': { payCoin: { destAddress: '\ud800' } },
    'an amount that is no integer': { payCoin: { amount: 1.5 as unknown as bigint } },
  };
  for (const [name, operation] of Object.entries(unusable))
    test(`refuses an operation with ${name}`, async () => {
      const client = createLedgerClient(() => assert.fail('nothing is asked'));
      const order = { source: 'a', operations: [operation], nonce: 1n, feeLimit: 1n, gasPrice: 1n };
      const build = async () =>
        signTransaction(await buildTransaction(client, order), [await signerFromSeed(new Uint8Array(32))]);
      await assert.rejects(build, isSdkError('invalidArgument'));
    });

  test('does not trust a reply without what it must have', async (t) => {
    const { transport, genesis } = await openTestChain(t);
    const order = { source: genesis.address, operations: [pay(genesis.address, 1n)] };
    const empty = { error_code: 0, error_desc: '', result: null };
    for (const name of ['getAccountBase', 'testTransaction']) {
      const client = createLedgerClient(withAnswers(transport, { [name]: () => empty }));
      await assert.rejects(buildTransaction(client, order), isSdkError('unexpectedReply'));
    }
  });
});

describe('signing a transaction', () => {
  const vectorsUrl = new URL('../../../core/vectors/ledger/transactions.json', import.meta.url);
  const { vectors } = JSON.parse(readFileSync(vectorsUrl, 'utf8'));
  const seed = new Uint8Array(32);
  seed[31] = 1;

  test('gives the bytes, hash and signature of the public packages', async () => {
    const [vector] = vectors;
    const { source_address, operations } = vector.transaction_json;
    const client = createLedgerClient(() => assert.fail('nothing is asked'));
    const built = await buildTransaction(client, {
      source: source_address,
      nonce: 1n,
      feeLimit: 1_000_000n,
      gasPrice: 1_000n,
      operations: [pay(operations[0].pay_coin.dest_address, 10_000_000n)],
    });
    const signed = await signTransaction(built, [await signerFromSeed(seed)]);
    assert.equal(encodeHex(signed.blob), vector.transaction_blob);
    assert.equal(encodeHex(signed.hash), vector.hash);
    assert.equal(encodeHex(signed.signatures[0]?.signData as Uint8Array), vector.signatures[0].sign_data);
    assert.equal(signed.envelopeBytes, vector.tx_size);
  });

  test('needs a signer', async () => {
    await assert.rejects(signTransaction(create(TransactionSchema), []), isSdkError('invalidArgument'));
  });

  test('hands on what a signer says', async () => {
    const refusal = new Error('the user said no');
    const signer = { ...(await signerFromSeed(seed)), sign: () => Promise.reject(refusal) };
    await assert.rejects(signTransaction(create(TransactionSchema), [signer]), refusal);
  });
});

describe('submitting a transaction', () => {
  test('is refused for a foreign signature, a used nonce, a repetition and a low fee', async (t) => {
    const { client, genesis, fund } = await openTestChain(t, { blockIntervalMs: 50 });
    const [alice, bob] = [await fund(), await fund()];
    const order = { source: alice.address, operations: [pay(genesis.address, 5n)] };
    const built = await buildTransaction(client, order);
    const submit = async (...args: Parameters<typeof signTransaction>) =>
      submitTransaction(client, await signTransaction(...args));
    await assert.rejects(submit(built, [bob]), isRefusal(codes.weightTooLow));
    await assert.rejects(submit({ ...built, nonce: 0n }, [alice]), isRefusal(codes.badNonce));
    await assert.rejects(submit({ ...built, feeLimit: 1n }, [alice]), isRefusal(codes.feeTooLow));
    await assert.rejects(submit({ ...built, chainId: 9n }, [alice]), isRefusal(codes.invalidParameter));
    await submit(built, [alice]);
    await assert.rejects(submit(built, [alice]), isRefusal(codes.alreadyExists));
  });

  test('that waits already is waited for by whoever settles it', async (t) => {
    const { transport, client, genesis, fund } = await openTestChain(t);
    const alice = await fund();
    const order = { source: alice.address, operations: [pay(genesis.address, 5n)] };
    const signed = await signTransaction(await buildTransaction(client, order), [alice]);
    await submitTransaction(client, signed);
    const refusal = { error_code: 3, error_desc: 'the transaction is in the queue already', result: null };
    const again = createLedgerClient(withAnswers(transport, { submitTransaction: () => refusal }));
    assert.equal((await settleTransaction(again, signed)).hash, encodeHex(signed.hash));
  });

  test('with changed bytes is refused, because the signature is over others', async (t) => {
    const { client, genesis, fund } = await openTestChain(t);
    const alice = await fund();
    const order = { source: alice.address, operations: [pay(genesis.address, 5n)] };
    const signed = await signTransaction(await buildTransaction(client, order), [alice]);
    const other = await signTransaction({ ...signed.transaction, nonce: 2n }, [alice]);
    const forged = { ...other, signatures: signed.signatures };
    await assert.rejects(submitTransaction(client, forged), isRefusal(codes.weightTooLow));
  });

  test('says that the outcome is unknown when the connection breaks, and names the hash', async (t) => {
    const { transport, client, genesis, fund } = await openTestChain(t);
    const alice = await fund();
    const order = { source: alice.address, operations: [pay(genesis.address, 5n)] };
    const signed = await signTransaction(await buildTransaction(client, order), [alice]);
    const breaks = new SdkError('unreachable', 'no connection', { hint: 'none' });
    const answers = [
      () => Promise.reject(breaks),
      () => 'not an object',
      () => ({ error_code: 0, error_desc: '', result: { hash: '00' }, results: [], success_count: 1 }),
    ];
    for (const submitTransactionAnswer of answers) {
      const broken = createLedgerClient(
        withAnswers(transport, { submitTransaction: submitTransactionAnswer }),
      );
      await assert.rejects(submitTransaction(broken, signed), (error) => {
        assert.ok(error instanceof SdkError);
        assert.equal(error.transactionHash, encodeHex(signed.hash));
        return isSdkError('outcomeUnknown')(error);
      });
    }
  });
});

describe('sending a transaction', () => {
  test('does all of it, by call and over HTTP', async (t) => {
    const chain = await openTestChain(t);
    const alice = await chain.fund();
    const clients = [chain.client, createLedgerClient(await serveTestChain(t, chain))];
    for (const [index, client] of clients.entries()) {
      const operations = [pay(chain.genesis.address, 7n)];
      const receipt = await sendTransaction(client, { signers: [alice], operations }, quickly);
      assert.equal(receipt.code, 0);
      assert.ok(receipt.actualFee > 0n && receipt.ledgerSeq > 1n && receipt.closeTimeMicros > 0n);
      assert.equal(receipt.record.transaction.nonce, index + 1);
      assert.equal(chain.node.account(alice.address)?.nonce, BigInt(index + 1));
    }
  });

  test('carries every kind of operation, their types filled in', async (t) => {
    const { client, genesis, fund, node } = await openTestChain(t);
    const [alice, bob] = [await fund(), await fund()];
    const key = { issuer: alice.address, code: 'GOLD' };
    const operations: OperationOrder[] = [
      { issueAsset: { code: 'GOLD', amount: int64Max } },
      { payAsset: { destAddress: bob.address, asset: { key, amount: 5n } } },
      { setMetadata: { key: 'k', value: 'ü' } },
      { log: { topic: 't', datas: ['d'] } },
      { setPrivilege: { masterWeight: '2' } },
      { ...pay(genesis.address, 1n), type: 7, metadata: encodeUtf8('note') },
    ];
    const { record } = await sendTransaction(client, { signers: [alice], operations }, quickly);
    assert.deepEqual(
      record.transaction.operations?.map(({ type }) => type),
      [2, 3, 4, 8, 9, 7],
    );
    assert.equal(node.account(alice.address)?.priv?.masterWeight, 2n);
    const { result } = await client.getAccountAssets({
      address: alice.address,
      code: 'GOLD',
      issuer: alice.address,
    });
    assert.equal((result as { asset: { amount: bigint } }).asset.amount, int64Max - 5n);
  });

  test('works with several signers on another account', async (t) => {
    const { client, genesis, fund } = await openTestChain(t);
    const [alice, bob] = [await fund(), await fund()];
    const signers = [{ address: bob.address, weight: 1n }];
    const setPrivilege = { masterWeight: '1', signers, txThreshold: '2' };
    await sendTransaction(client, { signers: [alice], operations: [{ setPrivilege }] }, quickly);
    const order = { source: alice.address, operations: [pay(genesis.address, 1n)] };
    await assert.rejects(
      sendTransaction(client, { ...order, signers: [bob] }, quickly),
      isRefusal(codes.weightTooLow),
    );
    const receipt = await sendTransaction(client, { ...order, signers: [bob, alice] }, quickly);
    assert.equal(receipt.record.signatures?.length, 2);
  });

  test('throws a transaction that was executed in vain, with its receipt', async (t) => {
    const { client, genesis, fund, node } = await openTestChain(t);
    const alice = await fund(1_000_000n);
    const order = { signers: [alice] as const, operations: [pay(genesis.address, 999_999n)] };
    await assert.rejects(sendTransaction(client, order, quickly), (error) => {
      assert.ok(error instanceof TransactionFailed && error instanceof LedgerError);
      assert.equal(error.name, 'ERRCODE_ACCOUNT_LOW_RESERVE');
      assert.equal(error.receipt.code, error.code);
      assert.equal(error.reply.hash, error.receipt.hash);
      assert.equal(node.account(alice.address)?.balance, 1_000_000n - error.receipt.actualFee);
      return isRefusal(codes.lowBalance)(error);
    });
  });

  test('one after the other counts the nonce up', async (t) => {
    const { client, genesis, fund } = await openTestChain(t);
    const alice = await fund();
    const operations = [pay(genesis.address, 1n)];
    for (let nonce = 1; nonce <= 5; nonce++) {
      const { record } = await sendTransaction(client, { signers: [alice], operations }, quickly);
      assert.equal(record.transaction.nonce, nonce);
    }
  });

  test('keeps big amounts exact both ways', async (t) => {
    const { client, genesis, fund, node } = await openTestChain(t);
    const alice = await fund();
    const amount = 2n ** 53n + 1n;
    const operations = [pay(alice.address, amount)];
    const { record } = await sendTransaction(client, { signers: [genesis], operations }, quickly);
    assert.equal(record.transaction.operations?.[0]?.pay_coin?.amount, amount);
    assert.equal(node.account(alice.address)?.balance, 100_000_000n + amount);
    assert.equal(parseHex(record.hash)?.length, 32);
  });
});
