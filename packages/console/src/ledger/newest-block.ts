/** The newest block of the ledger, read anew with every block that comes. */
import { useQuery } from '@tanstack/react-query';
import { useClients, useConnection } from '../api/api.tsx';
import { livesWithLedger } from './live-queries.ts';

export interface NewestBlock {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly closedAt: number;
  /** Since the first block. */
  readonly transactionCount: number;
}

/** `hasFailed` as soon as the ledger, or the service before it, does not answer: what was read before is no news. */
export function useNewestBlock(): { readonly block: NewestBlock | undefined; readonly hasFailed: boolean } {
  const isLost = useConnection().state === 'lost';
  const { ledger } = useClients();
  const { data, isError } = useQuery({
    queryKey: ['ledger', 'newest-block'],
    queryFn: async (): Promise<NewestBlock> => {
      const header = (await ledger.getLedger()).result?.header;
      if (!header) throw new TypeError('a ledger has a newest block');
      return {
        number: Number(header.seq),
        closedAt: Number(header.close_time) / 1_000,
        transactionCount: Number(header.tx_count),
      };
    },
    meta: livesWithLedger,
  });
  return { block: data, hasFailed: isError || isLost };
}
