import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { executionHostLimits } from '../limits/node-limits.ts';
import { checkExecutionHost, ExecutionHostUnfit, thisHost } from './execution-host.ts';

const here = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);

/** What a thread with so much stack posts. */
async function onThread(stackSizeMb: number, code: string): Promise<unknown> {
  const worker = new Worker(`import { parentPort } from 'node:worker_threads'; ${code}`, {
    eval: true,
    execArgv: ['--input-type=module'],
    resourceLimits: { stackSizeMb },
  });
  const [message] = await once(worker, 'message');
  await worker.terminate();
  return message;
}

describe('the machine that executes blocks', () => {
  test('this one is fit', () => checkExecutionHost());

  test('another engine is not, whatever its version', () => {
    for (const v8 of ['14.1.146.11-node.14', '13.60.1', '13.5.1', '12.4.254.21-node.33']) {
      assert.throws(() => checkExecutionHost({ ...thisHost(), v8 }), ExecutionHostUnfit, v8);
    }
    checkExecutionHost({ ...thisHost(), v8: '13.6.233.99-node.99' });
  });

  test('a stack that is too small is refused before anything is opened', async () => {
    const attempt = `
      const { openTestChain, testRules } = await import(${here('../testing/test-chain.ts')});
      const { LedgerNode } = await import(${here('../node/node.ts')});
      const { verifyChain } = await import(${here('../operation/verify-chain.ts')});
      const { MemoryStore } = await import(${here('../testing/memory-store.ts')});
      const options = { store: new MemoryStore(), scratch: new MemoryStore(), rules: testRules() };
      const told = [];
      for (const start of [LedgerNode.open, verifyChain]) await start(options).catch((error) => told.push(error.name));
      parentPort.postMessage(told);`;
    assert.deepEqual(await onThread(0.75, attempt), ['ExecutionHostUnfit', 'ExecutionHostUnfit']);
  });

  test('the stack is measured, rather less than more', async () => {
    for (const megabytes of [1, 4, 16]) {
      const measured = (await onThread(
        megabytes,
        `const { hostStackBytes } = await import(${here('../contracts/host-stack.ts')}); parentPort.postMessage(hostStackBytes());`,
      )) as number;
      // V8 keeps a part of a thread's stack for itself.
      const given = megabytes * 2 ** 20 - 192 * 1024;
      assert.ok(measured <= given && measured > 0.95 * given - 10_000, `${measured} of ${given}`);
    }
    assert.ok(thisHost().stackBytes >= executionHostLimits.stackBytesMin);
  });
});
