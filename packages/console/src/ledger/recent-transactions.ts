/**
 * The newest signed transactions, read anew with every block that comes. What contracts did on their behalf is left to
 * the page of each.
 */
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { transactionOfRecord } from '@symbolon/sdk/transactions/transaction-sentence';
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../api/api.tsx';
import { livesWithLedger } from './live-queries.ts';

export interface ToldTransaction {
  readonly hash: string;
  /** Undefined where this version cannot read it. */
  readonly transaction: Transaction | undefined;
  readonly block: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly hasFailed: boolean;
}

/** Of what contracts do in a transaction each step is a record of its own; so many more are read. */
const recordsPerTransaction = 6;
const recordsMax = 100;

/** Records of the newest `limit` signed transactions. */
export function useRecentRecords(limit: number) {
  const { ledger } = useClients();
  return useQuery({
    queryKey: ['ledger', 'recent-transactions', limit],
    queryFn: async () => {
      const records = Math.min(recordsMax, limit * recordsPerTransaction);
      const { result } = await ledger.getTransactionHistory({ limit: records });
      return (result?.transactions ?? []).filter(({ trigger }) => trigger === undefined).slice(0, limit);
    },
    meta: livesWithLedger,
  });
}

/** The same, as far as a sentence needs it. */
export function useRecentTransactions(limit: number) {
  const query = useRecentRecords(limit);
  const data = query.data?.map(
    (record): ToldTransaction => ({
      hash: record.hash,
      transaction: transactionOfRecord(record),
      block: Number(record.ledger_seq),
      at: Number(record.close_time) / 1_000,
      hasFailed: record.error_code !== 0,
    }),
  );
  return { ...query, data };
}
