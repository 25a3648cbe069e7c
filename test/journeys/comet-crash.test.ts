/** Node and CometBFT, each ended and started again by itself, and a CometBFT of another chain: nothing is lost or doubled. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type CometNode, prepareCometNode, startCometNode } from '../support/comet-node.ts';
import { at } from '../support/http.ts';
import { person } from '../support/people.ts';
import { operations } from '../support/running-node.ts';
import { until } from '../support/until.ts';

const bob = person('bob');

const readiness = async ({ node }: CometNode): Promise<string> =>
  (await fetch(`${node.url}/readyz`, { headers: { accept: 'application/json' } })).text();

const pay = (network: CometNode) =>
  network.node.execute({ operations: [operations.payCoin(bob.address, 1)] });

describe('after a crash', () => {
  test('of CometBFT the node goes on, and what was submitted meanwhile is executed', async (context) => {
    const network = await startCometNode(context);
    await pay(network);
    await network.stopComet('SIGKILL');
    await until('news of it', async () => /CometBFT is not connected/.test(await readiness(network)));
    const reply = await network.node.submit({ operations: [operations.payCoin(bob.address, 1)] });
    assert.equal(reply.error_code, 0);
    network.startComet();
    assert.equal((await network.node.record(at(reply, 'result', 'hash') as string)).error_code, 0);
    await pay(network);
    assert.equal(await network.node.balance(bob.address), 3n);
    await until('the light blocks', async () => {
      const latest = await network.node.ask('getLightBlock', { seq: network.height() - 1n });
      return latest.error_code === 0;
    });
  });

  test('of the node, and then of CometBFT, both go on where they were', async (context) => {
    const network = await startCometNode(context);
    await pay(network);
    const seq = network.height();
    await network.stopNode();
    await network.startNode();
    assert.ok(network.height() >= seq);
    // It ends by itself when the node does; on a busy machine that took longer than a test waits.
    await network.stopComet('SIGKILL');
    network.startComet();
    await pay(network);
    assert.equal(await network.node.balance(bob.address), 2n);
  });

  test('that took the whole chain of the node, CometBFT tells it again, to the same hashes', async (context) => {
    const network = await startCometNode(context);
    for (let count = 0; count < 3; count++) await pay(network);
    await network.stopNode();
    await network.stopComet('SIGKILL');
    await network.startNode();
    const { seq, hash } = network.node.served.node.chain.head;
    await network.stopNode();
    for (const name of ['chain', 'chain.begun', 'explorer'])
      rmSync(path.join(network.folder, name), { recursive: true, force: true });
    await network.startNode();
    assert.equal(network.height(), 1n);
    network.startComet();
    await until('all blocks', () => network.height() > seq);
    const { chain } = network.node.served.node;
    const again = chain.nextBlock(0n).hashBefore(Number(chain.head.seq - seq));
    assert.equal(again, encodeHex(hash));
    assert.equal(await network.node.balance(bob.address), 3n);
  });

  test('of both at once, in the middle of many, each transaction is executed once', async (context) => {
    const network = await startCometNode(context);
    const hashes: string[] = [];
    for (let nonce = 1; nonce <= 40; nonce++) {
      const reply = await network.node.submit({ nonce, operations: [operations.payCoin(bob.address, 1)] });
      hashes.push(at(reply, 'result', 'hash') as string);
      if (nonce === 20) await network.stopComet('SIGKILL');
    }
    network.startComet();
    for (const hash of hashes) assert.equal((await network.node.record(hash)).error_code, 0);
    assert.equal(await network.node.balance(bob.address), 40n);
  });
});

describe('a CometBFT of another chain', () => {
  const strangers: Record<string, [change: (genesis: JsonObject) => JsonObject, told: RegExp]> = {
    'with another chain id': [(genesis) => ({ ...genesis, chain_id: 'symbolon-other' }), /chain_id/],
    'that begins at another height': [(genesis) => ({ ...genesis, initial_height: '1' }), /initial_height/],
    'with other powers': [
      (genesis) => ({
        ...genesis,
        validators: (genesis.validators as JsonObject[]).map((it) => ({ ...it, power: '11' })),
      }),
      /validators are not those/,
    ],
  };
  for (const [name, [cometGenesis, told]] of Object.entries(strangers))
    test(`${name} is refused, and the node says so`, async (context) => {
      const network = await prepareCometNode(context, { cometGenesis });
      await network.startNode();
      network.startComet();
      await network.cometEnded();
      assert.match(await readiness(network), told);
      assert.equal(network.height(), 1n);
    });
});
