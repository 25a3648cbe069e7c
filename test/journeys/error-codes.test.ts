/**
 * Every error code of the interface document is reached over HTTP: in the reply of the route itself, in history for
 * what failed at execution, in the queue for what expired, in the sandbox for what a contract would do. One table; a
 * code without a row fails the last test.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { codeRows } from '@symbolon/core/ledger/terms/codes';
import { int64Max } from '@symbolon/core/limits/consensus';
import { recordRow } from '@symbolon/ledger-node/chain/rows';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { at, json, post, send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person, richest } from '../support/people.ts';
import {
  hashOf,
  type Order,
  operations,
  type RunningNode,
  startDamagedNode,
  startNode,
} from '../support/running-node.ts';
import { until } from '../support/until.ts';

const { payCoin, createAccount, issueAsset, payAsset, setMetadata, setPrivilege, log } = operations;

/** The table of the interface document. */
const documented = [
  0, 1, 2, 3, 4, 5, 7, 20, 21, 90, 91, 92, 93, 94, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 111, 114,
  120, 121, 144, 146, 151, 152, 153, 154, 155, 160,
];

const baseReserve = 1_000n;
const bob = person('bob');
const carol = person('carol');
const stranger = person('stranger');

let node: RunningNode;
/** Makes no block and holds two transactions. */
let idle: RunningNode;
/** Forgets a waiting transaction after a millisecond. */
let forgetful: RunningNode;

const owner = ownerOfSuite();

before(async () => {
  const never = { blockIntervalMs: 60_000 };
  [node, idle, forgetful] = await Promise.all([
    startNode(owner, { chain: { baseReserve } }),
    startNode(owner, { config: { ...never, queue: { transactionsMax: 2 } } }),
    startNode(owner, { config: { ...never, queue: { lifetimeMs: 1 } } }),
  ]);
  await node.execute({ operations: [payCoin(bob.address, 10n ** 12n), payCoin(carol.address, 10n ** 12n)] });
});

interface Case {
  readonly code: number;
  /** Where the code is read. */
  readonly route: string;
  readonly name: string;
  readonly reach: () => Promise<JsonValue | undefined>;
}

const read = (route: string, code: number, name: string, reach: Case['reach']): Case => ({
  code,
  route,
  name,
  reach,
});

/** Codes of submitTransaction's reply, read in both of its places. */
const submitted = (code: number, name: string, order: Order | (() => Order)): Case =>
  read('submitTransaction', code, name, async () => {
    const reply = await node.submit(typeof order === 'function' ? order() : order);
    assert.equal(at(reply, 'results', 0, 'error_code'), reply.error_code);
    assert.equal(reply.success_count, reply.error_code === 0 ? 1 : 0);
    if (reply.error_code !== 0) assert.notEqual(reply.error_desc, '');
    return reply.error_code;
  });

/** Codes that history keeps: the transaction is accepted, executed, charged, and fails. */
const executed = (code: number, name: string, order: Order): Case =>
  read('getTransactionHistory', code, name, async () => {
    const record = await node.execute(order);
    if (record.error_code !== 0) {
      assert.notEqual(record.error_desc, '');
      assert.equal(record.actual_fee, at(record, 'transaction', 'fee_limit'), 'the whole limit is charged');
    }
    return record.error_code;
  });

const replied = (code: number, route: string, query: Record<string, string>): Case =>
  read(route, code, JSON.stringify(query), async () => (await node.ask(route, query)).error_code);

const large = (bytes: number): JsonObject[] =>
  Array.from({ length: 5 }, (_, index) => setMetadata(`key ${index}`, 'v'.repeat(Math.floor(bytes / 5))));

const queryCases: Case[] = [
  replied(0, 'getAccount', { address: richest.address }),
  replied(2, 'getLedger', { seq: 'many' }),
  replied(2, 'createKeyPair', { sign_type: 'sm2' }),
  replied(4, 'getAccount', { address: stranger.address }),
  replied(4, 'getLedger', { seq: '1000000' }),
  replied(4, 'getTransactionHistory', { hash: '00'.repeat(32) }),
  replied(4, 'getTransactionCache', { hash: '00'.repeat(32) }),
  read(
    'callContract',
    4,
    'no contract and no code',
    async () => (await node.post('callContract', {})).error_code,
  ),
  read('testTransaction', 7, 'a gas price that makes the fee overflow', async () => {
    const body = {
      source_address: richest.address,
      nonce: 100,
      gas_price: int64Max,
      operations: [log('t', 'd')],
    };
    return (await node.post('testTransaction', body)).error_code;
  }),
];

const submitCases: Case[] = [
  submitted(0, 'a payment', { source: carol, operations: [payCoin(bob.address, 1)] }),
  submitted(2, 'another chain', { operations: [log('t', 'd')], fields: { chain_id: 7 } }),
  submitted(2, "a price below the chain's", { operations: [log('t', 'd')], fields: { gas_price: 0 } }),
  submitted(5, 'a ceiling that has passed', { operations: [log('t', 'd')], fields: { ceil_ledger_seq: 1 } }),
  submitted(20, 'a condition known to be false', {
    operations: [log('t', 'd')],
    fields: { expr_condition: '1 > 2' },
  }),
  submitted(21, 'a condition that is none', {
    operations: [log('t', 'd')],
    fields: { expr_condition: 'LEDGER_SEQ >' },
  }),
  submitted(92, 'an asset of nothing', { operations: [issueAsset('CNY', 0)] }),
  submitted(93, "somebody else's signature", { signers: [stranger], operations: [log('t', 'd')] }),
  submitted(94, 'a destination that is no address', { operations: [payCoin('ZTX3nowhere', 1)] }),
  submitted(97, 'no operation', { operations: [] }),
  submitted(98, '101 operations', { operations: Array.from({ length: 101 }, () => log('t', 'd')) }),
  submitted(99, 'a used nonce', { nonce: 1, operations: [log('t', 'd')] }),
  submitted(100, 'a fee limit beyond the balance', {
    operations: [log('t', 'd')],
    fields: { fee_limit: int64Max },
  }),
  submitted(101, 'a payment to oneself', { operations: [payCoin(richest.address, 1)] }),
  submitted(103, 'a source without account', { source: stranger, operations: [log('t', 'd')] }),
  submitted(111, 'a fee limit below the byte fee', { operations: [log('t', 'd')], fields: { fee_limit: 1 } }),
  submitted(120, 'a weight beyond 32 bits', { operations: [setPrivilege({ master_weight: '4294967296' })] }),
  submitted(121, 'a negative threshold', { operations: [setPrivilege({ tx_threshold: '-1' })] }),
  submitted(146, 'a blob of more than a mebibyte', { operations: large(1_100_000) }),
  // The blob alone fits; with its signature it does not.
  submitted(146, 'an envelope of more than a mebibyte', { operations: large(1_048_340) }),
  read('submitTransaction', 90, 'a public key that is none', async () => {
    const { transaction_blob, signatures } = await node.sign({ operations: [log('t', 'd')] });
    const flat = { transaction_blob, sign_data: signatures[0].sign_data, public_key: 'b001' };
    return (await node.post('submitTransaction', flat)).error_code;
  }),
  read('submitTransaction', 91, 'a private key that is none', async () => {
    const terms = { source_address: richest.address, nonce: 99, fee_limit: 1_000, gas_price: 1 };
    const transaction = { ...terms, operations: [log('t', 'd')] };
    const item = { transaction_json: transaction, private_keys: ['privB'] };
    return (await node.post('submitTransaction', { items: [item] })).error_code;
  }),
];

const executionCases: Case[] = [
  executed(0, 'a note', { source: bob, operations: [log('t', 'd')] }),
  executed(4, 'deleting metadata that is not there', {
    operations: [setMetadata('nothing', '', { delete_flag: true })],
  }),
  executed(7, 'an amount that overflows with the reserve', { operations: [payCoin(bob.address, int64Max)] }),
  executed(20, 'a condition that turns out false', {
    operations: [log('t', 'd')],
    fields: { expr_condition: 'LEDGER_SEQ < 1' },
  }),
  executed(21, 'a condition about nobody', {
    operations: [{ ...log('t', 'd'), expr_condition: 'jsonpath(account("nobody"), ".nonce") > 0' }],
  }),
  executed(93, 'an operation for an account that did not sign', {
    operations: [{ ...log('t', 'd'), source_address: bob.address }],
  }),
  executed(100, 'a payment beyond the balance', {
    source: bob,
    operations: [payCoin(carol.address, 10n ** 13n)],
  }),
  executed(102, 'creating an account that exists', { operations: [createAccount(bob.address, baseReserve)] }),
  executed(103, 'an operation of an account that does not exist', {
    operations: [{ ...log('t', 'd'), source_address: stranger.address }],
  }),
  executed(103, 'an asset to an account that does not exist', {
    operations: [payAsset(stranger.address, { issuer: richest.address, code: 'CNY', amount: 1 })],
  }),
  executed(104, 'paying an asset one does not have', {
    operations: [payAsset(bob.address, { issuer: carol.address, code: 'CNY', amount: 1 })],
  }),
  executed(105, 'issuing more than 64 bits hold', {
    operations: [issueAsset('ALL', int64Max), issueAsset('ALL', 1)],
    fields: { fee_limit: 20_000_000 },
  }),
  executed(106, 'an account below the reserve', {
    operations: [createAccount(stranger.address, baseReserve - 1n)],
  }),
  executed(106, 'a payment too small to make an account', { operations: [payCoin(stranger.address, 1)] }),
  executed(144, 'a version that is not the stored one', {
    operations: [setMetadata('versioned', 'v', { version: 5 })],
  }),
];

/** Code whose init does one thing. */
const initCode = (body: string): string => `"use strict"; function init(input) { ${body} return true; }`;

/** How the init of a new contract can end. */
const inits = {
  throws: 'Utils.assert(input === "", "no");',
  nests: 'Chain.contractCreate(Utils.int64Sub(Chain.msg.coinAmount, "1000"), 0, input, input);',
  floods: 'let i = 0; while (i < 513) { i += 1; Chain.tlog("t"); }',
  loops: 'while (true) { input += ""; }',
  grows: 'input = "x".repeat(500000000);',
  pays: 'Chain.payCoin(Chain.msg.sender, "1000000");',
};

const creation = (code: string, input = code): JsonObject => ({
  type: 1,
  create_account: {
    contract: { payload: code },
    init_balance: 10_000,
    init_input: input,
    priv: { thresholds: { tx_threshold: 1 } },
  },
});

/** The code a creation ends with in a block, and in the sandbox. */
const contractCases = (code: number, name: string, source: string): Case[] => [
  executed(code, name, { operations: [creation(source)] }),
  read('callContract', code, name, async () => {
    const reply = await node.post('callContract', {
      code: source,
      input: source,
      opt_type: 0,
      contract_balance: 10_000,
    });
    const last = (at(reply, 'result', 'txs') as JsonValue[]).at(-1);
    assert.equal(at(last, 'error_code'), reply.error_code, 'it is told of the call, too');
    return reply.error_code;
  }),
];

const codeWithMistakes = initCode('eval(input);');

const sandboxCases: Case[] = [
  ...contractCases(151, 'an assertion', initCode(inits.throws)),
  ...contractCases(151, 'no init', '"use strict"; function main(input) { return input; }'),
  ...contractCases(153, 'copies inside copies', initCode(inits.nests)),
  ...contractCases(154, '513 logs', initCode(inits.floods)),
  ...contractCases(155, 'an endless loop', initCode(inits.loops)),
  ...contractCases(155, 'too much memory', initCode(inits.grows)),
  ...contractCases(100, 'a contract that pays more than it has', initCode(inits.pays)),
  submitted(152, 'code with mistakes', { operations: [creation(codeWithMistakes)] }),
  submitted(94, 'a contract with an address of its own', {
    operations: [
      {
        type: 1,
        create_account: {
          ...(creation(initCode('')).create_account as JsonObject),
          dest_address: stranger.address,
        },
      },
    ],
  }),
  submitted(2, 'an upgrade of nothing', {
    operations: [{ type: 10, upgrade_contract: { dest_address: bob.address } }],
  }),
  executed(2, 'an upgrade of what is no contract', {
    operations: [
      { type: 10, upgrade_contract: { dest_address: bob.address, s_owner: true, owner: bob.address } },
    ],
  }),
  read('callContract', 152, 'code with mistakes', async () => {
    const reply = await node.post('callContract', { code: codeWithMistakes });
    assert.deepEqual(reply.error_desc_json, JSON.parse(reply.error_desc as string));
    return reply.error_code;
  }),
  read('testTransaction', 152, 'code with mistakes', async () => {
    const body = { source_address: richest.address, nonce: 1_000, operations: [creation(codeWithMistakes)] };
    return (await node.post('testTransaction', body)).error_code;
  }),
  read('testTransaction', 155, 'an endless loop', async () => {
    const body = {
      source_address: richest.address,
      nonce: 1_000,
      operations: [creation(initCode(inits.loops))],
    };
    return (await node.post('testTransaction', body)).error_code;
  }),
  read('callContract', 2, 'an unknown opt_type', async () => {
    return (await node.post('callContract', { code: initCode(''), opt_type: 3 })).error_code;
  }),
  read('callContract', 4, 'an address without contract', async () => {
    return (await node.post('callContract', { contract_address: bob.address, opt_type: 2 })).error_code;
  }),
];

const queueCases: Case[] = [
  read('submitTransaction', 3, 'the same transaction twice', async () => {
    const body = { items: [await idle.sign({ nonce: 1, operations: [log('t', 'd')] })] };
    assert.equal((await post(idle.url, 'submitTransaction', body)).error_code, 0);
    const again = await post(idle.url, 'submitTransaction', body);
    assert.equal(at(again, 'result', 'hash'), hashOf(body.items[0]), 'a repetition names the hash');
    return again.error_code;
  }),
  read('submitTransaction', 160, 'a rival that does not pay more', async () => {
    assert.equal((await idle.submit({ nonce: 2, operations: [log('t', 'd')] })).error_code, 0);
    return (await idle.submit({ nonce: 2, operations: [log('t', 'e')] })).error_code;
  }),
  read(
    'submitTransaction',
    114,
    'a third one in a queue for two',
    async () => (await idle.submit({ nonce: 3, operations: [log('t', 'd')] })).error_code,
  ),
  read('getTransactionCache', 5, 'one that waited too long', async () => {
    const item = await forgetful.sign({ nonce: 9, operations: [log('t', 'd')] });
    assert.equal((await forgetful.post('submitTransaction', { items: [item] })).error_code, 0);
    const hash = hashOf(item);
    const reply = await until('the queue forgets', async () => {
      const cached = await forgetful.ask('getTransactionCache', { hash });
      return cached.error_code !== 0 && cached;
    });
    assert.deepEqual(reply.result, { total_count: 0, transactions: [] });
    return reply.error_code;
  }),
];

const defectCases: Case[] = [
  read('getTransactionHistory', 1, 'a record that vanished from the store', async () => {
    let record: JsonObject = {};
    const damaged = await startDamagedNode(owner, async (sound) => {
      record = await sound.execute({ operations: [log('t', 'd')] });
      return [[recordRow(BigInt(record.ledger_seq as number), 0), undefined]];
    });
    const answer = await send(`${damaged.url}/getTransactionHistory?hash=${record.hash}`);
    assert.equal(answer.status, 500);
    assert.doesNotMatch(answer.text, /at |\.ts|missing/, "the cause is nobody's business");
    assert.match(damaged.logged(), /is missing/);
    assert.equal(damaged.served.notReady(), undefined, 'the node goes on');
    return json(answer).error_code;
  }),
];

const cases = [
  ...queryCases,
  ...submitCases,
  ...executionCases,
  ...sandboxCases,
  ...queueCases,
  ...defectCases,
];

describe('every code is reached over HTTP', () => {
  for (const { code, route, name, reach } of cases) {
    test(`${code} in ${route}: ${name}`, async () => assert.equal(await reach(), code));
  }
});

describe('the table of codes', () => {
  test('is the one of the interface document', () => {
    assert.deepEqual(
      codeRows.map(({ code }) => code),
      documented,
    );
  });

  test('has a case for each code', () => {
    const reached = new Set(cases.map(({ code }) => code));
    assert.deepEqual(
      documented.filter((code) => !reached.has(code)),
      [],
    );
  });
});
