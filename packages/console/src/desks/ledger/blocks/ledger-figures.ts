/** Figures of the last blocks, oldest first, read anew with every block that comes. */
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../../../api/api.tsx';
import { livesWithLedger } from '../../../ledger/live-queries.ts';

export interface ShownFigures {
  readonly seq: number;
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly closedAt: number;
  /** Milliseconds since the block before; 0 where there is none. */
  readonly blockTimeMs: number;
  readonly transactions: number;
  readonly failed: number;
  readonly fees: bigint;
  readonly bytes: number;
}

interface WireFigures {
  readonly seq: number | bigint;
  readonly hash: string;
  readonly close_time: number | bigint;
  readonly block_time: number | bigint;
  readonly transaction_count: number;
  readonly failed_count: number;
  readonly fees: number | bigint;
  readonly size: number;
}

export const shownFigures = (shown: WireFigures): ShownFigures => ({
  seq: Number(shown.seq),
  hash: shown.hash,
  closedAt: Number(shown.close_time) / 1_000,
  blockTimeMs: Number(shown.block_time) / 1_000,
  transactions: shown.transaction_count,
  failed: shown.failed_count,
  fees: BigInt(shown.fees),
  bytes: shown.size,
});

const pageBlocks = 200;

export function useLastFigures(blocks: number) {
  const { ledger } = useClients();
  return useQuery({
    queryKey: ['ledger', 'figures', blocks],
    queryFn: async () => {
      const read: ShownFigures[] = [];
      let cursor: string | undefined;
      do {
        const limit = Math.min(pageBlocks, blocks - read.length);
        const { result } = await ledger.getLedgerFigures({ limit, ...(cursor !== undefined && { cursor }) });
        read.push(...(result?.ledgers ?? []).map(shownFigures));
        cursor = result?.next_cursor ?? undefined;
      } while (cursor !== undefined && read.length < blocks);
      return read.reverse();
    },
    // More than one page is too much to read with every block.
    ...(blocks <= pageBlocks ? { meta: livesWithLedger } : { refetchInterval: 15_000 }),
  });
}

/** Heights and totals, and what waits. */
export function useOverview() {
  const { ledger } = useClients();
  return useQuery({
    queryKey: ['ledger', 'overview'],
    queryFn: async () => {
      const { result } = await ledger.getExplorerOverview();
      if (!result) throw new TypeError('an overview says something');
      return result;
    },
    meta: livesWithLedger,
    refetchInterval: 10_000,
  });
}
