/** What holds of a block as a whole, before anything in it is executed: rules that no proposer may bend. */
import { blockLimits } from '../../limits/consensus.ts';
import type { VerifiedTransaction } from './apply-transaction.ts';

export interface BlockOutline {
  readonly closeTime: bigint;
  /** The close time of the block before. */
  readonly previousCloseTime: bigint;
  /** The signed ones: what they trigger is theirs. */
  readonly transactions: readonly VerifiedTransaction[];
}

/** Why a chain cannot have such a block; nothing when it can. */
export function blockProblem({
  closeTime,
  previousCloseTime,
  transactions,
}: BlockOutline): string | undefined {
  const { transactionsMax, bytesMax } = blockLimits;
  if (closeTime <= previousCloseTime)
    return `it closed at ${closeTime}, not after the block before it, which closed at ${previousCloseTime}`;
  if (transactions.length > transactionsMax)
    return `it has ${transactions.length} transactions, at most ${transactionsMax} are allowed`;
  const bytes = transactions.reduce((sum, { signed }) => sum + signed.envelopeBytes, 0);
  return bytes > bytesMax
    ? `its transactions have ${bytes} bytes, at most ${bytesMax} are allowed`
    : undefined;
}
