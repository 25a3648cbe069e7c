/**
 * What the service says to its console alone: where it is and who may sit here. A service without that route is a good
 * service: then nobody signs in, and the console shows what is public.
 */

import { SdkError } from '@symbolon/sdk/errors/errors';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import type { RouteClient } from '@symbolon/sdk/transport/route-client';
import type { AllRoutes } from '@symbolon/wire/openapi/all-routes';
import type { QueryClient } from '@tanstack/react-query';

type Service = RouteClient<AllRoutes>;
type ConfigReply = Awaited<ReturnType<Service['getConsoleConfig']>>;

/** Somebody of the demo, whose keys everybody knows. */
export type KnownPerson = NonNullable<ConfigReply['people']>[number];

/** The same, as far as it is shown. `person`: role in the demo, by which they are signed in. */
export type ShownPerson = Pick<KnownPerson, 'person' | 'name' | 'did' | 'address'> & {
  readonly scopes: readonly KnownPerson['scopes'][number][];
};

export type ConsoleConfig = Omit<ConfigReply, 'people'> & { readonly people: readonly KnownPerson[] };

/** Who is signed in, what they may do, and until when. */
export type SignedIn = Awaited<ReturnType<Service['getSignedIn']>>;
/** The same when it begins, with the id of the session. */
export type BegunSession = Awaited<ReturnType<Service['signIn']>>;

/** The query of every part that asks for it. */
export const configQuery = (service: Pick<Service, 'getConsoleConfig'>) => ({
  queryKey: ['console', 'config'] as const,
  queryFn: async (): Promise<ConsoleConfig | null> => {
    try {
      const { people = [], ...config } = await service.getConsoleConfig();
      return { ...config, people };
    } catch (error) {
      // What is refused for want of a route is no failure: there is none.
      if (error instanceof ServiceError && error.status === 404) return null;
      throw error;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** The same for an act that cannot be done without it. */
export async function askConfig(queries: QueryClient, service: Service): Promise<ConsoleConfig> {
  const config = await queries.fetchQuery(configQuery(service));
  if (config) return config;
  throw new SdkError('unexpectedReply', 'the service says nothing of its ledger', {
    hint: 'Load the page again: service and console may be of different versions.',
  });
}
