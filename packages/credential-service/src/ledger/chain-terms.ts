/** What a transaction has to say about the chain it is for, and what it costs there, as the newest block has it. */
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

/** What a contract stores may be longer in the block that executes it; what is not used of the limit is given back. */
export const withMargin = (fee: bigint): bigint => fee + fee / 10n + 1n;
