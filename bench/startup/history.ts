/**
 * Chains with much history: the prepared chain of a few accounts, some thousand blocks without transactions, and rows of
 * history that fill the store up to a size, of random bytes and in the order of blocks. Opening such a chain passes
 * every check that opening makes; executing it again would not. It is kept under .cache, a benchmark works on a copy.
 */
import { randomBytes } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hashState } from '@symbolon/core/ledger/execution/state-trees';
import { sha256 } from '@symbolon/host/work/sha256';
import { Chain } from '@symbolon/ledger-node/chain/chain';
import { hashPairs } from '@symbolon/ledger-node/chain/hash-pairs';
import { recordRow } from '@symbolon/ledger-node/chain/rows';
import { defaultNodeSettings } from '@symbolon/ledger-node/node/node';
import { openNodeFolder, storePath } from '@symbolon/ledger-node/node/node-folder';
import { LevelStore } from '@symbolon/ledger-node/store/level-store';
import type { Row } from '@symbolon/ledger-node/store/store';
import { commitState, copyChain, folderBytes, prepareChain, untilSettled } from '../ledger/prepared-chain.ts';
import { mebibytes, note } from '../print.ts';

const accounts = 10_000;
/** More than an opening looks back. */
const blocks = 2_000;
const rowBytes = 1_024;
/** What one write holds. */
const rowsAtOnce = 16_384;

/** The folder of a node whose store takes so many bytes. */
export async function prepareHistory(cache: string, bytes: number): Promise<string> {
  const prepared = await prepareChain(cache, accounts);
  const folder = join(cache, `history-${bytes}-${basename(prepared)}`);
  if (await stat(folder).catch(() => undefined)) return folder;
  note(`preparing ${mebibytes(bytes)} MiB of history; it is kept for the next run`);
  const unfinished = await copyChain(prepared, `${folder}-unfinished-${process.pid}`);
  try {
    await fillHistory(unfinished, bytes);
    await rename(unfinished, folder);
    return folder;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function fillHistory(folder: string, bytes: number): Promise<void> {
  const { rules } = await openNodeFolder(folder);
  const store = await LevelStore.open(storePath(folder));
  const chain = await Chain.open({ ...defaultNodeSettings, store, rules, hashPairs });
  for (let block = 0; block < blocks; block++) {
    await commitState(chain, await hashState(chain.state, new Map(), { treeOf: chain.treeOf, sha256 }));
  }
  const missing = Math.max(0, bytes - (await folderBytes(storePath(folder))));
  const rows = Math.ceil(missing / rowBytes);
  const perBlock = Math.ceil(rows / blocks);
  for (let from = 0; from < rows; from += rowsAtOnce) {
    await store.write(historyRows(from, Math.min(rows, from + rowsAtOnce), perBlock));
  }
  await untilSettled(storePath(folder));
  await store.close();
}

function* historyRows(from: number, to: number, perBlock: number): Iterable<Row> {
  const noise = randomBytes(2 * rowBytes);
  for (let row = from; row < to; row++) {
    const start = row % rowBytes;
    const key = recordRow(BigInt(2 + Math.floor(row / perBlock)), row % perBlock);
    yield [key, noise.subarray(start, start + rowBytes)];
  }
}
