/**
 * What contracts take of the host's stack, in processes of their own whose compiler is held to one way of compiling:
 * every way of going down at four levels fits what a node demands of its machine, and every function of the ledger
 * gives at the bottom of it what it gives at the top. So no outcome depends on how code was compiled, or on what ran before.
 */
import assert from 'node:assert/strict';
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { executionHostLimits } from '@symbolon/ledger-node/limits/node-limits';
import { nameOfCall } from './built-in-calls.ts';
import type { StackReport } from './stack-child.ts';
import { waysOfRecursing } from './ways-of-recursing.ts';

const hostStackModule = new URL('../../packages/ledger-node/src/contracts/host-stack.ts', import.meta.url)
  .href;
const launcher = new URL('../../scripts/lib/node.mjs', import.meta.url).href;
const childScript = fileURLToPath(new URL('./stack-child.ts', import.meta.url));

/** For what the innermost function of the host takes itself, and for what is not measured to the byte. */
const spareBytes = 50_000;

/** What `--stack-size` gives the least stack that is enough, to what can be measured, and one that is ample. */
const leastStackKibibytes = 950;
const ampleStackKibibytes = 3_072;
const measureBytes = 16_384;

async function reportOf(flags: readonly string[], words: readonly string[] = []): Promise<StackReport> {
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
  const child = fork(childScript, words, { execArgv: [...flags], stdio: [...stdio] });
  const [report] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code, signal]) => assert.fail(`the process ended with ${signal ?? code}`)),
  ])) as [StackReport];
  return report;
}

const tooManyLevels = '153 operation 0: Too many recursion';
const queryRefused = '151 {"contract":"ZTX3","exception":"gave [{\\"error\\":true}]",}';

/** What runs a contract itself has no fifth level to run it on. */
const atFourLevels: Readonly<Record<string, string>> = {
  'Chain.payCoin': tooManyLevels,
  'Chain.contractCall': tooManyLevels,
  'Chain.contractCreate': tooManyLevels,
  'Chain.delegateCall': tooManyLevels,
  'Chain.contractQuery': queryRefused,
  'Chain.delegateQuery': queryRefused,
};

/** The host's own code as it is before it is compiled, with the largest frames. */
const interpreted = ['--no-opt', '--no-maglev', '--no-sparkplug'];

test('what npm starts has three times the stack that they take', async () => {
  const { stackFlags } = (await import(launcher)) as { stackFlags: () => string[] };
  const measure = `import { hostStackBytes } from ${JSON.stringify(hostStackModule)}; console.log(hostStackBytes());`;
  const words = [...stackFlags(), '--input-type=module-typescript', '-e', measure];
  const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  assert.ok(Number(stdout) > 3 * executionHostLimits.stackBytesMin, stdout);
});

describe('four contracts at the end of their stack', () => {
  for (const flags of [[], ['--liftoff-only'], ['--no-liftoff'], ['--liftoff-only', ...interpreted]]) {
    test(`compiled with ${flags.join(' ') || 'no flags'}`, async () => {
      const { ways, calls, missing } = await reportOf(flags);
      assert.deepEqual(missing, [], 'every function of the ledger is called');
      assert.deepEqual(
        ways.map(({ name }) => name),
        Object.keys(waysOfRecursing),
      );
      for (const { name, bytes } of ways) {
        assert.ok(bytes > 100_000, `${name} goes deep`);
        assert.ok(bytes + spareBytes <= executionHostLimits.stackBytesMin, `${name} takes ${bytes} bytes`);
      }
      for (const { call, shallow, three, four } of calls) {
        assert.deepEqual([...new Set(three)], [shallow], `${call} under three levels`);
        assert.deepEqual([...new Set(four)], [atFourLevels[nameOfCall(call)] ?? shallow], call);
      }
    });
  }

  test('have the same receipts on the least stack that a node starts with as on an ample one', async () => {
    const { stackBytesMin } = executionHostLimits;
    const [least, ample] = await Promise.all(
      [leastStackKibibytes, ampleStackKibibytes].map((size) =>
        reportOf([`--stack-size=${size}`], ['--every-way']),
      ),
    );
    const over = least.stackBytes - stackBytesMin;
    assert.ok(over >= 0 && over < measureBytes, `${least.stackBytes} bytes are the least`);
    assert.ok(ample.stackBytes > 3 * stackBytesMin, `${ample.stackBytes} bytes are ample`);
    assert.equal(least.receipts.length, least.calls.length * Object.keys(waysOfRecursing).length);
    assert.deepEqual(least.receipts, ample.receipts);
  });
});
