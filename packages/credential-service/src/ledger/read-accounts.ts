/** What the ledger says of an account, where there is no account to be asked. */
import { codes } from '@symbolon/core/ledger/codes';
import { type LedgerClient, LedgerError } from '@symbolon/sdk/index';

/** Undefined for an account that does not exist. */
export async function balanceOf(client: LedgerClient, address: string): Promise<bigint | undefined> {
  try {
    const { result } = await client.getAccountBase({ address });
    return BigInt(result?.balance ?? 0);
  } catch (error) {
    if (error instanceof LedgerError && error.code === codes.notFound) return undefined;
    throw error;
  }
}
