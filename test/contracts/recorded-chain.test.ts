/**
 * The recorded chain, executed again: with the smallest caches, on one core, elsewhere in the world and in another
 * language, beside blocks that come to nothing. Every block has the bytes it had. And it verifies.
 */
import assert from 'node:assert/strict';
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { decodeEntry, encodeEntry, type StateEntry } from '@symbolon/core/ledger/terms/state';
import { Chain } from '@symbolon/ledger-node/chain/chain';
import { hashPairs } from '@symbolon/ledger-node/chain/hash-pairs';
import { stateRows } from '@symbolon/ledger-node/chain/rows';
import { verifyChain } from '@symbolon/ledger-node/operation/verify-chain';
import { verifyLedgerSignature } from '@symbolon/ledger-node/signatures/ed25519';
import { MemoryStore } from '@symbolon/ledger-node/testing/memory-store';
import { openTestChain, testRules } from '@symbolon/ledger-node/testing/test-chain';
import { addProvenBlock } from './random-calls.ts';
import { readRecordedChain, reopenBlock } from './recorded-chain.ts';
import type { ChildReport, Manner } from './recorded-child.ts';

const childScript = fileURLToPath(new URL('./recorded-child.ts', import.meta.url));
const expected = readRecordedChain().map(({ transactions: _, ...summary }) => summary);

interface Surroundings {
  readonly env?: Record<string, string>;
  readonly flags?: readonly string[];
  readonly isOneCore?: boolean;
}

async function executed(manner: Manner, { env = {}, flags = [], isOneCore }: Surroundings = {}) {
  const child = fork(childScript, [manner], {
    execArgv: [...flags],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  if (isOneCore) spawnSync('taskset', ['-a', '-c', '-p', '0', String(child.pid)]);
  const [report] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code, signal]) => assert.fail(`the process ended with ${signal ?? code}`)),
  ])) as [ChildReport];
  for (const [index, summary] of report.summaries.entries())
    assert.deepEqual(summary, expected[index], `block ${index} of the recorded chain`);
  assert.equal(report.summaries.length, expected.length);
  return report;
}

describe('the recorded chain comes out as recorded', () => {
  test('and verifies, signature by signature', async () => {
    const store = new MemoryStore();
    const rules = testRules();
    const chain = await openTestChain(rules, store);
    for (const [index, block] of readRecordedChain().entries())
      assert.deepEqual(await addProvenBlock(chain, reopenBlock(block)), expected[index]);
    const verify = async (...args: Parameters<typeof verifyLedgerSignature>) =>
      verifyLedgerSignature(...args);
    const done = await verifyChain({ store, scratch: new MemoryStore(), rules: testRules(), verify });
    assert.equal(Buffer.from(done.head.hash).toString('hex'), expected.at(-1)?.hash);
  });

  test('and leaves in memory what its rows say, after every block', async () => {
    const store = new MemoryStore();
    const caches = { stateCacheEntriesMax: 100_000, treeCacheBytesMax: 2 ** 24 };
    const chain = await Chain.open({ store, rules: testRules(), hashPairs, ...caches });
    let compared = 0;
    for (const block of readRecordedChain()) {
      await addProvenBlock(chain, reopenBlock(block));
      for await (const [row, bytes] of store.scanAll(stateRows(''))) {
        const key = Buffer.from(row).toString('utf8', 1);
        const kept = chain.state.read(key) as StateEntry;
        assert.deepEqual(kept, decodeEntry(key, bytes), key);
        assert.deepEqual(Buffer.from(encodeEntry(kept)), Buffer.from(bytes), key);
        compared += 1;
      }
    }
    assert.ok(compared > 500, `${compared} entries`);
  });

  test('with the smallest caches, on one core, with little memory', async () => {
    await executed('minimal caches', {
      flags: ['--max-old-space-size=256', '--single-threaded-gc'],
      isOneCore: true,
    });
  });

  test('in another time zone and another language', async () => {
    const env = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' };
    const { timeZone, locale } = await executed('plain', { env });
    assert.deepEqual([timeZone, locale.slice(0, 2)], ['Pacific/Kiritimati', 'tr']);
  });

  test('when other blocks were prepared and discarded before each', async () => {
    await executed('discarded');
  });

  test('when other blocks are prepared at the same time', async () => {
    await executed('concurrent');
  });

  for (const flags of [['--liftoff-only'], ['--no-liftoff']])
    test(`compiled with ${flags.join(' ')}`, async () => {
      await executed('plain', { flags });
    });
});
