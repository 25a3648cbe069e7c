/**
 * Proofs of what the state holds, or does not hold, under the head's root. They are read past the writer's caches,
 * so a block may be committed in the middle; a proof that does not fit the head is made again.
 */

import { treeKeyOf } from '@symbolon/core/ledger/state-trees';
import type { LedgerHeader } from '@symbolon/core/proto/ledger_pb';
import type { HashPairs } from '@symbolon/core/tree/merkle-tree';
import { encodeTreeProof, verifyAbsence, verifyInclusion } from '@symbolon/core/tree/tree-proof';
import type { Chain } from './chain.ts';
import { stateRow } from './rows.ts';
import { createTreeOf } from './state-tree-store.ts';

const attemptsMax = 5;

export interface StateProof {
  readonly header: LedgerHeader;
  readonly value: Uint8Array | undefined;
  readonly proof: Uint8Array;
}

export class ProofUnavailable extends Error {
  override name = 'ProofUnavailable';
}

export async function proveState(chain: Chain, stateKey: string, hashPairs: HashPairs): Promise<StateProof> {
  const { sha256 } = chain.rules;
  const key = treeKeyOf(stateKey, sha256);
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const tree = createTreeOf(chain.store, hashPairs, 0)('');
    await tree.load([key]);
    const header = chain.head;
    const value = chain.store.get(stateRow(stateKey));
    const proof = tree.prove(key);
    const root = header.accountTreeHash;
    const isProven = value
      ? verifyInclusion(root, key, sha256(value), proof, sha256)
      : verifyAbsence(root, key, proof, sha256);
    if (isProven) return { header, value, proof: encodeTreeProof(proof) };
  }
  throw new ProofUnavailable(`the state changed ${attemptsMax} times while a proof was made`);
}
