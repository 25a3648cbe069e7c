/**
 * Answers that a caller can take at their word, over HTTP: numbers that are there also at zero, counts that say what
 * they count, notes that come back, an envelope around every answer.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type JsonObject, type JsonValue, stringifyJson } from '@symbolon/wire/json/json';
import { at } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person, richest } from '../support/people.ts';
import { hashOf, operations, type RunningNode, startNode } from '../support/running-node.ts';

const { payCoin, createAccount, setMetadata, setPrivilege, log } = operations;
const owner = ownerOfSuite();
const bob = person('bob');
const empty = person('empty');
const locked = person('locked');

const code = `"use strict";
function init(input) { return true; }
function main(input) { Chain.tlog('called', 'x'); Chain.tlog('again', 'y'); return true; }`;

let node: RunningNode;
/** Makes no block. */
let idle: RunningNode;

before(async () => {
  [node, idle] = await Promise.all([
    startNode(owner),
    startNode(owner, { config: { blockIntervalMs: 60_000 } }),
  ]);
  await node.execute({ operations: [payCoin(bob.address, 10n ** 9n), createAccount(empty.address, 0)] });
  await node.execute({ operations: [payCoin(locked.address, 10n ** 8n)] });
});

describe('accounts', () => {
  test('show balance, nonce and rights also at zero', async () => {
    for (const route of ['getAccount', 'getAccountBase']) {
      const { result } = await node.ask(route, { address: empty.address });
      assert.equal(at(result, 'balance'), 0, route);
      assert.equal(at(result, 'nonce'), 0, route);
      assert.deepEqual(at(result, 'priv'), { master_weight: 1, thresholds: { tx_threshold: 1 } }, route);
    }
    const genesis = (await idle.ask('getGenesisAccount')).result;
    assert.equal(at(genesis, 'nonce'), 0);
    await node.execute({
      source: locked,
      operations: [setPrivilege({ master_weight: '0', tx_threshold: '0' })],
    });
    const { result } = await node.ask('getAccountBase', { address: locked.address });
    assert.deepEqual(at(result, 'priv'), { master_weight: 0, thresholds: { tx_threshold: 0 } });
    const contract = { contract: { payload: code }, priv: { thresholds: { tx_threshold: 1 } } };
    const record = await node.execute({ operations: [{ type: 1, create_account: contract }] });
    const [{ contract_address: address }] = JSON.parse(record.error_desc as string);
    assert.equal(at((await node.ask('getAccountBase', { address })).result, 'priv', 'master_weight'), 0);
  });

  test('show metadata without a character as that', async () => {
    await node.execute({ operations: [setMetadata('blank', '')] });
    const expected = { key: 'blank', value: '', version: 1 };
    const { address } = richest;
    assert.deepEqual((await node.ask('getAccountMetaData', { address, key: 'blank' })).result, {
      blank: expected,
    });
    assert.deepEqual(at((await node.ask('getAccount', { address, key: 'blank' })).result, 'metadatas'), [
      expected,
    ]);
  });
});

describe('blocks', () => {
  test('show every fee, also at zero', async () => {
    const fees = at(await node.ask('getLedger', { with_fee: true }), 'result', 'fees') as JsonObject;
    assert.equal(fees.base_reserve, 0);
    assert.equal(fees.gas_price, 1);
  });

  test('have a consensus value from the first on', async () => {
    const first = await node.ask('getLedger', { seq: 1, with_consvalue: true });
    assert.deepEqual([first.error_code, first.error_desc], [0, '']);
    const value = at(first, 'result', 'consensus_value') as JsonObject;
    assert.deepEqual([value.txset, value.previous_proof_plain], [null, null]);
    assert.equal(at(value, 'ledger_upgrade', 'new_ledger_version'), at(first, 'result', 'header', 'version'));
  });

  test('count signed transactions over the whole chain, and those of one block are counted by its history', async () => {
    const contract = { contract: { payload: code }, priv: { thresholds: { tx_threshold: 1 } } };
    const created = await node.execute({ operations: [{ type: 1, create_account: contract }] });
    const [{ contract_address: address }] = JSON.parse(created.error_desc as string);
    const before = at(await node.ask('getLedger'), 'result', 'header', 'tx_count') as number;
    const { ledger_seq: seq } = await node.execute({ operations: [payCoin(address, 0)] });
    const header = at(await node.ask('getLedger', { seq: seq as number }), 'result', 'header');
    assert.equal(at(header, 'tx_count'), before + 1, 'what contracts trigger is not counted');
    const history = await node.ask('getTransactionHistory', { ledger_seq: seq as number });
    assert.equal(at(history, 'result', 'total_count'), 3, 'the call and the two it triggers');
    assert.equal(at(await node.ask('getLedger', { seq: 1 }), 'result', 'header', 'tx_count'), 0);
  });
});

describe('lists', () => {
  test('of a block say how many there are, whichever page is shown', async () => {
    const latest = await node.ask('getTransactionHistory');
    const all = at(latest, 'result', 'total_count') as number;
    assert.equal(all, (at(latest, 'result', 'transactions') as JsonValue[]).length);
    const page = await node.ask('getTransactionHistory', { start: 1, limit: 1 });
    assert.deepEqual([page.error_code, at(page, 'result', 'total_count')], [0, all]);
    const beyond = await node.ask('getTransactionHistory', { start: all });
    assert.deepEqual([beyond.error_code, beyond.result], [4, { total_count: all, transactions: [] }]);
  });

  test('of the queue count everything that waits', async () => {
    for (const nonce of [1, 2, 3]) await idle.submit({ nonce, operations: [log('t', `${nonce}`)] });
    const two = await idle.ask('getTransactionCache', { limit: 2 });
    assert.equal(at(two, 'result', 'total_count'), 3);
    assert.equal((at(two, 'result', 'transactions') as JsonValue[]).length, 2);
  });
});

describe('records of the queue', () => {
  test('carry error_code 0 and nothing of an execution', async () => {
    const item = await idle.sign({ nonce: 9, operations: [log('t', 'd')] });
    await idle.post('submitTransaction', { items: [item] });
    const record = at(
      await idle.ask('getTransactionCache', { hash: hashOf(item) }),
      'result',
      'transactions',
      0,
    );
    assert.deepEqual([at(record, 'error_code'), at(record, 'error_desc')], [0, '']);
    for (const name of ['actual_fee', 'close_time', 'ledger_seq', 'tx_size'])
      assert.equal(at(record, name), undefined, name);
  });
});

describe('a batch', () => {
  test('has an envelope around every answer', async () => {
    const { error_code, results } = await node.post('multiQuery', {
      items: [
        { url: 'hello' },
        { url: '/getModulesStatus' },
        { url: 'getConsensusInfo' },
        { url: `getAccountBase?address=${bob.address}` },
        { url: 'getTransactionFromBlob?blob=0a00' },
        { url: 'noSuchQuery' },
        { url: 5 },
        {},
        null,
        'getStatus',
        { url: 'getStatus', methd: 'GET' },
      ],
    });
    assert.equal(error_code, 0);
    const answers = results as JsonObject[];
    assert.deepEqual(
      answers.map((it) => it?.error_code),
      [0, 0, 0, 0, 0, 4, 2, 2, 2, 2, 2],
    );
    for (const answer of answers) assert.equal(typeof answer.error_desc, 'string', stringifyJson(answer));
    assert.equal(
      at(answers[0], 'ledger_version'),
      (await node.ask('hello')).ledger_version,
      'where clients look',
    );
    assert.match(answers[5].error_desc as string, /"noSuchQuery"/);
    assert.match(answers[10].error_desc as string, /did you mean "method"/);
  });
});

describe('notes', () => {
  const noted = async (fields: JsonObject, operation: JsonObject = {}): Promise<JsonObject> => {
    const record = await node.execute({ operations: [{ ...log('t', 'd'), ...operation }], fields });
    return record.transaction as JsonObject;
  };
  const hex = (text: string) => Buffer.from(text).toString('hex');

  test('come back as they were sent, a text beside its bytes', async () => {
    for (const text of ['for bob', 'Zürich ✓', 'abc', 'line\nline']) {
      const shown = await noted({ metadata: text }, { metadata: text });
      assert.deepEqual([shown.metadata, shown.metadata_text], [hex(text), text]);
      assert.equal(at(shown, 'operations', 0, 'metadata_text'), text);
    }
    const bytes = await noted({ metadata: 'ff00' });
    assert.deepEqual([bytes.metadata, 'metadata_text' in bytes], ['ff00', false]);
    const none = await noted({});
    assert.ok(!('metadata' in none) && !('metadata_text' in none));
  });

  test('that look like hex are taken for it, unless they are said to be text', async () => {
    const guessed = await noted({ metadata: '20261116' });
    assert.deepEqual([guessed.metadata, 'metadata_text' in guessed], ['20261116', false]);
    const said = await noted({ metadata_text: '20261116' }, { metadata_text: 'cafe' });
    assert.deepEqual([said.metadata, said.metadata_text], [hex('20261116'), '20261116']);
    assert.equal(at(said, 'operations', 0, 'metadata_text'), 'cafe');
    const terms = { source_address: richest.address, nonce: 9, fee_limit: 1, gas_price: 1 };
    const blob = (fields: JsonObject) =>
      node.post('getTransactionBlob', { ...terms, operations: [log('t', 'd')], ...fields });
    assert.equal((await blob({ metadata: hex('a b'), metadata_text: 'a b' })).error_code, 0);
    const torn = await blob({ metadata: 'x y', metadata_text: 'a b' });
    assert.equal(torn.error_code, 2);
    assert.match(torn.error_desc as string, /^metadata_text: /);
    assert.equal((await blob({ metadata_text: 5 })).error_code, 2);
  });
});

describe('code 20', () => {
  test('at submit costs nothing; in a block it uses the nonce and the fee, and the same may be sent again with the next', async () => {
    const nonce = async () =>
      Number(at(await node.ask('getAccountBase', { address: bob.address }), 'result', 'nonce'));
    const before = await nonce();
    const never = { source: bob, operations: [log('t', 'd')], fields: { expr_condition: '1 > 2' } };
    assert.equal((await node.submit(never)).error_code, 20);
    assert.equal(await nonce(), before);
    const { header } = (await node.ask('getLedger')).result as { header: { seq: number } };
    const later = {
      source: bob,
      operations: [log('t', 'd')],
      fields: { expr_condition: `LEDGER_SEQ > ${header.seq + 1}` },
    };
    const first = await node.execute(later);
    assert.deepEqual([first.error_code, first.actual_fee], [20, 10_000_000]);
    assert.equal(await nonce(), before + 1, 'the nonce is used');
    const second = await node.execute(later);
    assert.equal(second.error_code, 0, 'the condition holds in a later block');
    assert.equal(await nonce(), before + 2);
  });
});

describe('history without a question, cut by its size', () => {
  test('counts what it does not show, and shows it from where one asks', async () => {
    const fat = await startNode(owner);
    const value = 'x'.repeat(255 * 1024);
    const three = (index: number) => [0, 1, 2].map((part) => setMetadata(`large ${index * 3 + part}`, value));
    const hashes: JsonValue[] = [];
    for (let index = 0; index < 14; index++)
      hashes.unshift((await fat.execute({ operations: three(index) })).hash);
    const ask = async (start: number) => {
      const { result } = await fat.ask('getTransactionHistory', { start });
      const shown = (at(result, 'transactions') as JsonObject[]).map(({ hash }) => hash);
      return { shown, total: at(result, 'total_count') };
    };
    const first = await ask(0);
    assert.ok(first.shown.length < 14, 'an answer is bounded');
    assert.deepEqual(first, { shown: hashes.slice(0, first.shown.length), total: 14 });
    const rest = await ask(first.shown.length);
    assert.deepEqual(rest, { shown: hashes.slice(first.shown.length), total: 14 });
    assert.deepEqual(await ask(14), { shown: [], total: 14 });
  });
});
