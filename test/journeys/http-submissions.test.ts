/**
 * What becomes of a submission, over HTTP: refused at once where it can be known, told with code 5 when its time has
 * passed, and a nonce that others wait for always finds a place.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { at } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { hashOf, operations, type RunningNode, type SignedItem, startNode } from '../support/running-node.ts';
import { until } from '../support/until.ts';

const { payCoin, createAccount, setMetadata, log } = operations;
const owner = ownerOfSuite();
const bob = person('bob');
const carol = person('carol');
const dave = person('dave');

let node: RunningNode;
before(async () => {
  node = await startNode(owner);
  await node.execute({ operations: [payCoin(bob.address, 10n ** 9n), payCoin(carol.address, 10n ** 9n)] });
});

describe('negative numbers', () => {
  test('are refused at submit and in a trial, and cost nothing', async () => {
    const metadatas = [{ key: 'k', value: 'v', version: -1 }];
    const priv = { master_weight: 1, thresholds: { tx_threshold: 1 } };
    const orders: [operation: JsonObject, code: number][] = [
      [setMetadata('k', 'v', { version: -1 }), 144],
      [setMetadata('k', '', { version: -1, delete_flag: true }), 144],
      [createAccount(dave.address, -1), 2],
      [{ type: 1, create_account: { dest_address: dave.address, priv, metadatas } }, 144],
    ];
    const before = await node.balance(bob.address);
    for (const [operation, code] of orders) {
      const reply = await node.submit({ source: bob, operations: [operation] });
      assert.equal(reply.error_code, code, reply.error_desc as string);
      const trial = { source_address: bob.address, nonce: 99, operations: [operation] };
      assert.equal((await node.post('testTransaction', trial)).error_code, code);
    }
    assert.equal(await node.balance(bob.address), before);
  });
});

describe('create_account', () => {
  const rights = (dest: string, priv: JsonObject): JsonObject => ({
    type: 1,
    create_account: { dest_address: dest, init_balance: 10_000_000_000, priv: { master_weight: 1, ...priv } },
  });

  test('gives the account its signers and thresholds, as set_privilege would', async () => {
    const signers = [{ address: bob.address, weight: 2 }];
    const type_thresholds = [{ type: 7, threshold: 3 }];
    const created = await node.execute({
      operations: [rights(dave.address, { signers, thresholds: { tx_threshold: 1, type_thresholds } })],
    });
    assert.equal(created.error_code, 0, created.error_desc as string);
    const shown = at(await node.ask('getAccountBase', { address: dave.address }), 'result', 'priv');
    assert.deepEqual(shown, { master_weight: 1, signers, thresholds: { tx_threshold: 1, type_thresholds } });

    const pay = { source: dave, operations: [payCoin(carol.address, 1)] };
    assert.equal((await node.execute(pay)).error_code, 93, 'the weight of one is not enough');
    assert.equal((await node.execute({ ...pay, signers: [dave, bob] })).error_code, 0);
    assert.equal(
      (await node.execute({ source: dave, signers: [bob], operations: [log('t', 'd')] })).error_code,
      0,
    );
  });

  test('takes thresholds beside the weights, too', async () => {
    const erin = person('erin');
    const flat = {
      signers: [{ address: bob.address, weight: 1 }],
      tx_threshold: 1,
      type_thresholds: [{ type: 8, threshold: 2 }],
    };
    assert.equal((await node.execute({ operations: [rights(erin.address, flat)] })).error_code, 0);
    assert.deepEqual(
      at(
        await node.ask('getAccountBase', { address: erin.address }),
        'result',
        'priv',
        'thresholds',
        'type_thresholds',
      ),
      [{ type: 8, threshold: 2 }],
    );
  });

  test('refuses rights that set_privilege refuses', async () => {
    const frank = person('frank');
    const thresholds = { tx_threshold: 1 };
    const cases: [priv: JsonObject, code: number][] = [
      [{ thresholds, signers: [{ address: 'nobody', weight: 1 }] }, 94],
      [{ thresholds, signers: [{ address: frank.address, weight: 1 }] }, 94],
      [{ thresholds, signers: [{ address: bob.address, weight: -1 }] }, 120],
      [{ thresholds, signers: [{ address: bob.address, weight: 4_294_967_296 }] }, 120],
      [{ thresholds, signers: [bob, bob].map(({ address }) => ({ address, weight: 1 })) }, 2],
      [{ thresholds: { tx_threshold: 1, type_thresholds: [{ type: 101, threshold: 1 }] } }, 2],
      [{ thresholds: { tx_threshold: 1, type_thresholds: [{ type: 1, threshold: -1 }] } }, 121],
      [{ thresholds: { tx_threshold: 2 } }, 2],
      [{ master_weight: 2, thresholds }, 2],
    ];
    for (const [priv, code] of cases)
      assert.equal(
        (await node.submit({ operations: [rights(frank.address, priv)] })).error_code,
        code,
        JSON.stringify(priv),
      );
    const contract = { payload: '"use strict"; function init(i) { return true; }' };
    const priv = { thresholds, signers: [{ address: bob.address, weight: 1 }] };
    const owned = { type: 1, create_account: { contract, priv } };
    assert.equal((await node.submit({ operations: [owned] })).error_code, 2, 'nobody signs for a contract');
  });
});

test('what the engine says of itself is text like any other: the chain goes on', async () => {
  for (const words of ['Stack overflow', 'Maximum call stack size exceeded', 'out of memory']) {
    const expr_condition = `jsonpath("${words}", ".a") > 0`;
    const executed = await node.execute({ operations: [log('t', 'd')], fields: { expr_condition } });
    assert.equal(executed.error_code, 21, words);
  }
  assert.equal((await node.execute({ operations: [log('t', '1')] })).error_code, 0);
});

describe('ceil_ledger_seq', () => {
  const seqNow = async () => at(await node.ask('getLedger'), 'result', 'header', 'seq') as number;

  test('that has passed while the transaction waited is told with 5', async () => {
    const ceil = (await seqNow()) + 1;
    const nonce =
      Number(at(await node.ask('getAccountBase', { address: carol.address }), 'result', 'nonce')) + 2;
    const item = await node.sign({
      source: carol,
      nonce,
      operations: [log('t', 'd')],
      fields: { ceil_ledger_seq: ceil },
    });
    assert.equal((await node.post('submitTransaction', { items: [item] })).error_code, 0);
    const hash = hashOf(item);
    assert.equal((await node.ask('getTransactionCache', { hash })).error_code, 0);
    await node.execute({ operations: [log('t', '1')] });
    const cached = await until('its ceiling has passed', async () => {
      const reply = await node.ask('getTransactionCache', { hash });
      return reply.error_code !== 0 && reply;
    });
    assert.deepEqual([cached.error_code, cached.result], [5, { total_count: 0, transactions: [] }]);
    assert.match(cached.error_desc as string, /^its ceil_ledger_seq has passed: .*no block will hold it/);
    assert.equal((await node.ask('getTransactionHistory', { hash })).error_code, 4);
    const again = await node.post('submitTransaction', { items: [item] });
    assert.equal(again.error_code, 5, 'also when it is sent again');
    assert.match(again.error_desc as string, /ceil_ledger_seq/);
  });
});

describe('a nonce that fills a gap', () => {
  test('displaces the last waiting one of its account', async () => {
    const small = await startNode(owner, {
      config: { blockIntervalMs: 60_000, queue: { transactionsPerAccountMax: 3 } },
    });
    const item = (nonce: number) => small.sign({ nonce, operations: [log('t', `${nonce}`)] });
    const submit = async (nonce: number) =>
      (await small.post('submitTransaction', { items: [await item(nonce)] })).error_code;
    for (const nonce of [2, 3, 5]) assert.equal(await submit(nonce), 0);
    assert.equal(await submit(6), 160, 'one after the last has no claim');
    assert.equal(await submit(1), 0, 'the others wait for it');
    const waiting = at(await small.ask('getTransactionCache'), 'result', 'transactions') as JsonObject[];
    assert.deepEqual(
      waiting.map((it) => at(it, 'transaction', 'nonce')),
      [1, 2, 3],
    );
    assert.equal(await submit(4), 160, 'nothing waits behind it');
    const displaced = await small.ask('getTransactionCache', { hash: hashOf(await item(5)) });
    assert.equal(displaced.error_code, 160);
    assert.match(displaced.error_desc as string, /^dropped: an earlier nonce/);
  });
});

describe('a transaction that was accepted and had to leave', () => {
  test('is told with the reason, until it is sent again', async () => {
    const full = await startNode(owner, {
      config: { blockIntervalMs: 60_000, queue: { transactionsMax: 2 } },
    });
    const item = (nonce: number, price: number) =>
      full.sign({ nonce, operations: [log('t', 'd')], fields: { gas_price: price } });
    const submit = async (sent: SignedItem) =>
      (await full.post('submitTransaction', { items: [sent] })).error_code;
    const told = async (sent: SignedItem) => {
      const { error_code, error_desc } = await full.ask('getTransactionCache', { hash: hashOf(sent) });
      return [error_code, error_desc];
    };
    const [cheap, dear, far, near] = [await item(2, 1), await item(2, 2), await item(9, 1), await item(1, 1)];
    assert.equal(await submit(cheap), 0);
    assert.equal(await submit(dear), 0);
    assert.deepEqual(await told(cheap), [
      160,
      'dropped: replaced by one of the same nonce with a higher gas price',
    ]);
    assert.equal(await submit(far), 0);
    assert.equal(await submit(near), 0);
    assert.deepEqual(await told(far), [160, 'dropped: pushed out of the full queue by a better one']);
    assert.equal((await told(near))[0], 0);
    assert.equal(await submit(await item(2, 3)), 0);
    assert.equal((await told(dear))[0], 160);
  });
});
