/**
 * The newest signed transactions, each as one sentence in the words of the SDK, with the names that the reader knows. What
 * contracts did on their behalf is left to the explorer.
 */

import { describeTransaction, transactionOfRecord } from '@symbolon/sdk/transactions/transaction-sentence';
import { useQuery } from '@tanstack/react-query';
import { useClients, useConsoleConfig } from '../api/api.tsx';
import { shortAccount } from '../text/short-ids.ts';

export interface ToldTransaction {
  readonly hash: string;
  readonly sentence: string;
  readonly block: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly hasFailed: boolean;
}

const askedEveryMs = 3_000;
/** Of what contracts do in a transaction each step is a record of its own; so many more are read. */
const recordsPerTransaction = 6;
const recordsMax = 100;

export function useRecentTransactions(limit: number) {
  const { ledger } = useClients();
  const people = useConsoleConfig()?.people ?? [];
  const names = new Map(people.map(({ address, name }) => [address, name]));
  return useQuery({
    queryKey: ['ledger', 'recent-transactions', limit],
    queryFn: async () => {
      const records = Math.min(recordsMax, limit * recordsPerTransaction);
      const { result } = await ledger.getTransactionHistory({ limit: records });
      return (result?.transactions ?? []).filter(({ trigger }) => trigger === undefined).slice(0, limit);
    },
    refetchInterval: askedEveryMs,
    select: (records) =>
      records.map((record): ToldTransaction => {
        const transaction = transactionOfRecord(record);
        const nameOf = (address: string): string => names.get(address) ?? shortAccount(address);
        return {
          hash: record.hash,
          sentence: transaction ? describeTransaction(transaction, { nameOf }) : record.hash,
          block: Number(record.ledger_seq),
          at: Number(record.close_time) / 1_000,
          hasFailed: record.error_code !== 0,
        };
      }),
  });
}
