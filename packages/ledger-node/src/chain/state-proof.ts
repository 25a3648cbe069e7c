/**
 * Proofs of what the state holds, or does not hold, under the head's root. Everything is read from the rows of one
 * head, its header included, so a proof fits its header whatever blocks are made meanwhile.
 */
import { treeKeyOf } from '@symbolon/core/ledger/execution/state-trees';
import type { LedgerHeader } from '@symbolon/core/proto/ledger_pb';
import type { HashPairs } from '@symbolon/core/tree/merkle-tree';
import { encodeTreeProof, verifyAbsence, verifyInclusion } from '@symbolon/core/tree/tree-proof';
import type { Chain } from './chain.ts';
import { readHead, readHeader } from './chain-reader.ts';
import { CommittedState } from './committed-state.ts';
import { createTreeOf } from './state-tree-store.ts';

export interface StateProof {
  readonly header: LedgerHeader;
  readonly value: Uint8Array | undefined;
  readonly proof: Uint8Array;
}

/** The store contradicts itself: what it holds is not what its tree says. */
export class ProofUnavailable extends Error {
  override name = 'ProofUnavailable';
}

export async function proveState(chain: Chain, stateKey: string, hashPairs: HashPairs): Promise<StateProof> {
  const { sha256 } = chain.rules;
  return chain.rows.ofOneHead(async (rows) => {
    const header = readHeader(rows, readHead(rows).seq);
    const value = new CommittedState(rows, 0).stored(stateKey);
    const key = treeKeyOf(stateKey, sha256);
    const tree = createTreeOf(rows, hashPairs, 0)('');
    const { proof } = await tree.loadAndProve(key);
    const root = header.accountTreeHash;
    const isProven = value
      ? verifyInclusion(root, key, sha256(value), proof, sha256)
      : verifyAbsence(root, key, proof, sha256);
    if (!isProven) throw new ProofUnavailable(`${stateKey} is stored, or not, against the state tree`);
    return { header, value, proof: encodeTreeProof(proof) };
  });
}
