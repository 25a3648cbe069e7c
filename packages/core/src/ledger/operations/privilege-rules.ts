/** Bounds of weights and thresholds, shared by the operations that create and change privileges. */
import { operationLimits, weightMax } from '../../limits/consensus.ts';
import type { Signer, TypeThreshold } from '../../proto/ledger_pb.ts';
import type { LedgerRules } from '../terms/chain-parameters.ts';
import { type LedgerRefusal, refuse } from '../terms/codes.ts';

export const isWeight = (weight: bigint): boolean => weight >= 0n && weight <= weightMax;

/** Signers of an account, as a change or a new account names them. */
export function checkSigners(
  signers: readonly Signer[],
  account: string,
  { keys }: LedgerRules,
): LedgerRefusal | undefined {
  const seen = new Set<string>();
  for (const { address, weight } of signers) {
    if (!isWeight(weight)) return refuse('invalidWeight', `a signer's weight must lie in 0 to ${weightMax}`);
    if (address === account) return refuse('invalidAddress', 'an account cannot be its own signer');
    if (!keys.isAddress(address)) return refuse('invalidAddress', 'a signer is not a valid address');
    if (seen.has(address)) return refuse('invalidParameter', `signer ${address} is named twice`);
    seen.add(address);
  }
  return undefined;
}

export const tooManySigners = refuse(
  'invalidParameter',
  `an account has at most ${operationLimits.signersMax} signers`,
);

export function checkTypeThresholds(entries: readonly TypeThreshold[]): LedgerRefusal | undefined {
  const { typeThresholdTypeMin, typeThresholdTypeMax } = operationLimits;
  const seen = new Set<number>();
  for (const { type, threshold } of entries) {
    if (type < typeThresholdTypeMin || type > typeThresholdTypeMax) {
      return refuse('invalidParameter', `type threshold for operation type ${type}: 1 to 100 is allowed`);
    }
    if (threshold < 0n) return refuse('invalidThreshold', `type threshold of type ${type} is negative`);
    if (seen.has(type)) return refuse('invalidParameter', `two type thresholds for operation type ${type}`);
    seen.add(type);
  }
  return undefined;
}
