/**
 * How a draft would end: what the ledger says when it tries it out, and what a trial does not look at, which is whether the
 * accounts can pay it and whether it costs more than anybody signs for unasked.
 */
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { actingAccounts } from '@symbolon/sdk/transactions/required-weights';
import { FeeTooHigh } from '@symbolon/sdk/transactions/transaction-caps';
import { useFees } from '../../../ledger/use-fees.ts';
import type { DraftProblem } from '../draft/draft.ts';
import { type Shortfall, shortfallOf } from '../draft/shortfall.ts';
import { useAccounts } from './use-accounts.ts';
import { type TrialDesk, useTrial } from './use-trial.ts';

export interface Forecast {
  readonly trial: TrialDesk;
  /** To the byte; undefined until it was tried out. */
  readonly prepared: SignedTransaction | undefined;
  readonly shortfall: Shortfall | undefined;
  /** What must be changed in the draft, because it costs too much. */
  readonly problem: DraftProblem | undefined;
}

export interface ForecastGiven {
  /** Undefined while something is missing. */
  readonly drafted: Transaction | undefined;
  /** What is signed already, and tried out no more. */
  readonly signed: SignedTransaction | undefined;
  /** How many the fee must cover. */
  readonly signatures: number;
}

export function useForecast({ drafted, signed, signatures }: ForecastGiven): Forecast {
  const tried = useTrial(signed ? undefined : drafted, signatures);
  const succeeded = tried.trial?.kind === 'succeeds' ? tried.trial : undefined;
  const prepared = signed ?? succeeded?.made;
  const transaction = prepared?.transaction;
  const { accounts, isComplete } = useAccounts(transaction ? actingAccounts(transaction) : []);
  const fees = useFees().data;
  const isKnown = isComplete && fees !== undefined;
  const shortfall =
    transaction && isKnown
      ? shortfallOf(transaction, succeeded?.transactions.slice(1) ?? [], {
          balances: new Map([...accounts].map(([address, { balance }]) => [address, BigInt(balance ?? 0)])),
          reserve: BigInt(fees.base_reserve ?? 0),
        })
      : undefined;
  const problem = tried.error instanceof FeeTooHigh ? costProblem(tried.error, drafted) : undefined;
  return { trial: wholeTrial(), prepared, shortfall, problem };

  /** Nothing is said to succeed before it is known that it can be paid. */
  function wholeTrial(): TrialDesk {
    if (problem) return { ...tried, error: undefined };
    if (!succeeded) return tried;
    if (!isKnown) return { ...tried, trial: undefined, isTrying: true };
    return shortfall ? { ...tried, trial: { kind: 'unpaid' } } : tried;
  }
}

/** At the price, where the draft says one; else nobody has said what it may cost. */
const costProblem = ({ cost, message }: FeeTooHigh, drafted: Transaction | undefined): DraftProblem => ({
  path: (drafted?.gasPrice ?? 0n) > 0n ? 'gas_price' : 'fee_limit',
  reason: message,
  cost: cost.feeLimit,
});
