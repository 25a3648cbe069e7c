/** Four validators on a real CometBFT, by the operator's commands: whatever fails, one chain goes on or waits. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { genesisKeyFile } from '@symbolon/cli/network/network-file';
import { type JsonObject, parseJson } from '@symbolon/wire/json/json';
import { ask, at } from '../support/http.ts';
import { type RunningNetwork, startNetwork } from '../support/networks.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { symbolon } from '../support/symbolon-process.ts';
import { until } from '../support/until.ts';

const everybody = [1, 2, 3, 4];
const receiver = person('receiver on the network');

describe('a network of four validators', () => {
  const owner = ownerOfSuite();
  let network: RunningNetwork;
  before(async () => {
    network = await startNetwork(owner);
  });

  /** By the command, at one node; answers the hash. */
  const pay = async (node: number): Promise<string> => {
    const words = ['tx', 'pay', receiver.address, '1gas', '--key', genesisKeyFile(network.dir)];
    const { code, out, err } = await symbolon(owner, [
      ...words,
      '--ledger',
      await network.url(node),
      '--json',
    ]);
    assert.equal(code, 0, err);
    return String((parseJson(out) as JsonObject).transaction);
  };

  const assertSame = async (height: number, nodes: readonly number[]) => {
    // Of the newest block the commit is told one block later.
    const block = await network.blockOn(height - 1, nodes);
    assert.equal(block.nodes.length, nodes.length, JSON.stringify(block));
    assert.ok(block.isSame, JSON.stringify(block));
  };

  test('makes blocks, and has a payment on every node in the same block', async () => {
    const hash = await pay(1);
    const blocks = await Promise.all(
      everybody.map(async (node) => {
        const url = await network.url(node);
        const record = await until(`the payment on node ${node}`, async () => {
          const reply = await ask(url, 'getTransactionHistory', { hash });
          return at(reply, 'result', 'transactions', 0) as JsonObject | undefined;
        });
        const seq = String(record.ledger_seq);
        const header = at(await ask(url, 'getLedger', { seq }), 'result', 'header') as JsonObject;
        return { code: record.error_code, seq, hash: header.hash };
      }),
    );
    assert.equal(blocks[0]?.code, 0);
    for (const block of blocks) assert.deepEqual(block, blocks[0]);
    await assertSame(await network.goOn(2, everybody), everybody);
  });

  test('goes on without one that is killed, which catches up when it is started', async () => {
    await network.command(['kill', '3']);
    await network.goOn(4, [1, 2, 4]);
    // The two that would remain and run have no more than two thirds.
    const refused = await network.command(['remove-validator', '2'], { exits: 2 });
    assert.deepEqual(at(refused, 'error', 'power'), { present: 20, whole: 30 });
    assert.match(String(at(refused, 'error', 'message')), /Without node-2 no block would be made.*start 3/s);
    const hash = await pay(2);
    await network.command(['start', '3']);
    const height = await network.goOn(3, [1, 2, 3, 4]);
    await assertSame(height, everybody);
    assert.equal(at(await ask(await network.url(3), 'getTransactionHistory', { hash }), 'error_code'), 0);
  });

  test('stands still without two, and goes on as one chain when they are back', async () => {
    await network.command(['kill', '2']);
    await network.command(['kill', '4']);
    // What was under way may still be decided.
    await delay(1_500);
    const stood = await network.heightOf(1);
    await delay(4_000);
    assert.equal(await network.heightOf(1), stood);
    const status = await network.command(['status'], { exits: 1 });
    assert.equal(at(status, 'error', 'code'), 'notReady');
    for (const words of [['add-validator'], ['remove-validator', '1']]) {
      const refused = at(await network.command(words, { exits: 1 }), 'error') as JsonObject;
      assert.equal(refused.code, 'notReady');
      assert.match(String(refused.message), /20 of 40 .*node-2 is stopped\. node-4 is stopped\./);
    }
    assert.equal((await network.facts()).nodes.length, 4);
    await network.command(['start', '2']);
    await network.command(['start', '4']);
    await assertSame(await network.goOn(3, everybody), everybody);
  });

  test('takes another validator, which signs, and lets one go', async () => {
    const added = await network.command(['add-validator']);
    assert.deepEqual([added.node, added.validators], [5, 5]);
    const five = [...everybody, 5];
    await assertSame(await network.goOn(3, five), five);
    // Blocks need four of five now: without the fourth they go on only if the fifth signs.
    await network.command(['stop', '4']);
    await network.goOn(3, [1, 2, 3, 5]);
    await network.command(['start', '4']);
    await network.goOn(1, five);
    const removed = await network.command(['remove-validator', '2']);
    assert.deepEqual([removed.validators, removed.bearsLoss], [4, true]);
    await assertSame(await network.goOn(3, five), five);
    const { nodes } = await network.status();
    assert.deepEqual(
      nodes.map(({ power }) => power),
      [10, 0, 10, 10, 10],
    );
  });

  test('has lost and made no coins', async () => {
    const { council, genesisAddress, nodes } = await network.facts();
    const owners = [council, genesisAddress, receiver.address, ...nodes.map(({ payTo }) => payTo)];
    const url = await network.url(1);
    let sum = 0n;
    for (const address of owners)
      sum += BigInt(String(at(await ask(url, 'getAccountBase', { address }), 'result', 'balance') ?? 0));
    assert.equal(sum, 100_000_000_000_000_000n);
  });
});
