/** The clients of this tab, whether the service answers, and who sits here, for every part that asks. */
import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { type Clients, createClients } from './clients.ts';
import { createConnection, type ServiceConnection } from './connection.ts';
import type { ConsoleConfig, ShownPerson, SignedIn } from './console-calls.ts';
import { createQueryClient } from './query-client.ts';
import { keepTabSession, readTabSession, watchTabSession } from './tab-session.ts';

interface Api {
  readonly clients: Clients;
  readonly connection: ReturnType<typeof createConnection>;
}

const ApiContext = createContext<Api | undefined>(undefined);

function openApi(origin: string) {
  const queries = createQueryClient();
  const connection = createConnection(
    () => fetch(`${origin}/readyz`, { cache: 'no-store' }),
    () => void queries.invalidateQueries(),
  );
  return { queries, api: { connection, clients: createClients(origin, connection) } };
}

export function ApiProvider({ children }: { readonly children: ReactNode }) {
  const [{ queries, api }] = useState(() => openApi(location.origin));
  return (
    <QueryClientProvider client={queries}>
      <ApiContext value={api}>{children}</ApiContext>
    </QueryClientProvider>
  );
}

function useApi(): Api {
  const api = use(ApiContext);
  if (!api) throw new Error('ApiProvider is missing');
  return api;
}

/** The clients of this tab. */
export const useClients = (): Clients => useApi().clients;

/** Whether the service answers, and a way to ask it at once. */
export function useConnection(): ServiceConnection & { readonly tryNow: () => void } {
  const { connection } = useApi();
  const state = useSyncExternalStore(connection.subscribe, connection.read);
  return { ...state, tryNow: connection.tryNow };
}

/** What the service tells its console; `config` is undefined until then, and null where it tells nothing. */
export function useConsoleConfig(): ConsoleConfig | null | undefined {
  const { console } = useClients();
  const { data } = useQuery({
    queryKey: ['console', 'config'],
    queryFn: async () => (await console.config()) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

export interface Chair {
  /** Who is signed in; undefined for nobody. */
  readonly signedIn: SignedIn | undefined;
  /** The same somebody of the demo, where it is one. */
  readonly person: ShownPerson | undefined;
  readonly people: readonly ShownPerson[];
  readonly take: (person: ShownPerson) => Promise<void>;
  readonly leave: () => Promise<void>;
}

/** In whose chair this tab sits. Taking another one forgets everything that was read in the old one. */
export function useChair(): Chair {
  const { console } = useClients();
  const queries = useQueryClient();
  const people = useConsoleConfig()?.people;
  const session = useSyncExternalStore(watchTabSession, readTabSession);
  const { data } = useQuery({
    queryKey: ['console', 'session', session ?? ''],
    queryFn: async () => (await console.signedIn()) ?? null,
    enabled: session !== undefined,
  });
  const sit = useCallback(
    async (next: string | undefined) => {
      keepTabSession(next);
      await queries.resetQueries({ predicate: ({ queryKey }) => queryKey[1] !== 'config' });
    },
    [queries],
  );
  return useMemo(() => {
    const signedIn = data ?? undefined;
    return {
      signedIn,
      person: people?.find(({ did }) => did === signedIn?.did),
      people: people ?? [],
      take: async ({ person }) => sit(await console.signInAs(person)),
      leave: async () => {
        await console.signOut();
        await sit(undefined);
      },
    };
  }, [console, data, people, sit]);
}
