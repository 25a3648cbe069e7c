/**
 * The same random calls give the same blocks, bit by bit and gas by gas, whatever the engine has done before: a warm
 * one that ran them all, a cold one for every block, and one that was restarted half way in another process. And the
 * chain they make can be verified.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { VerifiedTransaction } from '@symbolon/core/ledger/execution/apply-transaction';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import type { ContractEngine } from '@symbolon/core/ledger/terms/engine';
import { QuickJsEngine } from '@symbolon/ledger-node/contracts/engine/quickjs-engine';
import { verifyChain } from '@symbolon/ledger-node/operation/verify-chain';
import { verifyLedgerSignature } from '@symbolon/ledger-node/signatures/ed25519';
import { MemoryStore } from '@symbolon/ledger-node/testing/memory-store';
import { openTestChain, testRules } from '@symbolon/ledger-node/testing/test-chain';
import { chooseSeed } from '../crash/seeded-random.ts';
import { campaignSize } from '../support/campaign.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { addProvenBlock, type BlockSummary, callsMax, randomBlocks, signBlock } from './random-calls.ts';

const owner = ownerOfSuite();
const seed = chooseSeed('SYMBOLON_FUZZ_SEED');
const calls = campaignSize('SYMBOLON_FUZZ_COUNT', { usual: 3_000, whole: callsMax });
const childScript = fileURLToPath(new URL('./differential-child.ts', import.meta.url));

const store = new MemoryStore();
let warm: BlockSummary[];
let blocks: VerifiedTransaction[][];
/** Goes on beside the others. */
let restarted: Promise<BlockSummary[]>;

async function execute(
  rules: LedgerRules,
  into: MemoryStore,
  beforeBlock = () => {},
): Promise<BlockSummary[]> {
  const chain = await openTestChain(rules, into);
  const summaries: BlockSummary[] = [];
  for (const block of blocks) {
    beforeBlock();
    summaries.push(await addProvenBlock(chain, block));
  }
  return summaries;
}

/** Blocks from and to these numbers, by a process that knows nothing but the folder. */
async function executeApart(folder: string, from: number, to: number): Promise<BlockSummary[]> {
  const args = [folder, seed, calls, from, to].map(String);
  const child = fork(childScript, args, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const [summaries] = (await Promise.race([
    once(child, 'message'),
    exited.then(([code]) => assert.fail(`the process ended with ${code}`)),
  ])) as [BlockSummary[]];
  await exited;
  return summaries;
}

async function executeRestarted(): Promise<BlockSummary[]> {
  const folder = tempFolder(owner);
  const half = Math.ceil(blocks.length / 2);
  const first = await executeApart(folder, 0, half);
  return [...first, ...(await executeApart(folder, half, blocks.length))];
}

before(async () => {
  blocks = randomBlocks(seed, calls).map(signBlock);
  restarted = executeRestarted();
  // Told by the test that waits for it.
  restarted.catch(() => {});
  warm = await execute(testRules(), store);
});

function assertSame(others: readonly BlockSummary[]): void {
  assert.equal(others.length, warm.length);
  for (const [index, block] of others.entries()) {
    assert.deepEqual(block, warm[index], `block ${index} of SYMBOLON_FUZZ_SEED=${seed}`);
  }
}

describe(`${calls} random calls, SYMBOLON_FUZZ_SEED=${seed}`, () => {
  test('end in many ways', async () => {
    const chain = await openTestChain(testRules(), store);
    assert.equal(chain.head.txCount, BigInt(calls) + 1n, 'none was dropped');
    const gas = warm.flatMap((block) => block.gas.map(BigInt));
    assert.ok(new Set(gas).size > calls / 100, 'they cost different amounts');
    assert.ok(gas.every((used) => used >= 0n && used <= 10_240_000n));
  });

  test('are the same in a cold engine for every block', async () => {
    let engine: ContractEngine;
    const rules = testRules();
    const changing = { run: (call: Parameters<ContractEngine['run']>[0]) => engine.run(call) };
    const cold = { ...rules, contracts: { ...rules.contracts, engine: changing } };
    assertSame(
      await execute(cold, new MemoryStore(), () => {
        engine = new QuickJsEngine();
      }),
    );
  });

  test('are the same when half of them are executed by another process', async () => {
    assertSame(await restarted);
  });

  test('make a chain that can be verified', async () => {
    const done = await verifyChain({
      store,
      scratch: new MemoryStore(),
      rules: testRules(),
      verify: async (key, signature, message) => verifyLedgerSignature(key, signature, message),
    });
    assert.equal(done.transactions, BigInt(calls) + 1n);
    assert.equal(Buffer.from(done.head.hash).toString('hex'), warm.at(-1)?.hash);
  });
});
