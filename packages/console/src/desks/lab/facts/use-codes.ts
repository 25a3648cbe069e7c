/** Which of the accounts that a transaction pays have a contract: an input for any other one is read by nobody. */
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { useAccounts } from './use-accounts.ts';

const destinationsOf = ({ operations }: Transaction): readonly string[] => [
  ...new Set(operations.flatMap(({ payCoin, payAsset }) => (payCoin ?? payAsset)?.destAddress ?? [])),
];

/** Undefined for accounts that the ledger was not asked for, or has not answered yet. */
export function useCodes(transaction: Transaction | undefined): (address: string) => boolean | undefined {
  const asked = transaction ? destinationsOf(transaction) : [];
  const { accounts, isComplete } = useAccounts(asked);
  return (address) =>
    isComplete && asked.includes(address) ? !!accounts.get(address)?.contract?.payload : undefined;
}
