/**
 * Proof work for presentations, and what its refusals mean to a caller. An engine that is busy, slow or broken is a
 * fault of the service: nothing that was not computed ever counts as proved, or as disproved.
 */

import { encodeProofValue } from '@symbolon/core/credential/credential-shapes';
import type { ContentsCommitment } from '@symbolon/core/documents/model';
import type { DisclosurePlan } from '@symbolon/core/presentation/presentation-derivation';
import {
  type CommitOrder,
  faultOfEngine,
  ProofEngineError,
  type ProofOrder,
  type SignatureOrder,
} from '@symbolon/core/proofs/proof-engine';
import type { CallerProofs } from '../proofs/proof-desk.ts';

export const isGoodSignature = (proofs: CallerProofs, order: SignatureOrder): Promise<boolean> =>
  withEngineFaults(() => falseIfImpossible(() => proofs.verifySignature(order)));

/** Whether what is signed is what was committed to; true where nothing was. */
export async function isOpening(
  proofs: CallerProofs,
  order: CommitOrder,
  contents: ContentsCommitment | undefined,
): Promise<boolean> {
  if (!contents) return true;
  const commitment = await withEngineFaults(() => proofs.commit(order));
  return encodeProofValue(commitment) === contents.commitment;
}

export const isGoodProof = (proofs: CallerProofs, order: ProofOrder): Promise<boolean> =>
  withEngineFaults(() => falseIfImpossible(() => proofs.verifyProof(order)));

export const deriveProof = (proofs: CallerProofs, { order }: DisclosurePlan): Promise<Uint8Array> =>
  withEngineFaults(() => proofs.derive(order));

/** An order that no engine takes, such as one about a key that is no point, is about nothing that was ever signed. */
async function falseIfImpossible(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return (await work()) === true;
  } catch (error) {
    if (error instanceof ProofEngineError && error.code === 'invalidInput') return false;
    throw error;
  }
}

async function withEngineFaults<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProofEngineError ? faultOfEngine(error) : error;
  }
}
