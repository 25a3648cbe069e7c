/**
 * A node's part of a backup: genesis document, settings and store, copied from a folder whose node may be running, and
 * what the copy then says of itself. Keys are not copied here. `examineLedger` looks at a copy that is not to change:
 * LevelDB cannot open a store without writing to its folder, so it gets a folder of its own that leads to the tables.
 */
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { Chain } from '../chain/chain.ts';
import { hashPairs } from '../chain/hash-pairs.ts';
import { defaultNodeSettings } from '../node/node.ts';
import { isNodeFolder, NodeFolderError, readGenesis, settingsPath, storePath } from '../node/node-folder.ts';
import { LevelStore } from '../store/level-store.ts';
import type { Store } from '../store/store.ts';
import { copyStore, type StoreCopyOptions } from './backup-store.ts';
import { verifyStore } from './verify-chain.ts';

/** What a copied chain is, and how far it goes. */
export interface LedgerFacts {
  readonly chainId: bigint;
  readonly height: bigint;
  readonly blockHash: string;
  readonly stateRoot: string;
  readonly transactions: bigint;
  readonly accounts: bigint;
}

/** What LevelDB leaves beside the data. */
const sideFiles = ['LOCK', 'LOG', 'LOG.old'];

/** Copies a node's folder without its keys and answers what the copy holds; it has been opened and checked. */
export async function backUpLedger(
  folder: string,
  out: string,
  options: StoreCopyOptions = {},
): Promise<LedgerFacts> {
  await readGenesis(folder);
  const hasStore = await readdir(storePath(folder)).then(
    (names) => names.includes('CURRENT'),
    () => false,
  );
  if (!hasStore)
    throw new NodeFolderError(
      `${storePath(folder)} holds no chain: this node has never been started. There is nothing to back up.`,
    );
  await mkdir(out, { recursive: true, mode: 0o700 });
  await copyStore(storePath(folder), storePath(out), options);
  await copyFile(settingsPath(folder), settingsPath(out));
  await copyFile(join(folder, 'genesis.json'), join(out, 'genesis.json'));
  return openLedger(out);
}

/** Opens the chain of a folder, which brings its files in order, and answers what it holds. */
export async function openLedger(folder: string): Promise<LedgerFacts> {
  const store = await LevelStore.open(storePath(folder));
  try {
    return await factsOf(folder, store);
  } finally {
    await store.close();
    for (const name of sideFiles) await rm(join(storePath(folder), name), { force: true });
  }
}

async function factsOf(folder: string, store: Store): Promise<LedgerFacts> {
  const rules = await readGenesis(folder);
  const chain = await Chain.open({ ...defaultNodeSettings, store, rules, hashPairs });
  const { seq, hash, accountTreeHash, txCount } = chain.head;
  return {
    chainId: rules.parameters.chainId,
    height: seq,
    blockHash: encodeHex(hash),
    stateRoot: encodeHex(accountTreeHash),
    transactions: txCount,
    accounts: chain.accountCount,
  };
}

export interface ExamineOptions {
  /** Whether every block is executed again. */
  readonly isFull: boolean;
  onProgress?(done: number, total: number): void;
}

/** What a copy holds, without changing any of it. Throws what is wrong with it. */
export async function examineLedger(
  folder: string,
  { isFull, onProgress }: ExamineOptions,
): Promise<LedgerFacts> {
  if (!(await isNodeFolder(folder))) throw new NodeFolderError(`${folder} has no genesis.json`);
  const scratch = await mkdtemp(join(tmpdir(), 'symbolon-verify-'));
  try {
    const view = join(scratch, 'chain');
    await leadTo(storePath(folder), view);
    const store = await LevelStore.open(view);
    try {
      const facts = await factsOf(folder, store);
      if (isFull)
        await verifyStore(join(scratch, 'second'), {
          store,
          rules: await readGenesis(folder),
          onProgress: (done, total) => onProgress?.(Number(done), Number(total)),
        });
      return facts;
    } finally {
      await store.close();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Tables are only ever read or unlinked, so a link to each serves; everything else is small and copied. */
async function leadTo(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const name of await readdir(from)) {
    if (/^\d+\.(ldb|sst)$/.test(name)) await symlink(resolve(from, name), join(to, name));
    else if (/^(CURRENT|head|MANIFEST-\d+|\d+\.log)$/.test(name))
      await copyFile(join(from, name), join(to, name));
  }
}
