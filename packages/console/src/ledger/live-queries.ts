/** Queries that are read again whenever the ledger has closed a block: `useQuery({ …, meta: livesWithLedger })`. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClients } from '../api/api.tsx';
import { calm } from '../api/calm.ts';
import { followStream } from '../api/follow-stream.ts';

export const livesWithLedger = { livesWithLedger: true } as const;

/** Blocks may come faster than anybody reads. */
const oftenMs = 1_000;

/** Called once, by the frame. */
export function useLedgerStream(): void {
  const { service } = useClients();
  const queries = useQueryClient();
  useEffect(() => {
    const reading = calm(
      () => void queries.invalidateQueries({ predicate: ({ meta }) => meta?.livesWithLedger === true }),
      oftenMs,
    );
    const end = followStream({
      name: 'blocks',
      open: (signal) => service.watchBlocks({}, { signal }),
      onEvent: reading.want,
      onGap: reading.want,
    });
    return () => {
      reading.end();
      end();
    };
  }, [service, queries]);
}
