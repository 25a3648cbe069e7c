/** Waiting for a block of a network that makes none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cometLimits } from '../../limits/node-limits.ts';
import { WaitingQueue } from '../../queue/waiting-queue.ts';
import { openTestChain } from '../../testing/test-chain.ts';
import { networkRules } from '../../testing/test-network.ts';
import { CometDriver, NoBlock } from './comet-driver.ts';

async function idleDriver() {
  const chain = await openTestChain(networkRules({ ann: 1 }));
  return new CometDriver({
    chain,
    queue: new WaitingQueue({
      transactionsMax: 1,
      transactionsPerAccountMax: 1,
      lifetimeMs: 1,
      departedHashesMax: 1,
      accountNonce: () => 0n,
    }),
    program: { planFile: undefined, version: '0.1.0' },
    settings: { abci: 'tcp://127.0.0.1:0', rpc: 'http://127.0.0.1:1', snapshotEvery: 0, snapshotBytesMax: 1 },
    freeBytes: async () => 0,
    onSnapshotBegun: async () => {},
    verify: async () => false,
    admit: () => Promise.reject(new Error('nothing is submitted')),
    onBlock: () => {},
    onDropped: () => {},
    onNotice: () => {},
    onFailure: (error) => assert.fail(String(error)),
  });
}

test('ends with the reason why none comes', async (context) => {
  const driver = await idleDriver();
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const closing = driver.closeBlock();
  context.mock.timers.tick(cometLimits.closeBlockMs);
  await assert.rejects(closing, (error: Error) => {
    assert.match(error.message, /^the network made no block in 30 s: CometBFT is not connected$/);
    return error instanceof NoBlock;
  });
});

test('ends when the node does', async () => {
  const driver = await idleDriver();
  const closing = assert.rejects(driver.closeBlock(), /the node was ended/);
  await driver.stop();
  await closing;
});
