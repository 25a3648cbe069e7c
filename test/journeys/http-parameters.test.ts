/**
 * Parameters of queries over HTTP: the same from the address and from a JSON body, and nothing that is not understood
 * is passed over. An answer to another question than the one that was asked reads like an answer to that one.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { contractCode } from '@symbolon/core/ledger/testing/contract-ledger';
import { type JsonObject, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { ask, at, json, send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { operations, type RunningNode, startNode } from '../support/running-node.ts';

const { payCoin, log } = operations;
const owner = ownerOfSuite();
const bob = person('bob');
const nobody = person('nobody');

let node: RunningNode;
let first: JsonObject;
let last: JsonObject;

before(async () => {
  node = await startNode(owner);
  first = await node.execute({ operations: [payCoin(bob.address, 1_000_000n)] });
  last = await node.execute({ operations: [log('t', 'd')] });
});

const posted = async (name: string, body: JsonObject | string, search = ''): Promise<JsonObject> => {
  const text = typeof body === 'string' ? body : stringifyJson(body);
  return json(await send(`${node.url}/${name}${search}`, { method: 'POST', body: text }));
};
const hashes = (reply: JsonObject) =>
  (at(reply, 'result', 'transactions') as JsonObject[]).map((it) => it.hash);

describe('a query that is posted', () => {
  test('is about what its body names', async () => {
    const hash = first.hash as string;
    assert.deepEqual(hashes(await posted('getTransactionHistory', { hash })), [hash]);
    const missing = await posted('getTransactionHistory', { hash: 'ab'.repeat(32) });
    assert.deepEqual([missing.error_code, hashes(missing)], [4, []], 'not the newest of anybody');
    assert.equal((await posted('getTransactionCache', { hash })).error_code, 4);
    const inBlock = await posted('getTransactionHistory', { ledger_seq: first.ledger_seq, limit: '1' });
    assert.deepEqual(hashes(inBlock), [hash]);

    for (const name of ['getAccount', 'getAccountBase', 'getAccountAssets', 'getAccountMetaData']) {
      const body = { address: bob.address };
      assert.deepEqual(await posted(name, body), await ask(node.url, name, body), name);
      assert.equal((await posted(name, { address: nobody.address })).error_code, 4, name);
    }
    for (const seq of [1, '2']) {
      const ledger = await posted('getLedger', { seq, with_fee: true, with_validator: 'true' });
      assert.equal(at(ledger, 'result', 'header', 'seq'), Number(seq));
      assert.ok(at(ledger, 'result', 'fees') && at(ledger, 'result', 'validators'));
    }
  });

  test('takes the address and the body together, unless they contradict each other', async () => {
    const { hash, ledger_seq } = first as { hash: string; ledger_seq: number };
    assert.deepEqual(hashes(await posted('getTransactionHistory', { ledger_seq }, `?hash=${hash}`)), [hash]);
    assert.deepEqual(hashes(await posted('getTransactionHistory', { hash }, `?hash=${hash}`)), [hash]);
    const torn = await posted('getTransactionHistory', { hash }, `?hash=${last.hash}`);
    assert.equal(torn.error_code, 2);
    assert.match(torn.error_desc as string, /^hash: /);
  });

  test('is about neither where its address names two', async () => {
    const [one, other] = [first.hash, last.hash];
    for (const method of ['GET', 'POST']) {
      const two = `getTransactionHistory?hash=${one}&hash=${other}`;
      const torn = json(await send(`${node.url}/${two}`, { method }));
      assert.deepEqual(
        [torn.error_code, torn.error_desc, hashes(torn)],
        [2, 'hash: is given twice, differently', []],
      );
      const { results } = await node.post('multiQuery', { items: [{ url: two, method }] });
      assert.deepEqual(at(results, 0), torn);
    }
    const alike = json(await send(`${node.url}/getTransactionHistory?hash=${one}&hash=${one}`));
    assert.deepEqual(hashes(alike), [one]);
  });

  test('has a body that is a JSON object, or none', async () => {
    const plain = await ask(node.url, 'getLedger');
    for (const body of ['', '{}', ' ', '{"seq":null}', '{"seq":""}'])
      assert.deepEqual(await posted('getLedger', body), plain, body);
    for (const body of ['seq=1', '[1]', '{"seq":', '"seq"', '5', 'null', ' null\n', 'false'])
      for (const name of ['getLedger', 'getTransactionHistory'])
        assert.equal((await posted(name, body)).error_code, 2, `${name} ${body}`);
  });
});

describe('a parameter that is not understood', () => {
  const refused = (reply: JsonObject, words: RegExp): void => {
    assert.equal(reply.error_code, 2, stringifyJson(reply));
    assert.match(reply.error_desc as string, words);
  };

  test('is refused with its name and the one that was probably meant', async () => {
    const hash = first.hash as string;
    refused(await posted('getTransactionHistory', { transactionHash: hash }), /"transactionHash"/);
    refused(await posted('getTransactionHistory', { hsah: hash }), /"hsah".*did you mean "hash"/);
    refused(await ask(node.url, 'getTransactionHistory', { ledgerSeq: 2 }), /did you mean "ledger_seq"/);
    refused(await ask(node.url, 'getAccountBase', { adress: bob.address }), /did you mean "address"/);
    refused(await ask(node.url, 'getLedger', { withFee: true }), /did you mean "with_fee"/);
    refused(await ask(node.url, 'getLedger', { height: 1 }), /"height".*known are "seq"/);
    refused(await ask(node.url, 'getStatus', { verbose: '' }), /"verbose" is not known here; nothing may/);
    refused(await posted('getStatus', { verbose: null }), /"verbose"/);
    const blob = stringifyJson({ items: [] });
    refused(await posted('submitTransaction', blob, '?wait=true'), /"wait"/);
  });

  test('is refused where its type is wrong, from the address and from a body alike', async () => {
    const wrong: [name: string, parameter: string, values: (string | number | boolean | object)[]][] = [
      ['getLedger', 'with_fee', ['banana', 'yes', '2', -1]],
      ['getLedger', 'seq', ['x', '1.5', 1.5, true, '9223372036854775808']],
      ['getTransactionHistory', 'ledger_seq', ['two', false]],
      ['getTransactionHistory', 'start', ['x']],
      ['getTransactionCache', 'limit', ['all']],
      ['getAccountAssets', 'type', ['x']],
      ['getTransactionFromBlob', 'env', ['maybe']],
    ];
    for (const [name, parameter, values] of wrong)
      for (const value of values) {
        refused(
          await ask(node.url, name, { [parameter]: value as string }),
          new RegExp(`^${parameter}: (must|is beyond)`),
        );
        refused(
          await posted(name, { [parameter]: value as string }),
          new RegExp(`^${parameter}: (must|is beyond)`),
        );
      }
    for (const value of [5, true, [], {}, ['a']]) {
      refused(await posted('getTransactionHistory', { hash: value }), /^hash: must be a string/);
      refused(await posted('getAccount', { address: value }), /^address: must be a string/);
    }
    refused(await posted('getLedger', { seq: [1] }), /^seq: must be an integer/);
  });

  test('is no flag in other letters, nor the older name of a block', async () => {
    for (const value of ['true', 'True', 'TRUE', '1', true])
      assert.ok(at(await ask(node.url, 'getLedger', { with_fee: value }), 'result', 'fees'), `${value}`);
    for (const value of ['false', 'False', '0', '', false])
      assert.equal(at(await ask(node.url, 'getLedger', { with_fee: value }), 'result', 'fees'), undefined);
    // What an older public client for Java sends.
    const older = await ask(node.url, 'getLedger', { ledger_seq: 1, with_validator: true });
    assert.equal(at(older, 'result', 'header', 'seq'), 1);
    refused(await ask(node.url, 'getLedger', { ledger_seq: 1, seq: 2 }), /^ledger_seq: /);
  });

  test('is refused where it names a transaction and is blank: that is not the newest of anybody', async () => {
    for (const name of ['getTransactionHistory', 'getTransactionCache']) {
      refused(await ask(node.url, name, { hash: '' }), /^hash: is blank/);
      for (const hash of ['', null]) refused(await posted(name, { hash }), /^hash: is blank/);
    }
    refused(await posted('getTransactionHistory', { ledger_seq: null }), /^ledger_seq: is blank/);
  });

  test('is refused where it names a caller that cannot be', async () => {
    const call = { code: contractCode({ query: 'return Chain.msg.sender;' }), opt_type: 2, input: '' };
    const other = await posted('callContract', { ...call, source_address: `${bob.address}x` });
    assert.equal(other.error_code, 94);
    assert.match(other.error_desc as string, /^source_address: /);
    assert.equal((await posted('callContract', { ...call, source_address: '' })).error_code, 0);
  });

  test('is refused inside a batch, too', async () => {
    const { results } = await node.post('multiQuery', {
      items: [
        { url: 'getTransactionHistory', method: 'POST', jsonData: { hash: first.hash } },
        { url: 'getTransactionHistory', method: 'POST', jsonData: stringifyJson({ hash: first.hash }) },
        { url: 'getTransactionHistory', method: 'POST', jsonData: { hsah: first.hash } },
        { url: `getAccountBase?address=${bob.address}`, method: 'GET', jsonData: '' },
      ],
    });
    const codes = (results as JsonObject[]).map((it) => it.error_code);
    assert.deepEqual(codes, [0, 0, 2, 0]);
    assert.deepEqual(hashes(at(results, 0) as JsonObject), [first.hash]);
    assert.deepEqual(at(results, 0), at(results, 1));
  });
});

describe('the OpenAPI document', () => {
  test('says of which type a parameter is, and that it may stand in a body', async () => {
    const document = parseJson((await send(`${node.url}/openapi.json`)).text);
    const operation = at(document, 'paths', '/v1/ledger/getLedger', 'get');
    const typed = (at(operation, 'parameters') as JsonObject[]).map((it) => [
      it.name,
      at(it, 'schema', 'type'),
    ]);
    assert.deepEqual(Object.fromEntries(typed).with_fee, 'boolean');
    assert.deepEqual(Object.fromEntries(typed).seq, 'integer');
    assert.match(at(operation, 'description') as string, /POST does the same, .* JSON body/);
    assert.equal(at(operation, 'requestBody'), undefined);
  });
});
