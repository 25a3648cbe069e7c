/**
 * The client of a verifier: the few routes that verifying needs, for pages that shall carry no more. A whole client
 * (`credential-client.ts`) does in its place. Whoever wants requests sealed gives it a sealed transport:
 * `createVerifierClient(sealedTransport(httpServiceTransport(url)))`.
 */
import { type VerifierRoutes, verifierRoutes } from '@symbolon/wire/verifier-routes';
import type { HttpTransportOptions } from './http-exchange.ts';
import { createRouteClient, type RouteClient } from './route-client.ts';
import { httpServiceTransport, type ServiceTransport } from './service-transport.ts';

export type VerifierClient = RouteClient<VerifierRoutes>;

export interface VerifierClientOptions extends HttpTransportOptions {
  readonly apiKey?: string;
}

/** The address of a service, or a transport to one. */
export function createVerifierClient(
  service: string | ServiceTransport,
  options: VerifierClientOptions = {},
): VerifierClient {
  const transport = typeof service === 'string' ? httpServiceTransport(service, options) : service;
  return createRouteClient({ routes: verifierRoutes, transport, apiKey: options.apiKey });
}
