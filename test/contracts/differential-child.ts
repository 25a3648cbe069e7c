/** A part of the random calls, executed by a process of its own on the chain in a folder; see `differential.test.ts`. */
import process from 'node:process';
import { LevelStore } from '@symbolon/ledger-node/store/level-store';
import { openTestChain, testRules } from '@symbolon/ledger-node/testing/test-chain';
import { addProvenBlock, type BlockSummary, randomBlocks, signBlock } from './random-calls.ts';

const [folder, seed, calls, from, to] = process.argv.slice(2);
const blocks = randomBlocks(Number(seed), Number(calls)).slice(Number(from), Number(to));
const store = await LevelStore.open(folder);
const chain = await openTestChain(testRules(), store);
const summaries: BlockSummary[] = [];
for (const block of blocks) summaries.push(await addProvenBlock(chain, signBlock(block)));
await store.close();
process.send?.(summaries);
