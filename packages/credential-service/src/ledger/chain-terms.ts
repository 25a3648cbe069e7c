/** What a transaction has to say about the chain it is for, and what it costs there, as the newest block has it. */
import { int64Max } from '@symbolon/core/limits/consensus';
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
