/**
 * Proofs of what the state holds, or does not hold, under the head's root. They are read past the writer's caches,
 * so a block may be committed in the middle; a proof that does not fit the head is made again.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { BrokenInvariant } from '@symbolon/core/assert';
import { treeKeyOf } from '@symbolon/core/ledger/state-trees';
import type { LedgerHeader } from '@symbolon/core/proto/ledger_pb';
import type { HashPairs } from '@symbolon/core/tree/merkle-tree';
import { encodeTreeProof, verifyAbsence, verifyInclusion } from '@symbolon/core/tree/tree-proof';
import type { Chain } from './chain.ts';
import { createTreeOf } from './state-tree-store.ts';

const attemptsMax = 5;
/** A block's rows are there a moment before its head is: trying again at once would meet the same moment. */
const pauseMs = 10;

export interface StateProof {
  readonly header: LedgerHeader;
  readonly value: Uint8Array | undefined;
  readonly proof: Uint8Array;
}

export class ProofUnavailable extends Error {
  override name = 'ProofUnavailable';
}

export async function proveState(chain: Chain, stateKey: string, hashPairs: HashPairs): Promise<StateProof> {
  const key = treeKeyOf(stateKey, chain.rules.sha256);
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    if (attempt > 0) await delay(pauseMs);
    const proof = await proveOnce(chain, stateKey, { key, hashPairs });
    if (proof) return proof;
  }
  throw new ProofUnavailable(`the state changed ${attemptsMax} times while a proof was made`);
}

/** Undefined when what was read does not fit together. */
async function proveOnce(
  chain: Chain,
  stateKey: string,
  { key, hashPairs }: { key: Uint8Array; hashPairs: HashPairs },
): Promise<StateProof | undefined> {
  const { sha256 } = chain.rules;
  const tree = createTreeOf(chain.store, hashPairs, 0)('');
  try {
    await tree.load([key]);
  } catch (error) {
    // Rows of two moments break the tree's own invariants; that is this reader's bad luck and nobody's bug.
    if (error instanceof BrokenInvariant) return undefined;
    throw error;
  }
  const header = chain.head;
  const value = chain.state.stored(stateKey);
  const proof = tree.prove(key);
  const root = header.accountTreeHash;
  const isProven = value
    ? verifyInclusion(root, key, sha256(value), proof, sha256)
    : verifyAbsence(root, key, proof, sha256);
  return isProven ? { header, value, proof: encodeTreeProof(proof) } : undefined;
}
