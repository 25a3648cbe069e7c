/**
 * `symbolon chain …`: time, snapshots and coins of a development chain, on a node that runs; and that no other chain
 * lets any of it happen, whatever is written into its folder.
 */
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { ask, at } from '../support/http.ts';
import { person } from '../support/people.ts';
import { type Ended, startSymbolon, symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const anyPorts = ['--port', '0', '--socket-port', '0'];
const bob = person('bob').address;
const dayMs = 86_400_000;

interface World {
  readonly folder: string;
  readonly url: string;
  /** `symbolon chain <words> --data <folder>`. */
  run(...words: string[]): Promise<Ended>;
  /** The same with `--json`, which must succeed. */
  json(...words: string[]): Promise<Record<string, unknown>>;
  head(): Promise<{ block: number; closeTimeMs: number }>;
  balance(): Promise<unknown>;
  /** Ctrl-C, and the node once more. */
  restart(): Promise<World>;
}

async function begin(context: TestContext, folder: string): Promise<World> {
  const node = startSymbolon(context, ['node', 'start', '--data', folder, ...anyPorts]);
  const url = await node.printed(/Ledger node +(http:\S+)/);
  const run = (...words: string[]) => symbolon(context, ['chain', ...words, '--data', folder]);
  return {
    folder,
    url,
    run,
    async json(...words) {
      const { code, out, err } = await run(...words, '--json');
      assert.equal(code, 0, err);
      return JSON.parse(out);
    },
    async head() {
      const header = at(await ask(url, 'getLedger'), 'result', 'header');
      return { block: at(header, 'seq') as number, closeTimeMs: Number(at(header, 'close_time')) / 1_000 };
    },
    balance: async () => at(await ask(url, 'getAccountBase', { address: bob }), 'result', 'balance'),
    async restart() {
      const { code } = await node.stop();
      assert.equal(code, 0, node.err());
      return begin(context, folder);
    },
  };
}

async function newChain(context: TestContext, ...words: string[]): Promise<string> {
  const folder = path.join(tempFolder(context), 'node');
  const made = await symbolon(context, ['node', 'init', '--data', folder, ...words]);
  assert.equal(made.code, 0, made.err);
  return folder;
}

describe('a development chain', { timeout: 240_000 }, () => {
  test('lets time pass, goes back, and gives coins away', async (context) => {
    const world = await begin(context, await newChain(context, '--development'));
    const { mode } = statSync(path.join(world.folder, 'development.sock'));
    assert.equal(mode & 0o777, 0o600, 'for its owner alone');
    assert.equal((await world.json('faucet', bob, '5000000')).newAccount, true);
    assert.deepEqual(await world.json('snapshot'), { snapshot: '1', block: 2 });

    const moved = await world.json('time', '+2d');
    assert.equal(moved.block, 3);
    const late = await world.head();
    assert.equal(Date.parse(moved.time as string), Math.trunc(late.closeTimeMs));
    assert.ok(late.closeTimeMs > Date.now() + 2 * dayMs - 60_000);
    await world.json('faucet', bob, '1');
    assert.equal(await world.balance(), 5_000_001);
    assert.ok((await world.head()).closeTimeMs > late.closeTimeMs, 'time goes on from there');

    const again = await world.restart();
    await again.json('faucet', bob, '1');
    assert.ok(
      (await again.head()).closeTimeMs > late.closeTimeMs,
      'a node that starts again has not lost it',
    );

    assert.deepEqual(await again.json('revert', '1'), { snapshot: '1', block: 2 });
    assert.equal(await again.balance(), 5_000_000, 'at the same address as before');
    assert.ok((await again.head()).closeTimeMs < Date.now() + 60_000);
    await again.json('faucet', bob, '7');
    assert.equal(await again.balance(), 5_000_007, 'the chain goes on');
    assert.ok((await again.head()).closeTimeMs < Date.now() + 60_000, 'in the time that it had then');
    assert.deepEqual(await again.json('snapshot'), { snapshot: '2', block: 3 });
    assert.deepEqual(await again.json('revert', '1'), { snapshot: '1', block: 2 }, 'a snapshot serves again');
    const unknown = await again.run('revert', '9');
    assert.equal(unknown.code, 1);
    assert.match(unknown.err, /There is no such snapshot\. There are: 1, 2/);
    const revert = await again.run('revert', '2');
    assert.match(revert.err, /service .*does not go on/);
  });

  test('is moved by its running node alone, and in words that are understood', async (context) => {
    const folder = await newChain(context, '--development');
    const away = await symbolon(context, ['chain', 'time', '+1d', '--data', folder]);
    assert.equal(away.code, 69);
    assert.match(away.err, /No node runs on/);
    for (const odd of ['1', '+0d', '-1d', '+1y', 'd', '+1000000s']) {
      const refused = await symbolon(context, ['chain', 'time', '--data', folder, '--', odd]);
      assert.equal(refused.code, 2, odd);
    }
    const both = ['node', 'init', '--data', `${folder}2`, '--development', '--slogan', 'x'];
    assert.equal((await symbolon(context, both)).code, 2);
  });
});

describe('any other chain', { timeout: 240_000 }, () => {
  test('lets nothing of it happen, and cannot be made one', async (context) => {
    const folder = await newChain(context);
    writeFileSync(path.join(folder, 'development.json'), JSON.stringify({ aheadMs: 10 * dayMs }));
    const world = await begin(context, folder);
    assert.throws(() => statSync(path.join(folder, 'development.sock')), /ENOENT/);
    for (const words of [['time', '+1d'], ['snapshot'], ['revert', '1'], ['faucet', bob, '1']]) {
      const refused = await world.run(...words);
      assert.equal(refused.code, 1, words.join(' '));
      assert.match(refused.err, /is no development chain; nothing was done/);
    }
    const key = path.join(folder, 'genesis-account.key');
    await symbolon(context, ['tx', 'pay', bob, '1', '--key', key, '--ledger', world.url]);
    const { block, closeTimeMs } = await world.head();
    assert.equal(block, 2);
    assert.ok(closeTimeMs < Date.now() + 60_000, 'a file in its folder moves no clock');

    const genesis = path.join(folder, 'genesis.json');
    const document = JSON.parse(readFileSync(genesis, 'utf8'));
    writeFileSync(genesis, JSON.stringify({ ...document, slogan: 'development chain' }));
    await assert.rejects(world.restart(), /ended with 65[\s\S]*first block|genesis/);
  });
});
