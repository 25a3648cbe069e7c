/** The clients of this tab, whether the service answers, and who sits here, for every part that asks. */
import { useWindowEvent } from '@mantine/hooks';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { type Query, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { OperatorContext } from '../parts/hooks/use-operator.ts';
import { type Clients, createClients } from './clients.ts';
import { createConnection, type ServiceConnection } from './connection.ts';
import {
  type BegunSession,
  type ConsoleConfig,
  configQuery,
  type ShownPerson,
  type SignedIn,
} from './console-config.ts';
import { type LeftEnd, tellSignedOut } from './left-session.ts';
import { createQueryClient } from './query-client.ts';
import {
  endTabSession,
  keepTabSession,
  readTabSeat,
  stopReads,
  type TabSeat,
  watchTabSession,
} from './tab-session.ts';

interface Api {
  readonly clients: Clients;
  readonly connection: ReturnType<typeof createConnection>;
}

const sessionKey = (session: string) => ['console', 'session', session] as const;

const ApiContext = createContext<Api | undefined>(undefined);

/** Whoever does not answer within this is not there. */
const probedMs = 5_000;

function openApi(origin: string) {
  const queries = createQueryClient();
  const connection = createConnection(
    () => fetch(`${origin}/readyz`, { cache: 'no-store', signal: AbortSignal.timeout(probedMs) }),
    () => void queries.invalidateQueries(),
  );
  const doubted = (session: string): void => {
    void queries.invalidateQueries({ queryKey: sessionKey(session) });
  };
  return { queries, api: { connection, clients: createClients(origin, { ...connection, doubted }) } };
}

export function ApiProvider({ children }: { readonly children: ReactNode }) {
  const [{ queries, api }] = useState(() => openApi(location.origin));
  // A browser without a network may still reach a service on its own machine: it is asked, not believed.
  useWindowEvent('online', api.connection.look);
  useWindowEvent('offline', api.connection.look);
  return (
    <QueryClientProvider client={queries}>
      <ApiContext value={api}>
        <Operator>{children}</Operator>
      </ApiContext>
    </QueryClientProvider>
  );
}

/** Whoever sits before a demo has most likely started it. */
function Operator({ children }: { readonly children: ReactNode }) {
  return <OperatorContext value={useConsoleConfig()?.isDemo ?? false}>{children}</OperatorContext>;
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

/** What the service tells its console; undefined until then, and null where it tells nothing. */
export function useConsoleConfig(): ConsoleConfig | null | undefined {
  const { service } = useClients();
  return useQuery(configQuery(service)).data;
}

export interface Chair {
  /** Who is signed in, or was until the session ended; undefined for nobody. */
  readonly signedIn: SignedIn | undefined;
  /** That the session ended without anybody's leaving: what it showed stays until somebody signs in. */
  readonly ended: TabSeat['ended'];
  /** The same somebody of the demo, where it is one. */
  readonly person: ShownPerson | undefined;
  readonly people: readonly ShownPerson[];
  /** `moveOn` leaves the page of the old chair, once nothing of it is asked for any more. */
  readonly take: (person: ShownPerson, moveOn?: MoveOn) => Promise<void>;
  /** Goes on in a session that has begun. */
  readonly enter: (begun: BegunSession) => Promise<void>;
  /** Done here whatever the network does; what the service says of it comes when it comes. */
  readonly leave: (moveOn?: MoveOn) => { readonly here: Promise<void>; readonly there: Promise<LeftEnd> };
}

type MoveOn = () => Promise<void>;

const isOfChair = ({ queryKey }: Query): boolean => queryKey[0] !== 'console';

/**
 * In whose chair this tab sits. Taking another one forgets everything that was read in the old one; whoever comes back to
 * the own one after the session ended finds the page as it was.
 */
export function useChair(): Chair {
  const { clients, connection } = useApi();
  const { service } = clients;
  const queries = useQueryClient();
  const people = useConsoleConfig()?.people;
  const { id, ended } = useSyncExternalStore(watchTabSession, readTabSeat);
  const session = id ?? ended?.id ?? '';
  const { data: signedIn } = useQuery({
    queryKey: sessionKey(session),
    queryFn: () =>
      service.getSignedIn().catch((error: unknown) => {
        if (error instanceof ServiceError && error.status === 401) endTabSession(session, 'ended');
        throw error;
      }),
    enabled: id !== undefined,
  });
  const sit = useCallback(
    async (begun: BegunSession | undefined, moveOn?: MoveOn) => {
      const isSame = begun?.did !== undefined && begun.did === signedIn?.did;
      if (begun) {
        const { session: next, ...facts } = begun;
        queries.setQueryData(sessionKey(next), facts);
        // The one before is nobody's from now on; where it cannot be ended, it ends by resting.
        stopReads();
        if (id !== undefined) await service.signOut().catch(() => undefined);
      }
      keepTabSession(begun?.session);
      if (isSame) return queries.invalidateQueries({ predicate: isOfChair });
      // Forgotten first and asked for after the page is left: the next chair may not know what this one read.
      for (const query of queries.getQueryCache().findAll({ predicate: isOfChair })) query.reset();
      await moveOn?.();
      const isLacking = (query: Query): boolean =>
        isOfChair(query) && query.state.data === undefined && query.state.fetchStatus === 'idle';
      await queries.refetchQueries({ type: 'active', predicate: isLacking });
    },
    [id, queries, service, signedIn],
  );
  return useMemo(
    () => ({
      signedIn,
      ended,
      person: people?.find(({ did }) => did === signedIn?.did),
      people: people ?? [],
      take: async ({ person }, moveOn) => sit(await service.signIn({ person }), moveOn),
      enter: (begun) => sit(begun),
      leave: (moveOn) => {
        stopReads();
        const there =
          id === undefined
            ? Promise.resolve('over' as const)
            : tellSignedOut({ service, connection, session: id, lasts: signedIn });
        return { here: sit(undefined, moveOn), there };
      },
    }),
    [connection, service, signedIn, ended, id, people, sit],
  );
}
