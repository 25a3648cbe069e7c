/**
 * Who may act for an account: signature weights against thresholds (`docs/ledger.md`, "Weights"). A signer's own
 * privileges are not consulted: weights are not resolved recursively.
 */
import type { Account } from '../../proto/ledger_pb.ts';

/** The addresses whose signatures verified. */
export type SignedBy = Pick<ReadonlySet<string>, 'has'>;

/** Nobody is asked to sign what is only tried out. */
export const everyone: SignedBy = { has: () => true };

/** The weight that a set of addresses with verified signatures carries for an account. */
export function weightOf(account: Account, signedBy: SignedBy): bigint {
  let weight = signedBy.has(account.address) ? (account.priv?.masterWeight ?? 0n) : 0n;
  for (const signer of account.priv?.signers ?? []) {
    if (signedBy.has(signer.address)) weight += signer.weight;
  }
  return weight;
}

/** The weight an operation of this type needs; without a type, what a transaction needs. */
export function thresholdOf(account: Account, operationType?: number): bigint {
  const thresholds = account.priv?.thresholds;
  const special = thresholds?.typeThresholds.find((entry) => entry.type === operationType);
  return special && special.threshold > 0n ? special.threshold : (thresholds?.txThreshold ?? 0n);
}

export const isAuthorized = (account: Account, signedBy: SignedBy, operationType?: number): boolean =>
  weightOf(account, signedBy) >= thresholdOf(account, operationType);
