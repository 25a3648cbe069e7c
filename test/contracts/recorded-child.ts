/**
 * Executes the recorded chain in one way, in a process whose surroundings the test chooses; see
 * `recorded-chain.test.ts`.
 */
import process from 'node:process';
import { Chain } from '@symbolon/ledger-node/chain/chain';
import { hashPairs } from '@symbolon/ledger-node/chain/hash-pairs';
import { QuickJsEngine } from '@symbolon/ledger-node/contracts/engine/quickjs-engine';
import { MemoryStore } from '@symbolon/ledger-node/testing/memory-store';
import { testCaches, testRules } from '@symbolon/ledger-node/testing/test-chain';
import { addProvenBlock, type BlockSummary } from './random-calls.ts';
import { readRecordedChain, reopenBlock } from './recorded-chain.ts';
import { tellParent } from './tell-parent.ts';

/** What happens beside the blocks that are kept. */
export type Manner = 'plain' | 'minimal caches' | 'discarded' | 'concurrent';

export interface ChildReport {
  readonly summaries: readonly BlockSummary[];
  readonly timeZone: string;
  readonly locale: string;
}

const [manner] = process.argv.slice(2) as [Manner];
const rules = testRules();
const isMinimal = manner === 'minimal caches';
const engine = isMinimal ? new QuickJsEngine({ codeImagesBytesMax: 0 }) : rules.contracts.engine;
const caches = isMinimal ? { stateCacheEntriesMax: 1, treeCacheBytesMax: 0 } : testCaches;
const chain = await Chain.open({
  store: new MemoryStore(),
  rules: { ...rules, contracts: { ...rules.contracts, engine } },
  hashPairs,
  ...caches,
});
const summaries: BlockSummary[] = [];
for (const recorded of readRecordedChain()) {
  const block = reopenBlock(recorded);
  const otherTime = chain.head.closeTime + 7n;
  // Blocks that come to nothing: the transactions in another order, and half of them.
  const discarded = () => [
    chain.prepare(block.toReversed(), otherTime),
    chain.prepare(block.slice(block.length >> 1), otherTime),
  ];
  if (manner === 'discarded') for (const prepared of discarded()) await prepared;
  const others = manner === 'concurrent' ? discarded() : [];
  summaries.push(await addProvenBlock(chain, block));
  await Promise.all(others);
}
const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
tellParent({ summaries, timeZone, locale } satisfies ChildReport);
