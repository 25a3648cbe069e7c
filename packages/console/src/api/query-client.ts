/**
 * How queries behave: what was read is kept and shown while it is read again, a failure is shown at once, and a lost
 * connection is nothing that a query repeats by itself, because the connection does (`connection.ts`).
 */
import { QueryClient } from '@tanstack/react-query';

const freshMs = 5_000;
const keptMs = 10 * 60_000;

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        networkMode: 'always',
        staleTime: freshMs,
        gcTime: keptMs,
        refetchOnReconnect: false,
        refetchIntervalInBackground: false,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
