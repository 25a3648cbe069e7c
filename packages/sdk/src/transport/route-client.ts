/**
 * Makes a client of a table of routes of the credential service: one function a row. The whole table is
 * `credential-client.ts`; a page that needs a few routes makes a client of these and carries no others.
 */
import { assert } from '@symbolon/core/basics/assert';
import type { InputOf, OutputOf } from '@symbolon/wire/http/route';
import type { ServiceRoute, ServiceRouteTable } from '@symbolon/wire/http/service-route';
import type { JsonValue } from '@symbolon/wire/json/json';
import {
  assertCallOptions,
  type CallOptions,
  callRoute,
  checkedApiKey,
  type Given,
  type RouteOrder,
} from './service-call.ts';
import type { StreamOptions } from './service-stream.ts';
import type { ServiceTransport } from './service-transport.ts';

type GivenPart<Route, Part extends string> = Route extends { readonly [Name in Part]?: infer Found }
  ? Exclude<Found, undefined>
  : never;
type PartOf<Route, Part extends string> = [GivenPart<Route, Part>] extends [never]
  ? unknown
  : InputOf<GivenPart<Route, Part>>;
type NamesOf<Route> = PartOf<Route, 'params'> & PartOf<Route, 'query'>;
type BodyOf<Route> = GivenPart<Route, 'body'>;

/** A route with a body takes that and what its path names, one with parameters takes these by name; then options. */
type ArgumentsOf<Route, Options = CallOptions> = [BodyOf<Route>] extends [never]
  ? [keyof NamesOf<Route>] extends [never]
    ? [given?: Readonly<Record<string, never>>, options?: Options]
    : Partial<NamesOf<Route>> extends NamesOf<Route>
      ? [given?: NamesOf<Route>, options?: Options]
      : [given: NamesOf<Route>, options?: Options]
  : [body: InputOf<BodyOf<Route>> & PartOf<Route, 'params'>, options?: Options];

type Caller<Route extends ServiceRoute> = [GivenPart<Route, 'lastEvent'>] extends [never]
  ? (...args: ArgumentsOf<Route>) => Promise<OutputOf<Route['reply']>>
  : (...args: ArgumentsOf<Route, StreamOptions>) => AsyncIterable<OutputOf<Route['reply']>>;

/** Every route of a table as a function that resolves to its reply, or iterates over what a stream brings. */
export type RouteClient<Routes extends ServiceRouteTable> = {
  readonly [Name in keyof Routes]: Caller<Routes[Name]>;
};

export function createRouteClient<Routes extends ServiceRouteTable>({
  routes,
  transport,
  stream,
  ...parts
}: {
  readonly routes: Routes;
  readonly transport: ServiceTransport;
  readonly apiKey: string | undefined;
  /** Calls routes whose answer is a stream (`service-stream.ts`), for tables that have one. */
  readonly stream?: (transport: ServiceTransport, order: RouteOrder) => AsyncIterable<JsonValue>;
}): RouteClient<Routes> {
  const apiKey = checkedApiKey(parts.apiKey);
  const call = async (order: RouteOrder, options: CallOptions | undefined): Promise<JsonValue> => {
    assertCallOptions(options);
    return callRoute(transport, order);
  };
  const callers = Object.entries(routes).map(([name, route]) => [
    name,
    (given?: Given, callOptions?: StreamOptions): Promise<JsonValue> | AsyncIterable<JsonValue> => {
      const order = { name, route, apiKey, given, ...callOptions };
      if (route.lastEvent === undefined) return call(order, callOptions);
      assertCallOptions(callOptions);
      assert(stream, 'a table with streams needs somebody who calls them');
      return stream(transport, order);
    },
  ]);
  return Object.fromEntries(callers) as RouteClient<Routes>;
}
