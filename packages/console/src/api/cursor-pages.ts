/** A list that comes in pages, each with the cursor of the next: all that was read so far, and a way to read on. */
import { useInfiniteQuery } from '@tanstack/react-query';

export interface CursorPage<Row> {
  readonly rows: readonly Row[];
  /** Undefined on the last page. */
  readonly next: string | undefined;
  /** How much there was in all when the page was read, for lists that grow. */
  readonly total?: number;
}

export function useCursorPages<Row>(
  queryKey: readonly unknown[],
  read: (cursor: string | undefined) => Promise<CursorPage<Row>>,
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  return {
    ...query,
    rows: query.data?.pages.flatMap(({ rows }) => rows),
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
  };
}
