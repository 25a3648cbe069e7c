/**
 * The clients of this tab: the service at the origin that served the page, and the ledger through it. Every request
 * names the tab's session; the browser adds the cookie. Nothing is ever sent to another origin.
 */
import { createLedgerClient, type LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { createHttpExchange, type Fetch } from '@symbolon/sdk/transport/http-exchange';
import { createRouteClient, type RouteClient } from '@symbolon/sdk/transport/route-client';
import { streamRoute } from '@symbolon/sdk/transport/service-stream';
import { httpServiceTransport } from '@symbolon/sdk/transport/service-transport';
import { httpTransport } from '@symbolon/sdk/transport/transport';
import { type AllRoutes, allRoutes } from '@symbolon/wire/openapi/all-routes';
import type { ConnectionStore } from './connection.ts';
import { type ConsoleCalls, createConsoleCalls } from './console-calls.ts';
import { readTabSession, sessionHeader } from './tab-session.ts';

export interface Clients {
  /** Every route of the service. Not the SDK's whole client, which brings sealing along: this is one origin. */
  readonly service: RouteClient<AllRoutes>;
  readonly ledger: LedgerClient;
  readonly console: ConsoleCalls;
  /** Whether the service welcomes requests; rejects where nobody answers. */
  readonly isReady: () => Promise<boolean>;
}

/** The platform's fetch, which names the session and tells how it went. */
export function sessionFetch(connection: Pick<ConnectionStore, 'answered' | 'failed'>): Fetch {
  return async (url, request) => {
    const session = readTabSession();
    const headers =
      session === undefined ? request.headers : { ...request.headers, [sessionHeader]: session };
    try {
      const response = await fetch(url, { ...request, headers, credentials: 'same-origin' });
      connection.answered();
      return response;
    } catch (error) {
      // Whoever stopped it knows; only what nobody stopped is a lost connection.
      if (!request.signal.aborted) connection.failed();
      throw error;
    }
  };
}

const readyQuestion = {
  method: 'GET',
  pathWithQuery: '/readyz',
  place: 'readyz',
  headers: {},
  carries: 'plain',
} as const;

export function createClients(origin: string, connection: ConnectionStore): Clients {
  const fetch = sessionFetch(connection);
  return {
    service: createRouteClient({
      routes: allRoutes,
      transport: httpServiceTransport(origin, { fetch }),
      apiKey: undefined,
      stream: streamRoute,
    }),
    ledger: createLedgerClient(httpTransport(`${origin}/ledger`, { fetch })),
    console: createConsoleCalls(origin, fetch),
    isReady: async () =>
      (await createHttpExchange(origin, 'service', { fetch }).send(readyQuestion)).status === 200,
  };
}
