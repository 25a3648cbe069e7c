/** Which transactions a connection wants to hear of: all, or those that name one of its addresses. */
import type { Transaction } from '@symbolon/core/proto/ledger_pb';

export type AddressFilter = ReadonlySet<string> | undefined;

/** The addresses a transaction concerns: its source, its operations' sources, and who is created or paid. */
export function addressesOf(transaction: Transaction): ReadonlySet<string> {
  const addresses = new Set([transaction.sourceAddress]);
  for (const { sourceAddress, createAccount, payAsset, payCoin } of transaction.operations) {
    const target = createAccount?.destAddress ?? payAsset?.destAddress ?? payCoin?.destAddress;
    for (const address of [sourceAddress, target]) if (address) addresses.add(address);
  }
  return addresses;
}

export const isWanted = (filter: AddressFilter, addresses: ReadonlySet<string>): boolean =>
  filter === undefined || !filter.isDisjointFrom(addresses);
