/**
 * What the routes answer, over HTTP: both shapes of requests, the merged reply of submitTransaction, exact integers,
 * paging, batches, blobs and blocks. How a route can be called at all is in `http-routes.test.ts`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { int64Max } from '@symbolon/core/limits/consensus';
import { type JsonObject, type JsonValue, parseJson } from '@symbolon/wire/json/json';
import { at, type Query, send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person, richest, validatorPerson } from '../support/people.ts';
import { hashOf, operations, type RunningNode, startNode } from '../support/running-node.ts';

const { payCoin, issueAsset, payAsset, setMetadata, log } = operations;
const owner = ownerOfSuite();
const bob = person('bob');
const nobody = person('nobody');
const tooExact = 9_007_199_254_740_993n;
const records: JsonObject[] = [];

let node: RunningNode;
/** Makes no block. */
let idle: RunningNode;

before(async () => {
  [node, idle] = await Promise.all([
    startNode(owner, { chain: { slogan: 'a test' } }),
    startNode(owner, { config: { blockIntervalMs: 60_000 } }),
  ]);
  const gold = { issuer: richest.address, code: 'GOLD', amount: tooExact };
  records.push(
    await node.execute({ operations: [payCoin(bob.address, tooExact)], fields: { metadata: 'for bob' } }),
    await node.execute({ operations: [issueAsset('GOLD', int64Max), payAsset(bob.address, gold)] }),
    await node.execute({
      operations: [setMetadata('a', '1'), setMetadata('b/c', '2'), setMetadata('__proto__', '3')],
    }),
    await node.execute({ operations: [payCoin(bob.address, 10n ** 18n)] }),
  );
  assert.deepEqual(
    records.map(({ error_code }) => error_code),
    [0, 0, 0, 100],
  );
});

const empty = { total_count: 0, transactions: [] };
const noHash = { error_code: 2, error_desc: 'hash: must be 64 hex digits', result: empty };
const hashes = (reply: JsonObject): JsonValue[] =>
  (at(reply, 'result', 'transactions') as JsonObject[]).map(({ hash }) => hash);

describe('accounts', () => {
  test('of a new chain: only the genesis account, in bare digits', async () => {
    const { text } = await send(`${idle.url}/v1/account/getGenesisAccount`);
    assert.equal(
      text,
      `{"error_code":0,"error_desc":"","result":{"address":"${richest.address}","balance":100000000000000000,"nonce":0,` +
        '"priv":{"master_weight":1,"thresholds":{"tx_threshold":1}},"assets":null,"metadatas":null}}',
    );
    assert.equal(at(await idle.ask('getStatus'), 'result', 'account_count'), 1);
  });

  test('are shown with what was asked for', async () => {
    const account = async (query: object) =>
      (await node.ask('getAccount', { address: richest.address, ...query })).result;
    const all = await account({});
    assert.deepEqual(
      (at(all, 'metadatas') as JsonObject[]).map(({ key }) => key),
      ['__proto__', 'a', 'b/c'],
    );
    assert.equal(at(all, 'nonce'), 4);
    assert.deepEqual(at(await account({ key: 'b/c' }), 'metadatas'), [
      { key: 'b/c', value: '2', version: 1 },
    ]);
    assert.equal(at(await account({ key: 'none' }), 'metadatas'), null);
    const gold = { code: 'GOLD', issuer: richest.address };
    const left = [{ amount: int64Max - tooExact, key: gold }];
    assert.deepEqual(at(await account(gold), 'assets'), left);
    assert.equal(at(await account({ ...gold, type: 1 }), 'assets'), null);
    assert.equal(at(await account({ ...gold, issuer: bob.address }), 'assets'), null);
    const base = (await node.ask('getAccountBase', { address: richest.address })).result as JsonObject;
    assert.ok(
      !('assets' in base) && !('metadatas' in base) && 'assets_hash' in base && 'metadatas_hash' in base,
    );
  });

  test('are not shown whole where half an asset is named', async () => {
    const address = richest.address;
    for (const name of ['getAccount', 'getAccountAssets', 'getStateProof'])
      for (const half of [{ code: 'NONE' }, { issuer: address }, { code: 'NONE', issuer: '' }])
        assert.deepEqual(await node.ask(name, { address, ...half }), {
          error_code: 2,
          error_desc: 'code and issuer belong together',
          result: null,
        });
  });

  test('have lists of their own', async () => {
    const address = richest.address;
    const metadata = at(await node.ask('getAccountMetaData', { address }), 'result') as JsonObject;
    assert.deepEqual(Object.keys(metadata).sort(), ['__proto__', 'a', 'b/c']);
    assert.deepEqual((await node.ask('getAccountMetadata', { address, key: 'a' })).result, {
      a: { key: 'a', value: '1', version: 1 },
    });
    assert.equal((await node.ask('getAccountMetaData', { address, key: 'none' })).result, null);
    const gold = { code: 'GOLD', issuer: richest.address };
    const held = { amount: tooExact, key: gold };
    assert.deepEqual((await node.ask('getAccountAssets', { address: bob.address })).result, [held]);
    assert.deepEqual((await node.ask('getAccountAssets', { address: bob.address, ...gold })).result, {
      asset: held,
    });
    assert.equal(
      (await node.ask('getAccountAssets', { address: bob.address, ...gold, code: 'X' })).result,
      null,
    );
    for (const name of ['getAccount', 'getAccountBase', 'getAccountAssets', 'getAccountMetaData']) {
      const missing = await node.ask(name, { address: nobody.address });
      assert.deepEqual([missing.error_code, missing.result], [4, null]);
    }
  });
});

describe('blobs', () => {
  const vectorFile = new URL('../../packages/core/vectors/ledger/transactions.json', import.meta.url);
  const { vectors } = JSON.parse(readFileSync(vectorFile, 'utf8')) as { vectors: Record<string, never>[] };
  const sdkVectors = vectors.filter(
    ({ layout, blob_is_canonical: canonical }) => layout === 'zetrix' && canonical,
  );

  test('are made from both shapes, byte for byte', async () => {
    assert.ok(sdkVectors.length > 5);
    for (const { name, transaction_json: transaction, transaction_blob: blob, hash } of sdkVectors) {
      const expected = { error_code: 0, error_desc: '', result: { hash, transaction_blob: blob } };
      assert.deepEqual(await node.post('getTransactionBlob', transaction), expected, name);
      assert.deepEqual(await node.post('getTransactionBlob', { transfer: transaction }), expected, name);
    }
  });

  test('are read back, bare and in their envelope', async () => {
    for (const { transaction_json, transaction_blob, hash, tx_size, transaction_env_hex } of sdkVectors) {
      const bare = await node.ask('getTransactionFromBlob', { blob: transaction_blob });
      assert.equal(bare.hash, hash);
      const again = await node.post('getTransactionBlob', bare.transaction);
      // A part that is there but empty shows as null, which counts as absent when it is read.
      const hasEmptyPart = JSON.stringify(transaction_json).includes('{}');
      if (!hasEmptyPart) assert.equal(at(again, 'result', 'transaction_blob'), transaction_blob);
      const enveloped = await node.ask('getTransactionFromBlob', { blob: transaction_env_hex, env: 'true' });
      assert.deepEqual(enveloped.transaction, bare.transaction);
      assert.equal(enveloped.tx_size, tx_size);
      assert.equal(at(transaction_json, 'source_address'), at(bare, 'transaction', 'source_address'));
    }
    for (const blob of ['', 'zz', '0', 'ffff', '0a']) {
      assert.equal((await node.ask('getTransactionFromBlob', { blob })).error_code, 2, blob);
      assert.equal((await node.ask('getTransactionFromBlob', { blob, env: 'true' })).error_code, 2, blob);
    }
  });

  test('keep every digit, whether it comes as number or as text', async () => {
    const blobOf = async (amount: string) => {
      const pay = `{"dest_address":"${richest.address}","amount":${amount}}`;
      const terms = `"source_address":"${bob.address}","nonce":${amount},"fee_limit":1,"gas_price":1`;
      const body = `{${terms},"operations":[{"type":7,"pay_coin":${pay}}]}`;
      const reply = parseJson((await send(`${node.url}/getTransactionBlob`, { method: 'POST', body })).text);
      return at(reply, 'result', 'transaction_blob') as string;
    };
    for (const digits of ['9007199254740993', '9223372036854775807', '-9223372036854775808', '1']) {
      const blob = await blobOf(digits);
      assert.equal(await blobOf(`"${digits}"`), blob);
      const { text } = await send(`${node.url}/getTransactionFromBlob?blob=${blob}`);
      assert.ok(text.includes(`"amount":${digits}`) && text.includes(`"nonce":${digits}`), text);
    }
    for (const digits of ['9223372036854775808', '1.5', '1e3.', 'true', '"1x"']) {
      assert.equal(await blobOf(digits), undefined, digits);
    }
  });

  test('are not made from what is no transaction', async () => {
    const bodies: JsonObject[] = [
      { operations: {} },
      { operations: [{ type: 'NOTHING' }] },
      { operations: [{ type: 99 }] },
      { operations: [{ type: 7, pay_coin: [] }] },
      { nonce: [] },
      { transfer: { nonce: 'x' } },
    ];
    for (const body of bodies) {
      const reply = await node.post('getTransactionBlob', body);
      assert.equal(reply.error_code, 2, JSON.stringify(body));
      assert.match(reply.error_desc as string, /^(operations|nonce).*: /);
      assert.equal(reply.result, null);
    }
  });
});

describe('submitting', () => {
  const expected = (hash: string) => ({
    error_code: 0,
    error_desc: '',
    result: { hash },
    results: [{ error_code: 0, error_desc: '', hash }],
    success_count: 1,
  });

  test('takes a list of items, one flat item, or a transaction and its keys', async () => {
    const listed = await idle.sign({ nonce: 1, operations: [log('t', '1')] });
    assert.deepEqual(await idle.post('submitTransaction', { items: [listed] }), expected(hashOf(listed)));
    const flat = await idle.sign({ nonce: 2, operations: [log('t', '2')] });
    const { transaction_blob, signatures } = flat;
    assert.deepEqual(
      await idle.post('submitTransaction', { transaction_blob, ...signatures[0] }),
      expected(hashOf(flat)),
    );
    const transaction = {
      source_address: richest.address,
      nonce: 3,
      fee_limit: 10_000_000,
      gas_price: 1,
      operations: [log('t', '3')],
    };
    const item = { transaction_json: transaction, private_keys: [richest.privateKey] };
    const reply = await idle.post('submitTransaction', { items: [item] });
    assert.deepEqual(reply, expected(at(reply, 'result', 'hash') as string));
  });

  test('decides on each item for itself and shows the first in the envelope', async () => {
    const good = await idle.sign({ nonce: 4, operations: [log('t', '4')] });
    const bad = await idle.sign({ nonce: 5, operations: [] });
    const reply = await idle.post('submitTransaction', { items: [bad, good, {}, 'nothing', good] });
    assert.equal(reply.error_code, 97);
    assert.equal(at(reply, 'result', 'hash'), hashOf(bad));
    assert.deepEqual(
      (reply.results as JsonObject[]).map(({ error_code }) => error_code),
      [97, 0, 2, 2, 3],
    );
    assert.equal(reply.success_count, 1);
    assert.equal(at(reply, 'results', 2, 'hash'), undefined);
  });

  test('refuses what is no submission', async () => {
    const { transaction_blob: blob, signatures } = await idle.sign({ nonce: 9, operations: [log('t', '9')] });
    const [signature] = signatures;
    const bodies: [JsonObject, number][] = [
      [{}, 2],
      [{ items: [] }, 2],
      [{ items: Array.from({ length: 1_001 }, () => ({})) }, 2],
      [{ transaction_blob: blob }, 2],
      [{ transaction_blob: blob, signatures: 'none' }, 2],
      [{ transaction_blob: blob, signatures: [] }, 93],
      [{ transaction_blob: blob, signatures: Array.from({ length: 101 }, () => signature) }, 2],
      [{ transaction_blob: blob, signatures: [{ ...signature, sign_data: 'zz' }] }, 2],
      [{ transaction_blob: blob, signatures: [{ ...signature, sign_data: '00' }] }, 93],
      [{ transaction_blob: blob, signatures: [{ ...signature, public_key: bob.publicKey }] }, 93],
      [{ transaction_blob: blob, signatures: [{ ...signature, public_key: '' }] }, 2],
      [{ transaction_blob: `${blob}00`, signatures }, 2],
      [{ transaction_blob: blob.slice(2), signatures }, 2],
      [{ transaction_json: { nonce: 'x' }, private_keys: [richest.privateKey] }, 2],
      [{ transaction_json: {}, private_keys: [] }, 2],
    ];
    for (const [body, code] of bodies) {
      const reply = await idle.post('submitTransaction', body);
      assert.equal(reply.error_code, code, `${JSON.stringify(body).slice(0, 200)} ${reply.error_desc}`);
      assert.equal(at(reply, 'results', 0, 'error_code'), code);
      assert.equal(reply.success_count, 0);
    }
  });
});

describe('the queue', () => {
  test('lists what waits, in its order, with the execution fields unset', async () => {
    const all = await idle.ask('getTransactionCache', { limit: 0 });
    assert.equal(at(all, 'result', 'total_count'), 4);
    const nonces = (at(all, 'result', 'transactions') as JsonObject[]).map((it) =>
      at(it, 'transaction', 'nonce'),
    );
    assert.deepEqual(nonces, [1, 2, 3, 4]);
    const two = await idle.ask('getTransactionCache', { limit: 2 });
    assert.deepEqual(hashes(two), hashes(all).slice(0, 2));
    const hash = hashes(all)[2] as string;
    const one = await idle.ask('getTransactionCache', { hash, limit: 2 });
    assert.deepEqual(hashes(one), [hash], 'a hash prevails');
    const [entry] = at(one, 'result', 'transactions') as JsonObject[];
    assert.deepEqual(Object.keys(entry).sort(), [
      'error_code',
      'error_desc',
      'hash',
      'incoming_time',
      'signatures',
      'status',
      'transaction',
    ]);
    assert.equal(entry.status, 'processing');
    assert.equal(at(await idle.ask('getModulesStatus'), 'glue_manager', 'transaction_size'), 4);
  });

  test('is empty when everything is executed', async () => {
    const reply = await node.ask('getTransactionCache');
    assert.deepEqual(reply, { error_code: 4, error_desc: 'query result not exist', result: empty });
    assert.deepEqual(await node.ask('getTransactionCache', { hash: 'short' }), noHash);
  });
});

describe('history', () => {
  const history = (query: Query) => node.ask('getTransactionHistory', query);

  test('shows a transaction by hash, by block, and by both together', async () => {
    const [first] = records;
    const { hash, ledger_seq } = first as { hash: string; ledger_seq: number };
    assert.deepEqual(at(await history({ hash }), 'result', 'transactions'), [first]);
    assert.deepEqual(at(await history({ hash, ledger_seq }), 'result', 'transactions'), [first]);
    assert.deepEqual(hashes(await history({ ledger_seq })), [hash]);
    assert.deepEqual((await history({ hash, ledger_seq: ledger_seq + 1 })).result, empty);
    const unused = 'ab'.repeat(32);
    for (const query of [{ hash: unused }, { ledger_seq: 1 }, { ledger_seq: 999 }, { ledger_seq: -1 }]) {
      const missing = await history(query);
      assert.deepEqual(missing, { error_code: 4, error_desc: 'query result not exist', result: empty });
    }
  });

  test('never says of a hash that was copied wrongly that there is no such transaction', async () => {
    const { hash } = records[0] as { hash: string };
    for (const copied of [hash.slice(1), `0x${hash}`, `${hash} `, `${hash}\n`, 'zz'])
      assert.deepEqual(await history({ hash: copied }), noHash, copied);
    assert.deepEqual(hashes(await history({ hash: hash.toUpperCase() })), [hash]);
  });

  test('keeps all that is known of a transaction', () => {
    const [success, , , failure] = records;
    const fields = [
      'actual_fee',
      'close_time',
      'error_code',
      'error_desc',
      'hash',
      'ledger_seq',
      'signatures',
      'transaction',
      'tx_size',
    ];
    assert.deepEqual(Object.keys(success).sort(), fields);
    assert.equal(success.actual_fee, success.tx_size, 'a byte costs the gas price');
    assert.equal(at(success, 'transaction', 'metadata'), Buffer.from('for bob').toString('hex'));
    assert.equal(at(success, 'transaction', 'operations', 0, 'pay_coin', 'amount'), tooExact);
    assert.equal(failure.actual_fee, 10_000_000, 'a failure costs the whole limit');
    assert.match(failure.error_desc as string, /^operation 0: /);
  });

  test('without a question shows the newest first, in pages', async () => {
    const newest = hashes(await history({}));
    assert.deepEqual(newest, records.map(({ hash }) => hash).reverse());
    assert.deepEqual(hashes(await history({ start: 1, limit: 2 })), newest.slice(1, 3));
    assert.deepEqual(hashes(await history({ start: -5, limit: 0 })), newest);
    assert.deepEqual((await history({ start: 100 })).result, { ...empty, total_count: newest.length });
    assert.equal((await history({ start: 'x' })).error_code, 2);
  });

  test('pages through a block', async () => {
    // Sent as one request, so that they wait together; blocks are cut by time, so ask where they ended up.
    const items = [];
    for (let index = 0; index < 6; index++)
      items.push(await node.sign({ nonce: 5 + index, operations: [log('page', `${index}`)] }));
    await node.post('submitTransaction', { items });
    const placed = await Promise.all(items.map((item) => node.record(hashOf(item))));
    const { ledger_seq } = placed[5] as { ledger_seq: number };
    const inBlock = placed.filter((it) => it.ledger_seq === ledger_seq).map(({ hash }) => hash);
    const pages: JsonValue[] = [];
    for (let start = 0; start < inBlock.length; start++) {
      const page = await history({ ledger_seq, start, limit: 1 });
      assert.equal(at(page, 'result', 'total_count'), inBlock.length);
      pages.push(...hashes(page));
    }
    assert.deepEqual(pages, inBlock);
    const beyond = await history({ ledger_seq, start: inBlock.length });
    assert.deepEqual(beyond.result, { ...empty, total_count: inBlock.length });
  });
});

describe('blocks', () => {
  test('are shown with what is asked for', async () => {
    const { result: plain } = await node.ask('getLedger', { seq: 2 });
    assert.deepEqual(Object.keys(plain as JsonObject), ['header']);
    assert.equal(at(plain, 'header', 'tx_count'), 1);
    const { result } = await node.ask('getLedger', {
      seq: 3,
      with_validator: true,
      with_consvalue: true,
      with_fee: true,
      with_block_reward: true,
    });
    assert.deepEqual(at(result, 'validators'), [validatorPerson.address]);
    assert.equal(at(result, 'fees', 'gas_price'), 1);
    assert.equal(at(result, 'block_reward'), 0);
    assert.equal(at(result, 'header', 'previous_hash'), at(plain, 'header', 'hash'));
    const commit = at(result, 'consensus_value', 'previous_proof_plain', 'commits', 0);
    assert.equal(at(commit, 'pbft', 'commit', 'sequence'), 2);
    assert.equal(at(commit, 'pbft', 'commit', 'value_digest'), at(plain, 'header', 'consensus_value_hash'));
    assert.equal(at(commit, 'signature', 'public_key'), validatorPerson.publicKey);
    assert.equal((at(result, 'consensus_value', 'txset', 'txs') as JsonValue[]).length, 1);
    assert.deepEqual(
      Object.keys((await node.ask('getLedger', { seq: 3, with_fee: false })).result as JsonObject),
      ['header'],
    );
    const { result: failed } = await node.ask('getLedger', { seq: 5, with_consvalue: true });
    assert.deepEqual(at(failed, 'consensus_value', 'validation'), { error_tx_ids: [0] });
  });

  test('begin with one that nobody agreed on', async () => {
    const first = await node.ask('getLedger', { seq: 1, with_consvalue: true });
    assert.equal(first.error_code, 0);
    assert.equal(at(first, 'result', 'consensus_value', 'txset'), null);
    assert.equal(at(first, 'result', 'header', 'reserve'), 'a test');
    assert.equal(at(first, 'result', 'header', 'previous_hash'), undefined);
    const { result: second } = await node.ask('getLedger', { seq: 2, with_consvalue: true });
    assert.equal(at(second, 'consensus_value', 'previous_proof_plain'), null);
    for (const seq of [0, -1, 10_000, '9223372036854775807']) {
      assert.deepEqual(await node.ask('getLedger', { seq }), {
        error_code: 4,
        error_desc: 'ledger not exist',
        result: null,
      });
      assert.equal((await node.ask('getLedgerValidators', { seq })).error_code, 4);
    }
    assert.equal((await node.ask('getLedger', { seq: '9223372036854775808' })).error_code, 2);
  });
});

describe('batches', () => {
  test('answer each question as if it were asked alone', async () => {
    const address = richest.address;
    const terms = { source_address: address, nonce: 1, fee_limit: 1, gas_price: 1 };
    const body = { transfer: { ...terms, operations: [log('t', 'd')] } };
    const { error_code, results } = await node.post('multiQuery', {
      items: [
        { url: `getAccountBase?address=${address}`, method: 'GET', jsonData: '' },
        { url: '/v1/ledger/getLedger?seq=1', method: 'GET' },
        { url: 'getTransactionBlob', method: 'POST', jsonData: JSON.stringify(body) },
        { url: 'getTransactionBlob', method: 'POST', jsonData: body },
        { url: 'getAccount?address=nobody' },
        { url: 'nothing' },
        { url: 'multiQuery', jsonData: { items: [] } },
        {},
        null,
      ],
    });
    assert.equal(error_code, 0);
    const [account, ledger, blob, sameBlob, missing, unknown, nested, ...nothing] = results as JsonValue[];
    assert.deepEqual(account, await node.ask('getAccountBase', { address }));
    assert.deepEqual(ledger, await node.ask('getLedger', { seq: 1 }));
    assert.deepEqual(blob, await node.post('getTransactionBlob', body));
    assert.deepEqual(sameBlob, blob);
    assert.equal(at(missing, 'error_code'), 4);
    assert.equal(at(unknown, 'error_code'), 4);
    assert.equal(at(nested, 'error_code'), 2);
    assert.deepEqual(
      nothing.map((it) => at(it, 'error_code')),
      [2, 2],
    );
  });

  test('are bounded', async () => {
    const items = (length: number) => ({ items: Array.from({ length }, () => ({ url: 'getStatus' })) });
    assert.equal(((await node.post('multiQuery', items(100))).results as JsonValue[]).length, 100);
    const refused = await node.post('multiQuery', items(101));
    assert.deepEqual([refused.error_code, refused.results], [2, null]);
    assert.equal((await node.post('multiQuery', { items: {} })).error_code, 2);
  });
});
