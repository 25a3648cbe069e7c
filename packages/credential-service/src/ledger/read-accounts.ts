/** What the ledger says of an account; nothing where there is none at the address. */
import { unlessNotFound } from '@symbolon/sdk/errors/errors';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';

export interface LedgerAccount {
  /** The number of its last transaction. */
  readonly nonce: bigint;
  readonly balance: bigint;
}

export async function findLedgerAccount(
  client: LedgerClient,
  address: string,
): Promise<LedgerAccount | undefined> {
  const found = await unlessNotFound(client.getAccountBase({ address }));
  const { nonce = 0, balance = 0 } = found?.result ?? {};
  return found && { nonce: BigInt(nonce), balance: BigInt(balance) };
}
