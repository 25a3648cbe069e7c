/**
 * What the ledger says of a transaction before anybody signs it: whether it would succeed, what it would cost, or why not.
 * The transaction that is signed then has that cost and some room, within the caps of the SDK.
 */

import { useDebouncedValue } from '@mantine/hooks';
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { LedgerError, unexpectedReply } from '@symbolon/sdk/errors/errors';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { costWithinCaps } from '@symbolon/sdk/transactions/transaction-caps';
import { transactionOfRecord } from '@symbolon/sdk/transactions/transaction-sentence';
import { openMade } from '@symbolon/sdk/transactions/transaction-texts';
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../../../api/api.tsx';

export type LabTrial =
  | {
      readonly kind: 'succeeds';
      readonly fee: bigint;
      /** What would be signed. */
      readonly made: SignedTransaction;
      /** With those that contracts would trigger. */
      readonly transactions: readonly Transaction[];
    }
  | { readonly kind: 'fails'; readonly error: LedgerError }
  /** By all but what the accounts have, which the ledger does not look at here. */
  | { readonly kind: 'unpaid' };

/** Nobody's every letter is tried out. */
const triedAfterMs = 350;
const freshMs = 5_000;

async function tryOut(ledger: LedgerClient, transaction: Transaction, blob: string, signatures: number) {
  try {
    const { result } = await ledger.testTransaction({
      items: [{ transaction_blob: blob, signature_number: signatures }],
    });
    const txs = result?.txs ?? [];
    const evaluated = txs[0]?.transaction_env.transaction;
    if (!evaluated) throw unexpectedReply('testTransaction', ['result.txs']);
    const { feeLimit, gasPrice } = transaction;
    const cost = costWithinCaps(
      { feeLimit: BigInt(evaluated.fee_limit ?? 0), gasPrice: BigInt(evaluated.gas_price ?? 0) },
      { withRoom: true, ...(feeLimit > 0n && { feeLimit }), ...(gasPrice > 0n && { gasPrice }) },
      transaction.operations,
    );
    const made = openMade({ ...transaction, ...cost });
    if (!made) throw new TypeError('a transaction that was tried out can be encoded');
    return {
      kind: 'succeeds',
      fee: BigInt(txs[0]?.actual_fee ?? evaluated.fee_limit ?? 0),
      made,
      transactions: txs.flatMap(({ transaction_env: record }) => transactionOfRecord(record) ?? []),
    } as const;
  } catch (error) {
    if (error instanceof LedgerError) return { kind: 'fails', error } as const;
    throw error;
  }
}

export interface TrialDesk {
  readonly trial: LabTrial | undefined;
  readonly isTrying: boolean;
  /** Where the ledger could not be asked, or a cap was exceeded. */
  readonly error: unknown;
}

/** `transaction` undefined: nothing is tried out. */
export function useTrial(transaction: Transaction | undefined, signatures: number): TrialDesk {
  const { ledger } = useClients();
  const opened = transaction && openMade(transaction);
  const blob = opened ? encodeHex(opened.blob) : '';
  const [settled] = useDebouncedValue(blob, triedAfterMs);
  const isSettled = blob !== '' && settled === blob;
  const { data, error, isFetching } = useQuery({
    queryKey: ['ledger', 'trial', blob, signatures],
    queryFn: () => tryOut(ledger, transaction as Transaction, blob, signatures),
    enabled: isSettled,
    staleTime: freshMs,
    retry: false,
  });
  return {
    trial: blob === '' ? undefined : data,
    isTrying: blob !== '' && (!isSettled || isFetching) && data === undefined,
    error: data === undefined ? error : undefined,
  };
}
