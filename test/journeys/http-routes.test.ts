/**
 * Every route of the table over HTTP, in every way it can be called: both paths, both methods, with a content type,
 * without one and with a wrong one. The reply must be the same each time and have the documented shape.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { LedgerRoute } from '@symbolon/wire/http/ledger-route';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { at, json, post, raw, send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person, richest } from '../support/people.ts';
import { operations, type RunningNode, startNode } from '../support/running-node.ts';

const owner = ownerOfSuite();
const bob = person('bob');
let node: RunningNode;
let executed: JsonObject;

before(async () => {
  node = await startNode(owner);
  executed = await node.execute({ operations: [operations.payCoin(bob.address, 10n ** 9n)] });
});

interface Sample {
  readonly query?: () => string;
  readonly body?: JsonObject;
  readonly code?: number;
  /** The reply differs from call to call: time, or a new key. */
  readonly isVolatile?: boolean;
}

const nobody = `address=${person('nobody').address}`;
const unsigned = { source_address: richest.address, nonce: 9, operations: [operations.log('t', 'd')] };

/** One call of each route; a route without a sample does not compile. */
const samples: Record<keyof typeof ledgerRoutes, Sample> = {
  getGenesisAccount: {},
  createKeyPair: { isVolatile: true },
  getAccount: { query: () => `address=${richest.address}` },
  getAccountBase: { query: () => nobody, code: 4 },
  getAccountAssets: { query: () => `address=${richest.address}` },
  getAccountMetaData: { query: () => `address=${richest.address}` },
  getAddress: { query: () => `public_key=${bob.publicKey}` },
  getStateProof: { query: () => nobody },
  getTransactionHistory: { query: () => `hash=${executed.hash}` },
  getTransactionCache: { query: () => 'limit=5', code: 4 },
  getTransactionBlob: { body: { transfer: { ...unsigned, fee_limit: 1, gas_price: 1 } } },
  getTransactionFromBlob: { query: () => 'blob=0a00', code: 0 },
  submitTransaction: { body: { transaction_blob: 'zz', sign_data: '00', public_key: 'b0' }, code: 2 },
  testTransaction: { body: unsigned },
  getContractTx: { query: () => 'start=0&limit=5' },
  getLedger: {
    query: () => 'seq=2&with_validator=true&with_consvalue=true&with_fee=true&with_block_reward=true',
  },
  getLedgerValidators: {},
  getLightBlock: { code: 4 },
  callContract: { body: { contract_address: bob.address, opt_type: 2 }, code: 4 },
  getExplorerOverview: { isVolatile: true },
  getTransactions: { query: () => 'limit=5&triggered=true' },
  getAccountTransactions: { query: () => `address=${richest.address}&limit=5` },
  getTransactionEffects: { query: () => `hash=${executed.hash}` },
  getAccounts: { query: () => 'contracts=false' },
  getLedgerFigures: { query: () => 'from_seq=1&to_seq=2' },
  searchLedger: { query: () => `q=${executed.hash}` },
  multiQuery: { body: { items: [{ url: 'getStatus', method: 'GET' }] } },
  hello: { isVolatile: true },
  getStatus: {},
  getModulesStatus: { isVolatile: true },
  getConsensusInfo: {},
  getPeerAddresses: {},
};

const contentTypes = [
  undefined,
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  ';;not a type',
];

describe('every route', () => {
  for (const [name, sample] of Object.entries(samples)) {
    const route: LedgerRoute = ledgerRoutes[name as keyof typeof ledgerRoutes];
    test(`${name} answers the same however it is called`, async () => {
      const search = sample.query ? `?${sample.query()}` : '';
      const body = sample.body && stringifyJson(sample.body);
      const spellings = [name, ...(route.aliases ?? [])];
      const paths = spellings.flatMap((it) => [`/${it}`, `/v1/${route.group}/${it}`, `/v1/whatever/${it}`]);
      const replies = new Set<string>();
      for (const path of paths) {
        for (const method of ['GET', 'POST']) {
          for (const type of contentTypes) {
            const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
            const answer = await send(`${node.url}${path}${search}`, { method, body, headers });
            assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
            assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
            replies.add(answer.text);
          }
        }
      }
      if (!sample.isVolatile) assert.equal(replies.size, 1, [...replies].join('\n'));
      for (const text of replies) {
        const reply = json({ status: 200, headers: {}, text });
        if ('error_code' in reply) assert.equal(reply.error_code, sample.code ?? 0);
        const shape = route.reply.safeParse(reply);
        assert.ok(shape.success, `${text} ${shape.error?.message}`);
      }
    });
  }

  test('that takes no parameters takes no body but an empty one', async () => {
    const plain = await send(`${node.url}/getStatus`);
    for (const body of ['', '{}', ' ']) {
      const answer = await send(`${node.url}/getStatus`, { method: 'POST', body });
      assert.deepEqual([answer.status, answer.text], [200, plain.text]);
    }
    for (const body of ['not json', 'null', '{"a":', '{"a":1}', '\xff', 'x'.repeat(60_000)]) {
      const answer = await send(`${node.url}/getStatus`, { method: 'POST', body });
      assert.deepEqual([answer.status, json(answer).error_code], [200, 2], body.slice(0, 20));
    }
  });

  test('that reads a body says so when it is none', async () => {
    const submitShape = {
      error_code: 2,
      error_desc: 'request must be in json format',
      result: null,
      results: [{ error_code: 2, error_desc: 'request must be in json format' }],
      success_count: 0,
    };
    const { result: _, ...withoutList } = { ...submitShape, results: null, success_count: undefined };
    const { success_count: __, ...multiShape } = withoutList;
    const bodies = [
      undefined,
      '',
      'not json',
      '[]',
      '"text"',
      '1',
      'null',
      '{"a":',
      Buffer.from([0xff, 0xfe]),
    ];
    for (const body of bodies) {
      for (const name of ['submitTransaction', 'testTransaction', 'callContract']) {
        const answer = await send(`${node.url}/${name}`, { method: 'POST', body });
        assert.deepEqual(json(answer), submitShape, name);
      }
      assert.deepEqual(json(await send(`${node.url}/multiQuery`, { method: 'POST', body })), multiShape);
      const blob = json(await send(`${node.url}/getTransactionBlob`, { method: 'POST', body }));
      assert.deepEqual([blob.error_code, blob.result], [2, null]);
    }
  });
});

describe('what is no route', () => {
  test('is answered with 404 and the envelope', async () => {
    const paths = [
      '/nothing',
      '/v1/account/nothing',
      '/v2/account/getAccount',
      '/v1/getAccount',
      '/getAccount/',
      '/%00',
    ];
    for (const path of paths) {
      const answer = await send(`${node.url}${path}`);
      assert.equal(answer.status, 404, path);
      const { request_id: id, ...envelope } = json(answer);
      assert.deepEqual(envelope, { error_code: 4, error_desc: 'no such route', result: null });
      assert.equal(id, answer.headers['x-request-id']);
    }
    for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD']) {
      assert.equal((await send(`${node.url}/getStatus`, { method })).status, 404, method);
    }
  });

  test("names of objects' own members are none", async () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      assert.equal((await send(`${node.url}/${name}`)).status, 404);
      const batch = await post(node.url, 'multiQuery', { items: [{ url: name }] });
      assert.equal(at(batch, 'results', 0, 'error_code'), 4);
    }
  });

  test('may be spelled with percent signs that mean nothing', async () => {
    for (const path of [
      '/%',
      '/%zz',
      '/getAccount%',
      '/%E0%A4%A',
      '/getStatus?%',
      '/getAccount?address=%zz&key=%E0%A4%A',
    ]) {
      const answer = await send(`${node.url}${path}`);
      assert.ok(answer.status < 500, `${path} ${answer.status}`);
      assert.equal(typeof json(answer).error_code, 'number');
    }
  });

  test('may not even be HTTP', async () => {
    const malformed = [
      'nonsense\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET /getStatus HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n',
      'GET /getStatus HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc',
      `GET /getStatus HTTP/1.1\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`,
    ];
    for (const bytes of malformed) {
      const text = await raw(node.url, bytes);
      assert.match(text, /^HTTP\/1\.1 4\d\d /);
      assert.match(text, /\{"error_code":2,/);
    }
  });
});

describe('parameters', () => {
  test('a blank one counts as absent, of one name there are no two, plus is a space', async () => {
    const ask = async (query: string) => json(await send(`${node.url}/getAccountBase?${query}`));
    for (const other of [bob.address, 'nobody', ''])
      assert.equal((await ask(`address=${other}&address=${richest.address}`)).error_code, 2, other);
    assert.equal((await ask(`address=${richest.address}&address=${richest.address}`)).error_code, 0);
    for (const none of ['', 'address', 'address=']) assert.equal((await ask(none)).error_code, 4);
    assert.equal((await ask(`address=${richest.address}+`)).error_code, 4);
    const encoded = [...richest.address].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    assert.equal((await ask(`address=${encoded}`)).error_code, 0);
    assert.equal((await ask(`&&=&address=${richest.address}&&`)).error_code, 0);
    for (const other of ['unknown=1', '__proto__=2'])
      assert.equal((await ask(`address=${richest.address}&${other}`)).error_code, 2, other);
  });
});

describe('keys made by the node', () => {
  test('belong together and can be asked for', async () => {
    const { result } = await node.ask('createKeyPair');
    const pair = result as Record<string, string>;
    const { result: byPrivate } = await node.ask('getAddress', { private_key: pair.private_key });
    const { result: byPublic } = await node.ask('getAddress', { public_key: pair.public_key });
    assert.equal(at(byPrivate, 'address'), pair.address);
    assert.deepEqual(byPublic, { address: pair.address, public_key: pair.public_key, sign_type: 'ed25519' });
    assert.equal((await node.ask('getAddress')).error_code, 2);
    assert.equal((await node.ask('getAddress', { public_key: 'b001' })).error_code, 90);
    assert.equal((await node.ask('getAddress', { private_key: pair.public_key })).error_code, 91);
    const { private_key, public_key } = pair;
    assert.equal((await node.ask('getAddress', { private_key, public_key })).error_code, 0);
    const torn = await node.ask('getAddress', { private_key, public_key: bob.publicKey });
    assert.deepEqual([torn.error_code, torn.error_desc], [90, 'public_key does not belong to private_key']);
    assert.equal((await node.ask('getAddress', { private_key, public_key: 'b001' })).error_code, 90);
    assert.equal((await node.ask('createAccount', { sign_type: 'ed25519' })).error_code, 0);
    assert.ok(!node.logged().includes(pair.private_key), 'a private key is never logged');
  });
});
