/**
 * The clients of this tab: the service at the origin that served the page, and the ledger through it. Every request
 * names the tab's session; the browser adds the cookie. Nothing is ever sent to another origin.
 */
import { sessionLimits } from '@symbolon/core/limits/waiting';
import { createLedgerClient, type LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { createHttpExchange, type Fetch, type FetchResponse } from '@symbolon/sdk/transport/http-exchange';
import { createRouteClient, type RouteClient } from '@symbolon/sdk/transport/route-client';
import type { CallOptions } from '@symbolon/sdk/transport/service-call';
import { streamRoute } from '@symbolon/sdk/transport/service-stream';
import { httpServiceTransport } from '@symbolon/sdk/transport/service-transport';
import { httpTransport } from '@symbolon/sdk/transport/transport';
import type { ServiceRouteTable } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type AllRoutes, allRoutes } from '@symbolon/wire/openapi/all-routes';
import type { ConnectionStore } from './connection.ts';
import { isAct, noteMadeRequest } from './made-requests.ts';
import { withRequestId } from './request-id.ts';
import { readTabSession, sessionHeader, signalOfReads } from './tab-session.ts';

export interface Clients {
  /** Every route of the service. Not the SDK's whole client, which brings sealing along: this is one origin. */
  readonly service: RouteClient<AllRoutes>;
  readonly ledger: LedgerClient;
  /** Whether the service welcomes requests; rejects where nobody answers. */
  readonly isReady: () => Promise<boolean>;
}

/** Who hears how exchanges went. */
export interface FetchWatch extends Pick<ConnectionStore, 'answered' | 'failed' | 'look'> {
  /** Somebody was not believed who named this session: it may be over. */
  readonly doubted?: (session: string) => void;
}

/** Asked for by who looks whether the session is over, which is no reason to look again. */
const ownRoute = /\/console\/session$/;

/** The service breaks the silence of its streams more often than this. */
const silenceMs = sessionLimits.heartbeatMs + 5_000;

/** The platform's fetch, which names the session and tells how it went. */
export function sessionFetch(watch: FetchWatch, overdueMs = silenceMs): Fetch {
  return async (url, request) => {
    const session = readTabSession();
    // A request that names a session itself is about that one.
    const headers =
      session === undefined ? request.headers : { [sessionHeader]: session, ...request.headers };
    const { signal, settle } = request.method === 'GET' ? endingWithReads(request.signal) : unended(request);
    try {
      const response = await fetch(url, { ...request, headers, signal, credentials: 'same-origin' });
      watch.answered();
      if (response.status === 401 && session !== undefined && !ownRoute.test(url)) watch.doubted?.(session);
      const { status, headers: answered, body } = response;
      return { status, headers: answered, body: body && watched(body, watch.look, overdueMs) };
    } catch (error) {
      // Whoever stopped it knows; only what nobody stopped is a lost connection. One question may take too long by itself.
      if (!signal.aborted) watch.failed();
      else if (isTimeout(signal.reason)) watch.look();
      throw error;
    } finally {
      settle();
    }
  };
}

/** A question that nobody has answered when its session is being ended is taken back; a stream that runs is the service's to end. */
function endingWithReads(own: AbortSignal) {
  const reads = signalOfReads();
  const left = new AbortController();
  const end = (): void => left.abort(reads.reason);
  if (reads.aborted) end();
  else reads.addEventListener('abort', end, { once: true });
  const settle = (): void => reads.removeEventListener('abort', end);
  return { signal: AbortSignal.any([own, left.signal]), settle };
}

const unended = ({ signal }: { readonly signal: AbortSignal }) => ({ signal, settle: () => undefined });

const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError';

/** A body that says when it is silent for too long: who accepts and then freezes closes no connection. */
const watched = (
  body: NonNullable<FetchResponse['body']>,
  onSilence: () => void,
  ms: number,
): FetchResponse['body'] => ({
  getReader() {
    const reader = body.getReader();
    return {
      async read() {
        const timer = setTimeout(onSilence, ms);
        try {
          return await reader.read();
        } finally {
          clearTimeout(timer);
        }
      },
      cancel: () => reader.cancel(),
    };
  },
});

const readyQuestion = {
  method: 'GET',
  pathWithQuery: '/readyz',
  place: 'readyz',
  headers: {},
  carries: 'plain',
} as const;

export function createClients(origin: string, watch: FetchWatch): Clients {
  const fetch = sessionFetch(watch);
  return {
    service: notingService(
      createRouteClient({
        routes: allRoutes,
        transport: httpServiceTransport(origin, { fetch }),
        apiKey: undefined,
        stream: streamRoute,
      }),
    ),
    ledger: notingLedger(createLedgerClient(httpTransport(`${origin}/ledger`, { fetch }))),
    isReady: async () =>
      (await createHttpExchange(origin, 'service', { fetch }).send(readyQuestion)).status === 200,
  };
}

type AnyCall = (given?: JsonObject, options?: CallOptions) => Promise<unknown>;

/** The same client; what something was done with is noted, once it is answered. */
function notingService(service: Clients['service']): Clients['service'] {
  const routes: ServiceRouteTable = allRoutes;
  const noting = Object.entries(service)
    .filter(([name]) => isAct(name, routes[name]?.method ?? 'GET'))
    .map(([name, caller]) => {
      const call = caller as AnyCall;
      const noted: AnyCall = async (given, options) => {
        const { reply, requestId } = await withRequestId(({ onHeaders }) =>
          call(given, {
            ...options,
            onHeaders: (headers) => {
              onHeaders?.(headers);
              options?.onHeaders?.(headers);
            },
          }),
        );
        noteMadeRequest(
          { server: 'service', route: name as keyof AllRoutes, ...(given && { given }) },
          requestId,
        );
        return reply;
      };
      return [name, noted];
    });
  return { ...service, ...(Object.fromEntries(noting) as Partial<Clients['service']>) };
}

const notingLedger = (ledger: LedgerClient): LedgerClient => ({
  ...ledger,
  submitTransaction: async (given, ...rest) => {
    const reply = await ledger.submitTransaction(given, ...rest);
    noteMadeRequest(
      { server: 'ledger', route: 'submitTransaction', given: given as unknown as JsonObject },
      undefined,
    );
    return reply;
  },
});
