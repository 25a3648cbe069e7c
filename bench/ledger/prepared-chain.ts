/**
 * Chains with many accounts, without the minutes that as many transactions would take: the accounts are put into blocks
 * that hold no transaction. State rows, trees, headers and the write itself go through the node's own code, so opening
 * such a chain passes all its checks; only executing it again (`verify`) would not.
 *
 * A prepared folder is kept under .cache and never opened; a benchmark works on a copy of it.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@symbolon/core/basics/assert';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { closeBlock } from '@symbolon/core/ledger/execution/close-block';
import type { ExecutedBlock } from '@symbolon/core/ledger/execution/execute-block';
import { type HashedState, hashState, treeKeyOf } from '@symbolon/core/ledger/execution/state-trees';
import { newAccount, type StateEntry, stateKeys } from '@symbolon/core/ledger/terms/state';
import type { Account, LedgerHeader } from '@symbolon/core/proto/ledger_pb';
import { sha256 } from '@symbolon/host/work/sha256';
import { Chain } from '@symbolon/ledger-node/chain/chain';
import { hashPairs } from '@symbolon/ledger-node/chain/hash-pairs';
import { defaultNodeSettings } from '@symbolon/ledger-node/node/node';
import { initNodeFolder, openNodeFolder, storePath } from '@symbolon/ledger-node/node/node-folder';
import { LevelStore, storeFormatVersion } from '@symbolon/ledger-node/store/level-store';
import { keysEnd } from '@symbolon/ledger-node/store/store';
import { MemoryStore } from '@symbolon/ledger-node/testing/memory-store';
import { note, whole } from '../print.ts';
import { nowMs } from '../statistics.ts';
import { addressOfPerson, seedOf } from './people.ts';

const accountsPerBlock = 50_000;
const balanceOfEach = 10n ** 9n;
const settledAfterMs = 2_000;

/** The folder of a node whose chain has this many accounts beside the genesis account. */
export async function prepareChain(cache: string, accounts: number): Promise<string> {
  const unfinished = await mkdtemp(join(cache, 'unfinished-'));
  try {
    await initNodeFolder(unfinished, { genesisSeed: seedOf('genesis'), validatorSeed: seedOf('validator') });
    const folder = join(cache, `chain-${accounts}-${await fingerprint(unfinished)}`);
    if (await exists(folder)) return folder;
    const began = nowMs();
    note(`preparing a chain of ${whole(accounts)} accounts; it is kept for the next run`);
    await fillChain(unfinished, accounts);
    // Another run may have prepared the same meanwhile; either copy will do.
    await rename(unfinished, folder).catch(async (error) => {
      if (!(await exists(folder))) throw error;
    });
    note(`prepared in ${whole((nowMs() - began) / 1_000)} s`);
    return folder;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** What a program writes for its first block: another one could not use what this one prepared. */
async function fingerprint(folder: string): Promise<string> {
  const { rules } = await openNodeFolder(folder);
  const store = new MemoryStore();
  await Chain.open({ ...defaultNodeSettings, store, rules, hashPairs });
  const digest = createHash('sha256').update(`store format ${storeFormatVersion}`);
  for await (const [key, value] of store.scanAll({ gte: Uint8Array.of(0), lt: keysEnd })) {
    digest.update(key).update(value);
  }
  return digest.digest('hex').slice(0, 12);
}

/** Gives the chain of a node's folder so many accounts; answers its last block. */
export async function fillChain(folder: string, accounts: number): Promise<LedgerHeader> {
  const { rules } = await openNodeFolder(folder);
  const store = await LevelStore.open(storePath(folder));
  const chain = await Chain.open({ ...defaultNodeSettings, store, rules, hashPairs });
  const addresses = inTreeOrder(accounts);
  for (let from = 0; from < accounts; from += accountsPerBlock) {
    await addAccounts(chain, addresses.slice(from, from + accountsPerBlock));
  }
  await untilSettled(storePath(folder));
  await store.close();
  return chain.head;
}

/** So that each block changes one part of the tree instead of all of it; what comes out is the same. */
function inTreeOrder(accounts: number): string[] {
  const people = Array.from({ length: accounts }, (_, index) => {
    const address = addressOfPerson(index);
    return { address, place: encodeHex(treeKeyOf(stateKeys.account(address), sha256)) };
  });
  return people.sort((left, right) => (left.place < right.place ? -1 : 1)).map(({ address }) => address);
}

/** One block that gives Gas of the genesis account to new accounts, without a transaction. */
async function addAccounts(chain: Chain, addresses: readonly string[]): Promise<void> {
  const changes = new Map<string, StateEntry | null>();
  const genesisKey = stateKeys.account(chain.rules.parameters.genesisAddress);
  const genesis = chain.state.read(genesisKey) as Account | undefined;
  assert(genesis, 'a chain has its genesis account');
  const given = balanceOfEach * BigInt(addresses.length);
  changes.set(genesisKey, { ...genesis, balance: genesis.balance - given });
  for (const address of addresses)
    changes.set(stateKeys.account(address), newAccount(address, balanceOfEach));
  await commitState(chain, await hashState(chain.state, changes, { treeOf: chain.treeOf, sha256 }));
}

/** A block that leads to this state, without a transaction. */
export async function commitState(chain: Chain, state: HashedState): Promise<void> {
  const { rules } = chain;
  const context = chain.nextBlock(chain.head.closeTime + 1n);
  const { hashedChanges: changes } = state;
  const executed: ExecutedBlock = {
    context,
    transactions: [],
    dropped: [],
    postponed: [],
    changes,
    records: [],
    validators: context.validators,
    validatorUpdates: [],
  };
  const noProof = new Uint8Array(0);
  const closed = closeBlock(executed, state.root, { previous: chain.head, previousProof: noProof, rules });
  await chain.commit({ executed, closed, state, validatorUpdates: [] }, noProof);
}

/** LevelDB moves rows between its files in the background; a measurement should not pay for the loading. */
export async function untilSettled(folder: string): Promise<void> {
  for (let before = ''; ; ) {
    const names = (await readdir(folder)).sort().join();
    if (names === before) return;
    before = names;
    await sleep(settledAfterMs);
  }
}

/** A copy to work on. LevelDB never changes a table it has written, so tables are shared where possible. */
export async function copyChain(prepared: string, target: string): Promise<string> {
  await rm(target, { recursive: true, force: true });
  await copyFolder(prepared, target);
  return target;
}

async function copyFolder(source: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (entry.isDirectory()) await copyFolder(from, to);
    else if (entry.name.endsWith('.ldb')) await link(from, to).catch(() => copyFile(from, to));
    else await copyFile(from, to, constants.COPYFILE_FICLONE);
  }
}

export async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    bytes += entry.isDirectory() ? await folderBytes(path) : (await stat(path)).size;
  }
  return bytes;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
