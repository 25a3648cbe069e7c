/**
 * What text costs that passes between a contract and the ledger, in steps (docs/ledger.md, "Contracts"). Short texts
 * are part of the price of a call; long ones are copied, encoded, hashed and kept, which takes time and room that the
 * engine does not see.
 */
import { contractLimits } from '../../limits/consensus.ts';
import type { ContractValue } from '../terms/engine.ts';

/** Texts by themselves and as direct members: no function of the ledger takes or gives any deeper. */
export function textSteps(values: readonly ContractValue[]): number {
  let chars = 0;
  for (const value of values) {
    if (typeof value === 'string') chars += value.length;
    else if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value)) if (typeof member === 'string') chars += member.length;
    }
  }
  return Math.floor(chars / contractLimits.textCharsPerStep);
}

/** A triggered transaction is encoded, hashed and stored, each byte of it. */
export const byteSteps = (bytes: number): number => Math.floor(bytes / contractLimits.triggeredBytesPerStep);
