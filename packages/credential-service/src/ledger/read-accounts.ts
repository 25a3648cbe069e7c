/** What the ledger says of an account, where there is no account to be asked. */

import { unlessNotFound } from '@symbolon/sdk/errors/errors';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';

/** Undefined for an account that does not exist. */
export async function balanceOf(client: LedgerClient, address: string): Promise<bigint | undefined> {
  const account = await unlessNotFound(client.getAccountBase({ address }));
  return account && BigInt(account.result?.balance ?? 0);
}

/** The number of the account's last transaction; undefined for an account that does not exist. */
export async function nonceOf(client: LedgerClient, address: string): Promise<bigint | undefined> {
  const account = await unlessNotFound(client.getAccountBase({ address }));
  return account && BigInt(account.result?.nonce ?? 0);
}
