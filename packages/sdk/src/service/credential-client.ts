/**
 * A typed client of the credential service, made from the route table: one function a route, its request and reply
 * typed by the route's own schemas. There is no list of routes here. Names are the wire's. With `sealed` every route
 * that is served sealed is called so, and one that is not is called only if it carries nothing confidential. Replies
 * come without their envelopes; a refusal is a `ServiceError` whatever envelope it came in.
 */
import { type AllRoutes, allRoutes } from '@symbolon/wire/openapi/all-routes';
import { assertMembers, type MembersOf } from '../arguments/exact-arguments.ts';
import { type HttpTransportOptions, httpOptionMembers } from '../transport/http-exchange.ts';
import type { Audience } from '../transport/presence.ts';
import { createRouteClient, type RouteClient } from '../transport/route-client.ts';
import { type SealedTransportOptions, sealedTransport } from '../transport/sealed-transport.ts';
import { streamRoute } from '../transport/service-stream.ts';
import { httpServiceTransport, type ServiceTransport } from '../transport/service-transport.ts';

export type { CallOptions } from '../transport/service-call.ts';

/** Names of the service's routes, which are functions of its client. */
export type CredentialRouteName = keyof AllRoutes;

/** Every route as a function that resolves to its reply and rejects with `ServiceError` or `SdkError`. */
export type CredentialClient = RouteClient<AllRoutes> & Audience;

/** What a route of the service replies, by the name of the route. */
export type CredentialReply<Name extends CredentialRouteName> = AllRoutes[Name]['reply']['_zod']['output'];

/** For the client of a service. */
export interface CredentialClientOptions extends HttpTransportOptions {
  readonly apiKey?: string;
  /** The origin that signed texts name as the service they are for; that of its address, if left out. */
  readonly audience?: string;
  /** Seal what is confidential: with the keys that the service tells, or with known ones. */
  readonly sealed?: boolean | SealedTransportOptions;
}

const optionMembers: MembersOf<CredentialClientOptions> = {
  ...httpOptionMembers,
  apiKey: true,
  audience: true,
  sealed: true,
};

/** The address of a service, or a transport to one. */
export function createCredentialClient(
  service: string | ServiceTransport,
  options: CredentialClientOptions = {},
): CredentialClient {
  assertMembers(options, optionMembers, 'options of a client');
  const { apiKey, sealed = false, audience: named, ...httpOptions } = options;
  const plain = typeof service === 'string' ? httpServiceTransport(service, httpOptions) : service;
  const transport = sealed ? sealedTransport(plain, sealed === true ? {} : sealed) : plain;
  const audience = named ?? (typeof service === 'string' ? URL.parse(service)?.origin : undefined);
  const client = createRouteClient({ routes: allRoutes, transport, apiKey, stream: streamRoute });
  return { ...client, ...(audience !== undefined && { audience }) };
}
