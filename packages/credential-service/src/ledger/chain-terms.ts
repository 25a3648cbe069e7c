/**
 * What a transaction has to say about the chain it is for and what it costs there, as the newest block has it, and the
 * account that it is from.
 */
import { int64Max } from '@symbolon/core/limits/consensus';
import { unlessNotFound } from '@symbolon/sdk/errors/errors';
import type { LedgerClient } from '@symbolon/sdk/index';

export interface ChainTerms {
  readonly chainId: bigint;
  readonly gasPrice: bigint;
  /** What an account must keep. */
  readonly baseReserve: bigint;
}

export async function readChainTerms(client: LedgerClient): Promise<ChainTerms> {
  const { result } = await client.getLedger({ with_fee: true });
  // A field that is 0 is left out of the reply.
  return {
    chainId: BigInt(result?.header.chain_id ?? 0),
    gasPrice: BigInt(result?.fees?.gas_price ?? 0),
    baseReserve: BigInt(result?.fees?.base_reserve ?? 0),
  };
}

/** Of transactions that somebody else signs, or whose cost is looked at afterwards: the signer's caps decide. */
export const uncapped = { feeLimitMax: int64Max, gasPriceMax: int64Max } as const;

/** The number of an account's last transaction, and its balance; undefined where there is none at the address. */
export async function findLedgerAccount(
  client: LedgerClient,
  address: string,
): Promise<{ readonly nonce: bigint; readonly balance: bigint } | undefined> {
  const found = await unlessNotFound(client.getAccountBase({ address }));
  const { nonce = 0, balance = 0 } = found?.result ?? {};
  return found && { nonce: BigInt(nonce), balance: BigInt(balance) };
}
