/**
 * What is tried out says what would happen: testTransaction ends as the transaction itself would, with the code that
 * submitting or executing it gives, and a failed callContract says so where callers look first.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { at } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person, richest } from '../support/people.ts';
import { operations, type RunningNode, startNode } from '../support/running-node.ts';

const { payCoin, payAsset, createAccount, issueAsset, setMetadata, setPrivilege, log } = operations;
const owner = ownerOfSuite();
const bob = person('bob');
const stranger = person('stranger');
const baseReserve = 1_000n;

const code = `"use strict";
function init(input) { Utils.assert(input === '', 'no init'); return true; }
function main(input) { Utils.assert(input === '', 'no main'); Chain.tlog('called', 'x'); return true; }
function query(input) { Utils.assert(input !== 'throw', 'no answer'); return 'fine'; }`;

let node: RunningNode;
let contract: string;

before(async () => {
  node = await startNode(owner, { chain: { baseReserve } });
  await node.execute({ operations: [payCoin(bob.address, 10n ** 9n)] });
  const creation = {
    contract: { payload: code },
    init_balance: 10_000,
    priv: { thresholds: { tx_threshold: 1 } },
  };
  const record = await node.execute({ operations: [{ type: 1, create_account: creation }] });
  const [created] = JSON.parse(record.error_desc as string) as { contract_address: string }[];
  contract = created.contract_address;
});

const tried = (list: JsonValue, fields: JsonObject = {}) =>
  node.post('testTransaction', {
    source_address: richest.address,
    nonce: 1_000,
    operations: list,
    ...fields,
  });

describe('a trial of a contract', () => {
  const call = (input: string) => ({ type: 7, pay_coin: { dest_address: contract, amount: 0, input } });

  test('says what it returned, and where it failed', async () => {
    const fine = await tried([log('t', 'd'), call('')]);
    assert.deepEqual(at(fine, 'result', 'returned'), { type: 'bool', value: true });
    assert.equal(at(await tried([log('t', 'd')]), 'result', 'returned'), undefined, 'nothing was called');
    const failed = await tried([log('t', 'd'), call('x')]);
    assert.equal(failed.result, null);
    const source =
      "function main(input) { Utils.assert(input === '', 'no main'); Chain.tlog('called', 'x'); return true; }";
    assert.deepEqual(failed.trace, [
      {
        contract_address: contract,
        entry: 'main',
        input: 'x',
        operation_index: 1,
        function: 'Utils.assert',
        exception: 'no main',
        line: 3,
        source,
      },
    ]);
  });

  test('says so for callContract too, and leaves out what it does not know', async () => {
    const run = (opt_type: number, input: string) =>
      node.post('callContract', { contract_address: contract, opt_type, input });
    assert.deepEqual(at(await run(1, ''), 'result', 'returned'), { type: 'bool', value: true });
    assert.equal(at(await run(1, 'x'), 'trace', 0, 'exception'), 'no main');
    assert.equal(at(await run(2, 'throw'), 'trace', 0, 'entry'), 'query');
    assert.equal((await run(2, '')).trace, undefined);
    assert.equal(
      (await tried([payAsset(stranger.address, { issuer: bob.address, code: 'X', amount: 1 })])).trace,
      undefined,
    );
  });
});

describe('testTransaction', () => {
  test('lets a payment make the account that it pays', async () => {
    const made = person('made by a payment');
    const reply = await tried([payCoin(made.address, baseReserve)]);
    assert.equal(reply.error_code, 0, reply.error_desc as string);
    assert.equal(
      (await node.ask('getAccountBase', { address: made.address })).error_code,
      4,
      'only tried out',
    );
    const record = await node.execute({ operations: [payCoin(made.address, baseReserve)] });
    assert.equal(record.error_code, 0);
    assert.equal(
      (await tried([payCoin(made.address, 1), createAccount(stranger.address, 5_000)])).error_code,
      0,
    );
    const both = [createAccount(stranger.address, 5_000), payCoin(stranger.address, 1)];
    assert.equal((await tried(both)).error_code, 0, 'an account made by an earlier operation exists');
  });

  test('ends with the code of submitting or executing the same', async () => {
    const orders: [name: string, operations: JsonValue, fields?: JsonObject][] = [
      ['nothing wrong', [log('t', 'd')]],
      ['a payment too small to make an account', [payCoin(stranger.address, 1)]],
      ['an asset to nobody', [payAsset(stranger.address, { issuer: richest.address, code: 'A', amount: 1 })]],
      [
        'an asset that is not there',
        [payAsset(bob.address, { issuer: richest.address, code: 'A', amount: 1 })],
      ],
      ['an asset of nothing', [issueAsset('A', 0)]],
      ['an account that exists', [createAccount(bob.address, 5_000)]],
      ['an account below the reserve', [createAccount(stranger.address, 1)]],
      ['no address', [payCoin('ZTX3nowhere', 1)]],
      ['oneself', [payCoin(richest.address, 1)]],
      ['a version', [setMetadata('k', 'v', { version: 7 })]],
      ['nothing to delete', [setMetadata('k', '', { delete_flag: true })]],
      ['a weight', [setPrivilege({ master_weight: '-1' })]],
      ['a threshold', [setPrivilege({ tx_threshold: '-1' })]],
      ['a source that does not exist', [{ ...log('t', 'd'), source_address: stranger.address }]],
      ['no operation', []],
      ['101 operations', Array.from({ length: 101 }, () => log('t', 'd'))],
      ['another chain', [log('t', 'd')], { chain_id: 7 }],
      ['a ceiling that has passed', [log('t', 'd')], { ceil_ledger_seq: 1 }],
      ['a false condition', [log('t', 'd')], { expr_condition: '1 > 2' }],
      ['a condition that is none', [log('t', 'd')], { expr_condition: '1 >' }],
      ['a condition that turns out false', [log('t', 'd')], { expr_condition: 'LEDGER_SEQ < 1' }],
      ['a used nonce', [log('t', 'd')], { nonce: 1 }],
      [
        'a contract that refuses',
        [payCoin(contract, 0, { pay_coin: { dest_address: contract, input: 'x' } })],
      ],
    ];
    for (const [name, list, fields] of orders) {
      const { nonce, ...rest } = fields ?? {};
      const trial = await tried(list, fields);
      const reply = await node
        .submit({ operations: list, fields: rest, ...(nonce !== undefined && { nonce: nonce as number }) })
        .catch((error: Error) => ({ error_code: error.message }) as JsonObject);
      const real = reply.error_code === 0 ? await node.record(at(reply, 'result', 'hash') as string) : reply;
      assert.equal(trial.error_code, real.error_code, `${name}: ${trial.error_desc} / ${real.error_desc}`);
    }
  });
});

describe('callContract', () => {
  const call = (body: JsonObject) => node.post('callContract', { contract_address: contract, ...body });

  test('says in its own code that the run failed, with everything that it has to tell', async () => {
    const asked = await call({ opt_type: 2, input: 'throw' });
    assert.equal(asked.error_code, 151);
    assert.equal((JSON.parse(asked.error_desc as string) as JsonObject).exception, 'no answer');
    assert.match(at(asked, 'result', 'query_rets', 0, 'error', 'data', 'exception') as string, /no answer/);

    for (const body of [
      { opt_type: 1, input: 'x' },
      { opt_type: 0, input: 'x', contract_address: '', code },
    ] as JsonObject[]) {
      const failed = await call(body);
      assert.equal(failed.error_code, 151, JSON.stringify(body));
      const last = (at(failed, 'result', 'txs') as JsonValue[]).at(-1);
      assert.equal(at(last, 'error_code'), 151);
      assert.equal(at(last, 'error_desc'), failed.error_desc);
    }
    const poor = await call({ opt_type: 1, fee_limit: 1 });
    assert.equal(poor.error_code, 111);
    // Public clients hand over the whole reply where the code is not 0, and their callers look for these members.
    assert.deepEqual(asked.query_rets, at(asked, 'result', 'query_rets'));
    assert.deepEqual(poor.txs, at(poor, 'result', 'txs'));
  });

  test('says nothing of the kind where it succeeds', async () => {
    for (const body of [
      { opt_type: 2 },
      { opt_type: 1 },
      { opt_type: 0, contract_address: '', code },
    ] as JsonObject[]) {
      const reply = await call(body);
      assert.deepEqual([reply.error_code, reply.error_desc], [0, '']);
      assert.deepEqual(Object.keys(reply), ['error_code', 'error_desc', 'result']);
    }
  });
});
