/**
 * Lists that grow at their top. While somebody looks at the top, new rows come by themselves; who has scrolled or read on
 * is told how many wait, and nothing moves.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

export interface LiveList {
  readonly queryKey: readonly unknown[];
  /** How many rows the ledger has that the list has not. */
  readonly newCount: number;
  /** Pages that were read. */
  readonly pageCount: number;
  readonly refetch: () => unknown;
}

const topPx = 80;

export function useLiveList({ queryKey, newCount, pageCount, refetch }: LiveList) {
  const queries = useQueryClient();
  useEffect(() => {
    if (newCount > 0 && pageCount === 1 && scrollY < topPx) void refetch();
  }, [newCount, pageCount, refetch]);
  return {
    count: newCount,
    onShow: () => {
      scrollTo({ top: 0 });
      void queries.resetQueries({ queryKey });
    },
  };
}
