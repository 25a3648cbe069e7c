/**
 * The state tree alone: how long the root of many changed accounts takes, and how large proofs are. Works on the
 * tree of an open chain and writes new leaves under it, so the copy it ran on is of no further use.
 */

import { treeKeyOf } from '@symbolon/core/ledger/execution/state-trees';
import { stateKeys } from '@symbolon/core/ledger/terms/state';
import type { TreeChange } from '@symbolon/core/tree/merkle-tree';
import { sha256 } from '@symbolon/host/work/sha256';
import type { Chain } from '@symbolon/ledger-node/chain/chain';
import { hashPairs } from '@symbolon/ledger-node/chain/hash-pairs';
import { proveState } from '@symbolon/ledger-node/chain/state-proof';
import { createRandom, nowMs } from '../statistics.ts';
import { addressOfPerson, seedOf, senders } from './people.ts';
import { commitState } from './prepared-chain.ts';

export const changedKeys = 2_000;
const rounds = 30;
const proofs = 300;

export interface RootTimes {
  /** Bringing the touched nodes into memory, as they happen to be cached. */
  readonly loadMs: number[];
  /** The new root once they are there. */
  readonly updateMs: number[];
}

/** Accounts beyond the senders, whose addresses are quickly made. */
const anyPerson = (accounts: number, random: (below: number) => number): string =>
  addressOfPerson(senders + random(accounts - senders));

export async function measureRoots(chain: Chain, accounts: number): Promise<RootTimes> {
  const random = createRandom(1);
  const times: RootTimes = { loadMs: [], updateMs: [] };
  for (let round = 0; round < rounds; round++) {
    const addresses = new Set<string>();
    while (addresses.size < changedKeys) addresses.add(anyPerson(accounts, random));
    const changes: TreeChange[] = Array.from(addresses, (address) => ({
      key: treeKeyOf(stateKeys.account(address), sha256),
      valueHash: seedOf(`${round} ${address}`),
    }));
    const tree = chain.treeOf('');
    const keys = changes.map(({ key }) => key);
    const began = nowMs();
    await tree.load(keys);
    const loaded = nowMs();
    const update = tree.update(changes);
    times.loadMs.push(loaded - began);
    times.updateMs.push(nowMs() - loaded);
    const updates = [{ namespace: '', tree, update }];
    await commitState(chain, { root: update.root, hashedChanges: new Map(), encoded: new Map(), updates });
  }
  return times;
}

export interface ProofSizes {
  readonly bytes: number[];
  readonly ms: number[];
}

/** Proofs of accounts that are there, and one in ten of an account that is not. */
export async function measureProofs(chain: Chain, accounts: number): Promise<ProofSizes> {
  const random = createRandom(2);
  const sizes: ProofSizes = { bytes: [], ms: [] };
  for (let index = 0; index < proofs; index++) {
    const address = index % 10 === 0 ? addressOfPerson(accounts + index) : anyPerson(accounts, random);
    const began = nowMs();
    const { proof } = await proveState(chain, stateKeys.account(address), hashPairs);
    sizes.ms.push(nowMs() - began);
    sizes.bytes.push(proof.length);
  }
  return sizes;
}
