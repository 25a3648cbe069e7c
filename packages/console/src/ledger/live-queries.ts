/** Queries that are read again whenever the ledger has closed a block: `useQuery({ …, meta: livesWithLedger })`. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClients } from '../api/api.tsx';
import { followStream } from '../api/follow-stream.ts';

export const livesWithLedger = { livesWithLedger: true } as const;

/** Blocks may come faster than anybody reads. */
const oftenMs = 1_000;

/** Called once, by the frame. */
export function useLedgerStream(): void {
  const { service } = useClients();
  const queries = useQueryClient();
  useEffect(() => {
    let last = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readAnew = (): void => {
      timer = undefined;
      last = performance.now();
      void queries.invalidateQueries({ predicate: ({ meta }) => meta?.livesWithLedger === true });
    };
    const onNews = (): void => {
      timer ??= setTimeout(readAnew, Math.max(0, last + oftenMs - performance.now()));
    };
    const end = followStream({
      name: 'blocks',
      open: (signal) => service.watchBlocks({}, { signal }),
      onEvent: onNews,
      onGap: onNews,
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [service, queries]);
}
