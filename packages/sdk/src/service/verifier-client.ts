/**
 * The client of a verifier: the few routes that verifying needs, for pages that shall carry no more. A whole client
 * (`credential-client.ts`) does in its place. Whoever wants requests sealed gives it a sealed transport:
 * `createVerifierClient(sealedTransport(httpServiceTransport(url)))`.
 */
import { type VerifierRoutes, verifierRoutes } from '@symbolon/wire/credentials/verifier-routes';
import { assertMembers, type MembersOf } from '../arguments/exact-arguments.ts';
import { type HttpTransportOptions, httpOptionMembers } from '../transport/http-exchange.ts';
import { createRouteClient, type RouteClient } from '../transport/route-client.ts';
import { httpServiceTransport, type ServiceTransport } from '../transport/service-transport.ts';

/** The client with the routes alone that a verifier needs. */
export type VerifierClient = RouteClient<VerifierRoutes>;

/** For the client of a verifier. */
export interface VerifierClientOptions extends HttpTransportOptions {
  readonly apiKey?: string;
}

const optionMembers: MembersOf<VerifierClientOptions> = { ...httpOptionMembers, apiKey: true };

/** The address of a service, or a transport to one. */
export function createVerifierClient(
  service: string | ServiceTransport,
  options: VerifierClientOptions = {},
): VerifierClient {
  assertMembers(options, optionMembers, 'options of a client');
  const { apiKey, ...httpOptions } = options;
  const transport = typeof service === 'string' ? httpServiceTransport(service, httpOptions) : service;
  return createRouteClient({ routes: verifierRoutes, transport, apiKey });
}
