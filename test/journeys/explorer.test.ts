/** The explorer's routes of a real node: what was just executed is found, and the index outlives whatever befalls it. */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { explorerPath } from '@symbolon/ledger-node/node/node-folder';
import { createLedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { httpTransport } from '@symbolon/sdk/transport/transport';
import type { JsonObject } from '@symbolon/wire/json/json';
import { explorerRoutes } from '@symbolon/wire/ledger/explorer/routes';
import { at } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person, richest } from '../support/people.ts';
import {
  makeChain,
  operations,
  type RunningNode,
  runningNodeOf,
  serveFolder,
  startNode,
} from '../support/running-node.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const { payCoin, issueAsset, setMetadata, log, createAccount } = operations;
const owner = ownerOfSuite();
const bob = person('bob');
const nobody = person('nobody');
const script = '<script>alert(1)</script>';

const itemsOf = (reply: JsonObject, name = 'transactions') => at(reply, 'result', name) as JsonObject[];
const hashesOf = (reply: JsonObject) => itemsOf(reply).map(({ hash }) => hash);

describe('the explorer of a node', () => {
  let node: RunningNode;
  const hashes: string[] = [];
  const execute = async (order: Parameters<RunningNode['execute']>[0]) => {
    const { hash } = await node.execute(order);
    hashes.push(hash as string);
    return hash as string;
  };

  before(async () => {
    node = await startNode(owner);
    await execute({ operations: [createAccount(bob.address, 1_000_000_000), issueAsset('GOLD', 9)] });
    await execute({ operations: [setMetadata(script, script), log(script, script)] });
    await execute({ source: bob, operations: [payCoin(nobody.address, 10n ** 15n)] });
    await execute({ source: bob, operations: [payCoin(richest.address, 5)] });
  });

  test('finds what was executed a moment ago', async () => {
    const hash = await execute({ operations: [payCoin(bob.address, 7)] });
    const reply = await node.ask('getTransactions', { limit: 1 });
    assert.deepEqual(hashesOf(reply), [hash]);
    assert.equal(at(reply, 'result', 'indexed_seq'), at(reply, 'result', 'head_seq'));
    for (const name of Object.keys(explorerRoutes).filter((route) => route !== 'getExplorerOverview')) {
      const query = { address: bob.address, hash, q: hash };
      const [known] = Object.entries(query).filter(
        ([key]) => key in explorerRoutes[name as 'searchLedger'].query,
      );
      const answered = await node.ask(name, known ? { [known[0]]: known[1] } : {});
      assert.equal(answered.error_code, 0, name);
      explorerRoutes[name as 'searchLedger'].reply.parse(answered);
    }
  });

  test('lists pages that fit together, of everybody and of one account', async () => {
    const pages: unknown[] = [];
    for (let cursor: string | undefined; ; ) {
      const reply = await node.ask('getTransactions', { limit: 2, ...(cursor && { cursor }) });
      pages.push(...hashesOf(reply));
      cursor = (at(reply, 'result', 'next_cursor') as string | null) ?? undefined;
      if (!cursor) break;
    }
    assert.deepEqual(pages, [...hashes].reverse());
    const own = await node.ask('getAccountTransactions', { address: bob.address });
    assert.deepEqual(
      itemsOf(own).map(({ roles }) => roles),
      [['destination'], ['source'], ['source'], ['destination', 'created']],
    );
    assert.deepEqual(hashesOf(await node.ask('getTransactions', { failed: true })), [hashes[2]]);
    const stranger = await node.ask('getAccountTransactions', { address: nobody.address });
    assert.deepEqual(hashesOf(stranger), [hashes[2]], 'whom a failed payment was for');
    const unheard = await node.ask('getAccountTransactions', { address: person('unheard').address });
    assert.equal(unheard.error_code, 4);
  });

  test('says what a transaction changed, and nothing but its fee of a failed one', async () => {
    const { result } = await node.ask('getTransactionEffects', { hash: hashes[1] });
    const [account] = at(result, 'accounts') as JsonObject[];
    assert.deepEqual(account.metadatas, [
      { key: script, before: null, after: { value: script, value_chars: script.length, version: 1 } },
    ]);
    const [logged] = at(result, 'logs') as JsonObject[];
    assert.deepEqual([logged.topic, logged.datas], [script, [script]]);
    const failed = await node.ask('getTransactionEffects', { hash: hashes[2] });
    assert.deepEqual(
      (at(failed, 'result', 'accounts') as JsonObject[]).map(({ address, nonce }) => [address, nonce]),
      [[bob.address, { before: 0, after: 1 }]],
    );
    assert.notEqual(at(failed, 'result', 'error_code'), 0);
    assert.equal((await node.ask('getTransactionEffects', { hash: '00'.repeat(32) })).error_code, 4);
  });

  test('is asked through a batch and by the SDK, too', async () => {
    const items = [{ url: `getAccountTransactions?address=${bob.address}&limit=1` }, { url: 'getAccounts' }];
    const { results } = await node.post('multiQuery', { items });
    assert.deepEqual(
      (results as JsonObject[]).map(({ error_code: code }) => code),
      [0, 0],
    );
    const client = createLedgerClient(httpTransport(node.url));
    const { result } = await client.getAccounts({ limit: 200 });
    assert.equal(
      result?.accounts.some(({ address }) => address === bob.address),
      true,
    );
    assert.equal((await client.getExplorerOverview()).result?.index?.failed_count, 1);
  });

  test('refuses what no list has given, and what means something else', async () => {
    const { result } = await node.ask('getTransactions', { limit: 1 });
    const cursor = at(result, 'next_cursor') as string;
    const refused: [name: string, query: Record<string, string | number | boolean>, words: RegExp][] = [
      ['getTransactions', { cursor: `${cursor}A` }, /^cursor: is none/],
      ['getTransactions', { cursor, failed: true }, /^cursor: is none/],
      ['getAccounts', { cursor }, /^cursor: is none/],
      ['getAccountTransactions', { address: bob.address, cursor }, /^cursor: is none/],
      ['getLedgerFigures', { cursor }, /^cursor: is none/],
      ['getTransactions', { cursor: 'x'.repeat(65) }, /^cursor: is none/],
      ['getTransactions', { cursor: '' }, /^cursor: is blank/],
      ['getTransactions', { limit: 0 }, /^limit: must be from 1 to 200/],
      ['getTransactions', { limit: 201 }, /^limit: must be from 1 to 200/],
      ['getTransactions', { failed: true, triggered: true }, /^triggered:/],
      ['getTransactions', { failed: true, ledger_seq: 2 }, /^failed:/],
      ['getTransactions', { faild: true }, /did you mean "failed"/],
      ['getLedgerFigures', { from_seq: 3, to_seq: 2 }, /^to_seq:/],
      ['searchLedger', { q: 'abc' }, /^q: a block number/],
      ['searchLedger', {}, /^q: a block number/],
      ['searchLedger', { q: 'x'.repeat(81) }, /^q: at most 80/],
      ['getTransactionEffects', { hash: 'zz' }, /^hash: must be 64/],
      ['getTransactionEffects', {}, /^hash is missing/],
    ];
    for (const [name, query, words] of refused) {
      const { error_code: code, error_desc: description } = await node.ask(name, query);
      assert.equal(code, 2, `${name} ${JSON.stringify(query)}`);
      assert.match(description as string, words);
    }
    for (const seq of [0, -1, 10 ** 15, '9223372036854775807'])
      assert.equal((await node.ask('getTransactions', { ledger_seq: seq })).error_code, 4, String(seq));
    for (const query of [
      { from_seq: '9223372036854775807' },
      { from_seq: -5, to_seq: '9223372036854775807' },
    ])
      assert.equal((await node.ask('getLedgerFigures', query)).error_code, 0);
    assert.equal((await node.ask('getAccountTransactions', { address: 'x'.repeat(5_000) })).error_code, 4);
  });
});

describe('an index', () => {
  /** Serves a folder until the work is done. */
  async function serving<Result>(
    folder: string,
    work: (node: RunningNode) => Promise<Result>,
    config: JsonObject = {},
  ): Promise<Result> {
    const { served, logged } = await serveFolder(folder, config);
    try {
      return await work(runningNodeOf(served, folder, logged));
    } finally {
      await served.close();
    }
  }

  const whole = (node: RunningNode) =>
    until('the index is whole', async () => {
      const reply = await node.ask('getTransactions', { triggered: true });
      return at(reply, 'result', 'indexed_seq') === at(reply, 'result', 'head_seq') && reply;
    });

  test('is made anew where it is missing, damaged, or of another chain, and goes on where it is not', async (t) => {
    const [folder, other] = [tempFolder(t), tempFolder(t)];
    await makeChain(folder);
    await makeChain(other, { chain: { slogan: 'another' } });
    await serving(other, async (node) => {
      for (let amount = 1; amount < 9; amount++)
        await node.execute({ operations: [payCoin(bob.address, amount)] });
      await whole(node);
    });
    const expected = await serving(folder, async (node) => {
      for (let amount = 1; amount < 4; amount++)
        await node.execute({ operations: [payCoin(bob.address, amount)] });
      return whole(node);
    });
    assert.deepEqual(await serving(folder, whole), expected, 'goes on');
    const index = explorerPath(folder);
    rmSync(index, { recursive: true });
    assert.deepEqual(await serving(folder, whole), expected, 'was removed');
    for (const name of readdirSync(index)) writeFileSync(join(index, name), 'not what it was');
    assert.deepEqual(await serving(folder, whole), expected, 'was damaged');
    rmSync(index, { recursive: true });
    cpSync(explorerPath(other), index, { recursive: true });
    assert.deepEqual(await serving(folder, whole), expected, 'is of another chain');
  });

  test('is not there where the node keeps none, and the node says so', async (t) => {
    const folder = tempFolder(t);
    await makeChain(folder);
    await serving(
      folder,
      async (node) => {
        const { error_code: code, error_desc: description } = await node.ask('getAccounts');
        assert.equal(code, 4);
        assert.match(description as string, /its setting explorer is false/);
        const { result } = await node.ask('getExplorerOverview');
        assert.deepEqual([at(result, 'head_seq'), at(result, 'index')], [1, null]);
      },
      { explorer: false },
    );
  });
});
