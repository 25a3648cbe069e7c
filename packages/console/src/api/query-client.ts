/**
 * How queries behave: what was read is kept and shown while it is read again, a failure is shown at once, and a lost
 * connection is nothing that a query repeats by itself, because the connection does (`connection.ts`).
 */
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { noteReadFailure } from './failure.ts';

const freshMs = 5_000;
const keptMs = 10 * 60_000;

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: noteReadFailure }),
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
