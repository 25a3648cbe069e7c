/**
 * Contracts over the interface: what callContract and testTransaction answer, how history shows what a contract
 * triggered, what subscribers are told, and that a restarted node goes on where it was.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { fromBinary } from '@bufbuild/protobuf';
import { TransactionEnvStoreSchema } from '@symbolon/core/proto/ledger_pb';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { ask, at, json, send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person, richest } from '../support/people.ts';
import { makeChain, operations, type RunningNode, serveFolder, startNode } from '../support/running-node.ts';
import { connectSocket } from '../support/socket-client.ts';
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const code = `"use strict";
function init(input) {
  Chain.store("born", input);
  return true;
}
function main(input) {
  if (input === "throw") {
    throw new Error("not today");
  }
  Chain.store("said", input);
  Chain.tlog("said", input, Chain.msg.coinAmount);
  return true;
}
function query(input) {
  if (input === "throw") {
    throw new Error("no answer");
  }
  if (input === "number") {
    return 5;
  }
  if (input === "ask") {
    Chain.contractQuery(Chain.thisAddress, "throw");
    Chain.contractQuery(Chain.thisAddress, "inner");
  }
  return input === "truth" ? true : "said " + Chain.load("said") + " to " + Chain.msg.sender;
}
`;

const owner = ownerOfSuite();
const bob = person('bob');
const creation: JsonObject = {
  type: 1,
  create_account: {
    contract: { payload: code, owner: richest.address },
    init_input: 'in',
    priv: { thresholds: { tx_threshold: 1 } },
  },
};
const call = (address: string, input: string, amount = 0): JsonObject => ({
  type: 7,
  pay_coin: { dest_address: address, amount, input },
});

let node: RunningNode;
let contract: string;
let born: JsonObject;

before(async () => {
  node = await startNode(owner, { config: { blockIntervalMs: 100 } });
  born = await node.execute({ operations: [creation, operations.payCoin(bob.address, 10n ** 12n)] });
  contract = JSON.parse(born.error_desc as string)[0].contract_address;
});

describe('callContract', () => {
  const query = async (input: string, { code = 0, ...more }: JsonObject = {}) => {
    const reply = await node.post('callContract', {
      contract_address: contract,
      opt_type: 2,
      input,
      ...more,
    });
    assert.equal(reply.error_code, code);
    return reply.result as JsonObject;
  };

  test('query: the documented shape', async () => {
    const result = await query('hello', { source_address: bob.address });
    const { stat, ...rest } = result;
    assert.deepEqual(rest, {
      logs: { [`0-${contract}`]: null },
      query_rets: [{ result: { type: 'string', value: `said false to ${bob.address}` } }],
      txs: null,
    });
    assert.deepEqual(Object.keys(stat as JsonObject), ['apply_time', 'memory_usage', 'stack_usage', 'step']);
    assert.ok((at(stat, 'apply_time') as number) > 0 && (at(stat, 'step') as number) > 10);
  });

  test('query: texts and truth values are kept, everything else is false', async () => {
    assert.deepEqual(at(await query('truth'), 'query_rets', 0), { result: { type: 'bool', value: true } });
    assert.deepEqual(at(await query('number'), 'query_rets', 0), { result: { type: 'bool', value: false } });
  });

  test('query: an exception is told in full', async () => {
    const data = at(await query('throw', { code: 151 }), 'query_rets', 0, 'error', 'data') as JsonObject;
    assert.deepEqual([data.contract, data.exception, data.linenum], [contract, 'Error: no answer', 16]);
    assert.equal(typeof data.stack, 'string');
    const missing = await node.post('callContract', {
      code: '"use strict"; function init(i) { return i; }',
      opt_type: 2,
    });
    assert.deepEqual(at(missing, 'result', 'query_rets', 0), {
      error: { data: { exception: 'Lost of query function' } },
    });
  });

  test('query: inner queries come before the outer one', async () => {
    const rets = (await query('ask')).query_rets as JsonValue[];
    assert.deepEqual(
      rets.map((it) => Object.keys(it as JsonObject)[0]),
      ['error', 'result', 'result'],
    );
  });

  test('main: what it would trigger, and last the call itself', async () => {
    const before = await node.ask('getAccount', { address: contract });
    const body = { contract_address: contract, opt_type: 1, input: 'hi', source_address: bob.address };
    const reply = await node.post('callContract', body);
    const txs = at(reply, 'result', 'txs') as JsonObject[];
    assert.equal(txs.length, 3);
    const [store, log, itself] = txs;
    assert.deepEqual(Object.keys(store).sort(), ['close_time', 'ledger_seq', 'transaction_env']);
    assert.equal(at(store, 'transaction_env', 'transaction', 'source_address'), contract);
    assert.match(at(store, 'transaction_env', 'trigger', 'transaction', 'hash') as string, /^[0-9a-f]{64}$/);
    assert.deepEqual(at(log, 'transaction_env', 'transaction', 'operations', 0, 'log'), {
      topic: 'said',
      datas: ['hi', '0'],
    });
    assert.deepEqual(at(itself, 'transaction_env', 'transaction', 'operations', 0), {
      type: 3,
      pay_asset: { dest_address: contract, input: 'hi' },
    });
    assert.equal(at(itself, 'transaction_env', 'transaction', 'source_address'), bob.address);
    assert.equal(at(reply, 'result', 'query_rets'), null);
    assert.deepEqual(await node.ask('getAccount', { address: contract }), before, 'nothing has changed');
  });

  test('main that fails: the code stands at the top and in txs', async () => {
    const reply = await node.post('callContract', {
      contract_address: contract,
      opt_type: 1,
      input: 'throw',
    });
    const txs = at(reply, 'result', 'txs') as JsonObject[];
    assert.deepEqual([txs.length, txs[0].error_code, reply.error_code], [1, 151, 151]);
    assert.equal(txs[0].error_desc, reply.error_desc);
    assert.equal(JSON.parse(txs[0].error_desc as string).exception, 'Error: not today');
  });

  test('init: by code, with the balance that is given', async () => {
    const reply = await node.post('callContract', { code, input: 'trial', contract_balance: '77' });
    const txs = at(reply, 'result', 'txs') as JsonObject[];
    assert.equal(txs.length, 2);
    const created = at(txs[1], 'transaction_env', 'transaction', 'operations', 0, 'create_account');
    assert.deepEqual([at(created, 'init_balance'), at(created, 'init_input')], [77, 'trial']);
  });

  test('what is asked wrongly', async () => {
    const codeOf = async (body: JsonValue) => (await node.post('callContract', body)).error_code;
    const cases: [body: JsonObject, code: number][] = [
      [{}, 4],
      [{ contract_address: '', code: '' }, 4],
      [{ contract_address: bob.address, opt_type: 2 }, 4],
      [{ contract_address: person('stranger').address, code, opt_type: 2 }, 4],
      [{ contract_address: 'nowhere', opt_type: 2 }, 4],
      [{ code, opt_type: 3 }, 2],
      [{ code, opt_type: -1 }, 2],
      [{ code, opt_type: 'query' }, 2],
      [{ code, opt_type: 2, contract_balance: '-1' }, 2],
      [{ code, opt_type: 2, fee_limit: 'much' }, 2],
      [{ code, opt_type: 2, input: {} }, 2],
      [{ code: 5, opt_type: 2 }, 152],
      [{ code: 'function init() {}' }, 152],
      [{ code: 'x'.repeat(262_145), opt_type: 2 }, 2],
    ];
    for (const [body, expected] of cases)
      assert.equal(await codeOf(body), expected, JSON.stringify(body).slice(0, 99));
    const surrogate = await send(`${node.url}/callContract`, {
      method: 'POST',
      body: '{"contract_address":"\\ud800"}',
    });
    assert.deepEqual([surrogate.status, json(surrogate).error_code], [200, 2]);
  });

  test('code with mistakes: the findings as text and as a value', async () => {
    const reply = await node.post('callContract', {
      code: '"use strict";\nfunction init(a) {\n  return a == 1;\n}',
    });
    assert.equal(reply.error_code, 152);
    assert.deepEqual(JSON.parse(reply.error_desc as string), reply.error_desc_json);
    const [finding] = reply.error_desc_json as JsonObject[];
    assert.deepEqual([finding.name, finding.line], ['JSLintError', 2]);
  });
});

describe('testTransaction', () => {
  const evaluate = (more: JsonObject) =>
    node.post('testTransaction', {
      items: [{ transaction_json: { source_address: bob.address, nonce: 1, ...more } }],
    });

  test('lists what would be triggered after the transaction, and its fee covers both', async () => {
    const reply = await evaluate({ operations: [call(contract, 'hi')] });
    const txs = at(reply, 'result', 'txs') as JsonObject[];
    assert.equal(txs.length, 3);
    assert.equal(at(txs[0], 'transaction_env', 'transaction', 'fee_limit'), txs[0].actual_fee);
    assert.deepEqual(
      txs.slice(1).map((it) => at(it, 'transaction_env', 'transaction', 'source_address')),
      [contract, contract],
    );
    const plain = await evaluate({ operations: [call(richest.address, 'hi')] });
    const fee = (of: JsonObject) => at(of, 'result', 'txs', 0, 'actual_fee') as number;
    assert.ok(fee(reply) > fee(plain) + 100);
    assert.ok((at(reply, 'result', 'stat', 'step') as number) > 20);
  });

  test('tells the code of a contract that fails', async () => {
    const reply = await evaluate({ operations: [call(contract, 'throw')] });
    assert.equal(reply.error_code, 151);
    assert.equal(JSON.parse(reply.error_desc as string).exception, 'Error: not today');
  });
});

describe('history', () => {
  /** Two calls in one request, and their records. */
  async function callTwice(): Promise<readonly [JsonObject, JsonObject]> {
    const { result } = await node.ask('getAccountBase', { address: bob.address });
    const nonce = Number((result as JsonObject).nonce ?? 0);
    const items = [];
    for (const [index, input] of ['one', 'two'].entries())
      items.push(
        await node.sign({ source: bob, nonce: nonce + index + 1, operations: [call(contract, input, 3)] }),
      );
    const reply = await node.post('submitTransaction', { items });
    assert.equal(reply.success_count, 2);
    const [one, two] = (reply.results as JsonObject[]).map(({ hash }) => hash as string);
    return [await node.record(one), await node.record(two)];
  }

  test('shows a creation with its contract', async () => {
    assert.deepEqual(JSON.parse(born.error_desc as string), [
      { contract_address: contract, operation_index: 0 },
    ]);
    const account = (await node.ask('getAccount', { address: contract })).result as JsonObject;
    assert.deepEqual(account.contract, { owner: richest.address, payload: code });
    assert.deepEqual(account.priv, { master_weight: 0, thresholds: { tx_threshold: 1 } });
    assert.deepEqual(account.metadatas, [{ key: 'born', value: 'in', version: 1 }]);
    assert.equal(account.nonce, 1);
  });

  test('of a block has what was triggered directly after its trigger', async () => {
    const [first, second] = await until('both are in one block', async () => {
      const pair = await callTwice();
      return pair[0].ledger_seq === pair[1].ledger_seq && pair;
    });
    const hashes = [first.hash, second.hash];
    const block = await node.ask('getTransactionHistory', { ledger_seq: first.ledger_seq as number });
    const records = at(block, 'result', 'transactions') as JsonObject[];
    const triggeredBy = (record: JsonObject) => record.contract_tx_hashes as string[];
    assert.deepEqual(
      records.map(({ hash }) => hash),
      [hashes[0], ...triggeredBy(first), hashes[1], ...triggeredBy(second)],
    );
    const [, store, log] = records;
    assert.deepEqual([store.actual_fee, store.error_code, store.signatures], [0, 0, undefined]);
    assert.deepEqual(store.trigger, { transaction: { hash: hashes[0] } });
    assert.equal(at(log, 'transaction', 'operations', 0, 'log', 'topic'), 'said');
    assert.equal(at(log, 'transaction', 'nonce'), (at(store, 'transaction', 'nonce') as number) + 1);
    const ledger = await node.ask('getLedger', { seq: first.ledger_seq as number });
    const total = at(ledger, 'result', 'header', 'tx_count') as number;
    const previous = await node.ask('getLedger', { seq: (first.ledger_seq as number) - 1 });
    assert.equal(
      total - (at(previous, 'result', 'header', 'tx_count') as number),
      2,
      'only what was signed counts',
    );
  });

  test('of a failure has nothing of what was triggered', async () => {
    const record = await node.execute({
      source: bob,
      operations: [call(contract, 'before'), call(contract, 'throw')],
    });
    assert.equal(record.error_code, 151);
    assert.equal(record.contract_tx_hashes, undefined);
    const said = await node.ask('getAccountMetaData', { address: contract, key: 'said' });
    assert.equal(at(said, 'result', 'said', 'value'), 'two');
  });
});

describe('subscribers', () => {
  test('are told of what a contract triggers', async (context) => {
    const client = await connectSocket(context, node.served.socketUrl);
    assert.equal(await client.subscribe(19n, [contract]), 0);
    const record = await node.execute({ source: bob, operations: [call(contract, 'heard')] });
    const [, log] = record.contract_tx_hashes as string[];
    const told = await client.notification(
      20n,
      (data) => Buffer.from(fromBinary(TransactionEnvStoreSchema, data).hash).toString('hex') === log,
    );
    assert.ok(fromBinary(TransactionEnvStoreSchema, told.data).transactionEnv?.trigger);
    assert.equal(client.notifications(20n).length, 3);
  });
});

describe('a restarted node', () => {
  test('knows its contracts and goes on', async (context) => {
    const folder = makeTempFolder();
    context.after(() => removeFolder(folder));
    await makeChain(folder);
    const first = await serveFolder(folder);
    const submit = async (url: string, nonce: number, operation: JsonObject) => {
      const item = await node.sign({ nonce, operations: [operation] });
      const body = JSON.stringify({ items: [item] });
      const reply = json(await send(`${url}/submitTransaction`, { method: 'POST', body }));
      assert.equal(reply.error_code, 0, reply.error_desc as string);
      for (;;) {
        const history = await ask(url, 'getTransactionHistory', {
          hash: at(reply, 'result', 'hash') as string,
        });
        if (history.error_code === 0) return at(history, 'result', 'transactions', 0) as JsonObject;
      }
    };
    const made = await submit(first.served.httpUrl, 1, creation);
    const [{ contract_address: address }] = JSON.parse(made.error_desc as string);
    await submit(first.served.httpUrl, 2, call(address, 'before'));
    await first.served.close();
    const second = await serveFolder(folder);
    context.after(() => second.served.close());
    const query = { contract_address: address, opt_type: 2, input: 'x', source_address: bob.address };
    const reply = json(
      await send(`${second.served.httpUrl}/callContract`, { method: 'POST', body: JSON.stringify(query) }),
    );
    assert.equal(at(reply, 'result', 'query_rets', 0, 'result', 'value'), `said before to ${bob.address}`);
    const record = await submit(second.served.httpUrl, 3, call(address, 'after'));
    assert.deepEqual([record.error_code, (record.contract_tx_hashes as string[]).length], [0, 2]);
  });
});
