import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { codes } from '@symbolon/core/ledger/terms/codes';
import type { JsonValue } from '@symbolon/wire/json/json';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { LedgerError, SdkError } from '../errors/errors.ts';
import { openTestChain, serveTestChain } from '../testing/test-chain.test.ts';
import type { Transport } from '../transport/transport.ts';
import { createLedgerClient, createRawLedgerClient } from './ledger-client.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: JsonValue | undefined;
}

/** A transport that gives one answer and remembers what it was asked. */
function answering(answer: JsonValue): { transport: Transport; asked: Asked[] } {
  const asked: Asked[] = [];
  const transport: Transport = async (method, path, body) => {
    asked.push({ method, path, body });
    return answer;
  };
  return { transport, asked };
}

const isRefusal = (code: number) => (error: unknown) => {
  assert.ok(error instanceof LedgerError, String(error));
  assert.equal(error.code, code);
  return true;
};

const isSdkError = (code: string) => (error: unknown) => {
  assert.ok(error instanceof SdkError, String(error));
  assert.equal(error.code, code);
  return true;
};

describe('the ledger client', () => {
  test('has a function for every route and nothing else', () => {
    const { transport } = answering({});
    for (const client of [createLedgerClient(transport), createRawLedgerClient(transport)])
      assert.deepEqual(Object.keys(client), Object.keys(ledgerRoutes));
  });

  test('asks with GET and parameters, or with POST and the body', async () => {
    const { transport, asked } = answering({ error_code: 0, error_desc: '' });
    const raw = createRawLedgerClient(transport);
    await raw.hello();
    await raw.getLedger();
    await raw.getLedger({ seq: 2n ** 60n, with_fee: true, with_validator: undefined });
    await raw.getAccountMetaData({ address: 'a/b', key: 'x&y=ü +%' });
    await raw.callContract({ contract_address: 'a', fee_limit: 5n });
    assert.deepEqual(asked, [
      { method: 'GET', path: '/hello', body: undefined },
      { method: 'GET', path: '/getLedger', body: undefined },
      { method: 'GET', path: '/getLedger?seq=1152921504606846976&with_fee=true', body: undefined },
      {
        method: 'GET',
        path: '/getAccountMetaData?address=a%2Fb&key=x%26y%3D%C3%BC%20%2B%25',
        body: undefined,
      },
      { method: 'POST', path: '/callContract', body: { contract_address: 'a', fee_limit: 5n } },
    ]);
  });

  test('reads what a real node says, by call and over HTTP, on every route that reads', async (t) => {
    const chain = await openTestChain(t);
    const { address, publicKey } = chain.genesis;
    const http = createLedgerClient(await serveTestChain(t, chain));
    for (const client of [chain.client, http]) {
      const { result: account } = await client.getAccount({ address });
      assert.equal(account?.balance, 100_000_000_000_000_000n);
      assert.deepEqual([account?.assets, account?.metadatas], [null, null]);
      assert.equal((await client.getGenesisAccount()).result?.address, address);
      assert.equal((await client.getAccountBase({ address })).result?.priv?.master_weight, 1);
      assert.equal((await client.getAccountAssets({ address })).result, null);
      assert.equal((await client.getAccountMetaData({ address })).result, null);
      assert.equal((await client.getAddress({ public_key: publicKey })).result?.address, address);
      assert.match((await client.createKeyPair()).result?.private_key ?? '', /^priv/);
      assert.equal((await client.getStateProof({ address })).result?.state_key, `account/${address}`);
      assert.equal((await client.getLedger({ with_fee: true })).result?.fees?.gas_price, 1);
      assert.equal((await client.getLedgerValidators()).result?.validators.length, 1);
      await assert.rejects(client.getLightBlock({ seq: 1n }), { code: 4 });
      assert.deepEqual((await client.getContractTx()).result?.transactions, []);
      assert.equal((await client.hello()).ledger_version, '1003');
      assert.equal((await client.getStatus()).result?.account_count, 1);
      assert.equal((await client.getModulesStatus()).ledger_manager.ledger_sequence, 1);
      assert.equal((await client.getConsensusInfo()).is_leader, true);
      assert.equal((await client.getPeerAddresses()).result, undefined);
      const { results } = await client.multiQuery({ items: [{ url: '/hello' }, { url: '/nothing' }] });
      assert.deepEqual(
        (results as { error_code: number }[]).map((it) => it.error_code),
        [0, 4],
      );
      const transfer = {
        source_address: address,
        nonce: 1,
        fee_limit: 1,
        gas_price: 1,
        operations: [{ type: 7, pay_coin: { dest_address: address, amount: 5 } }],
      };
      const { result: encoded } = await client.getTransactionBlob({ transfer });
      const { transaction } = await client.getTransactionFromBlob({ blob: encoded?.transaction_blob });
      assert.equal(transaction.operations?.[0]?.pay_coin?.amount, 5);
    }
  });

  test('throws what a real node refuses, with code, name, words and the whole reply', async (t) => {
    const { client, genesis } = await openTestChain(t);
    await assert.rejects(client.getAccount({ address: 'nobody' }), (error) => {
      assert.ok(error instanceof LedgerError);
      assert.equal(error.name, 'ERRCODE_NOT_EXIST');
      assert.equal(error.description, 'account not exist');
      assert.deepEqual(error.reply, { error_code: 4, error_desc: 'account not exist', result: null });
      return isRefusal(codes.notFound)(error);
    });
    await assert.rejects(client.getAccount(), isRefusal(codes.notFound));
    await assert.rejects(client.getLedger({ seq: 10n ** 18n }), isRefusal(codes.notFound));
    await assert.rejects(client.getLedger({ seq: 'last' }), isRefusal(codes.invalidParameter));
    await assert.rejects(client.getStateProof(), isRefusal(codes.invalidParameter));
    const hash = '00'.repeat(32);
    await assert.rejects(client.getTransactionHistory({ hash }), isRefusal(codes.notFound));
    await assert.rejects(client.getTransactionCache({ hash }), isRefusal(codes.notFound));
    await assert.rejects(client.getTransactionHistory({ hash: '00' }), isRefusal(codes.invalidParameter));
    await assert.rejects(client.getTransactionCache({ hash: 'zz' }), isRefusal(codes.invalidParameter));
    await assert.rejects(client.getTransactionFromBlob({ blob: 'ff' }), isRefusal(codes.invalidParameter));
    await assert.rejects(client.getAddress({ private_key: 'x' }), LedgerError);
    await assert.rejects(client.createKeyPair({ sign_type: 'sm2' }), isRefusal(codes.invalidParameter));
    await assert.rejects(client.callContract({ contract_address: genesis.address }), LedgerError);
    await assert.rejects(client.submitTransaction({ items: [] }), isRefusal(codes.invalidParameter));
    const nothing = { source_address: genesis.address, nonce: 1 };
    await assert.rejects(client.testTransaction(nothing), isRefusal(codes.noOperations));
    await assert.rejects(client.multiQuery({ items: Array(101).fill({ url: '/hello' }) }), LedgerError);
  });

  test('hands refusals out as they are when asked for the raw reply', async (t) => {
    const { transport } = await openTestChain(t);
    const raw = createRawLedgerClient(transport);
    assert.equal((await raw.getAccount({ address: 'nobody' })).error_code, codes.notFound);
    assert.deepEqual((await raw.submitTransaction({ items: [] })).results, [
      { error_code: 2, error_desc: 'items: nothing to submit' },
    ]);
  });

  test('names a code without words, or without a row in the table', async () => {
    const say = (reply: JsonValue) => createLedgerClient(answering(reply).transport).hello();
    await assert.rejects(say({ error_code: 5 }), (error) => {
      assert.ok(error instanceof LedgerError);
      assert.deepEqual([error.name, error.code], ['ERRCODE_TX_TIMEOUT', 5]);
      return error.description.length > 0;
    });
    await assert.rejects(say({ error_code: 777, error_desc: 7 }), (error) => {
      assert.ok(error instanceof LedgerError);
      return error.name === 'LedgerError' && error.message.includes('777');
    });
  });

  test('does not take for a reply what is none', async () => {
    const replies: JsonValue[] = [
      null,
      7,
      'text',
      [],
      {},
      { error_code: 0 },
      { error_code: '4', error_desc: '' },
    ];
    replies.push(
      { error_code: 0, error_desc: '', result: { address: 7 } },
      { error_code: 0, error_desc: '', result: { address: 'a', nonce: '1' } },
      { error_code: 0, error_desc: '', result: { address: 'a', nonce: 1.5 } },
      { error_code: 0, error_desc: '', result: [] },
    );
    for (const reply of replies) {
      const client = createLedgerClient(answering(reply).transport);
      await assert.rejects(client.getAccountBase({ address: 'a' }), isSdkError('unexpectedReply'));
    }
  });

  test('passes a reply on exactly as it came, what its schema does not know included', async () => {
    const reply = {
      error_code: 0,
      error_desc: '',
      result: JSON.parse('{"__proto__":{"key":"k"},"constructor":{}}'),
    };
    const client = createLedgerClient(answering(reply).transport);
    assert.equal(await client.getAccountMetaData({ address: 'a' }), reply);
  });

  test('refuses a parameter that is not text, before asking', async () => {
    const { transport, asked } = answering({});
    const client = createLedgerClient(transport);
    await assert.rejects(client.getAccountMetaData({ key: '\ud800' }), isSdkError('invalidArgument'));
    assert.deepEqual(asked, []);
  });

  test('hands on what its transport says', async () => {
    const failure = new SdkError('unreachable', 'no connection', { hint: 'none' });
    const client = createLedgerClient(() => Promise.reject(failure));
    await assert.rejects(client.hello(), failure);
  });

  test('is typed by the route table', () => {
    const { transport } = answering({});
    const client = createLedgerClient(transport);
    const wrongly = () => [
      // @ts-expect-error: the route has no such parameter
      client.getAccount({ adress: 'a' }),
      // @ts-expect-error: the route takes no parameters
      client.hello({ seq: 1 }),
      // @ts-expect-error: the route needs a body
      client.submitTransaction(),
      // @ts-expect-error: an item carries its blob as hex text
      client.submitTransaction({ items: [{ transaction_blob: 7 }] }),
      // @ts-expect-error: a nonce may be absent
      client.getAccountBase({ address: 'a' }).then(({ result }): number | bigint => result.nonce),
    ];
    assert.equal(typeof wrongly, 'function');
  });
});
