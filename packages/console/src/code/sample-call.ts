/** A row of a route table with what is given to it, as an HTTP call: what curl and the SDK's client both need to know. */
import type { ServiceRoute } from '@symbolon/wire/http/service-route';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import type { RouteRequest } from './code-request.ts';
import { type OpenParts, openPartsOf, openPlace, withPlaces } from './fill-ins.ts';
import { isOpenName } from './open-names.ts';

export interface SampleCall {
  readonly server: RouteRequest['server'];
  readonly name: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly needsKey: boolean;
  readonly isStream: boolean;
  /** Undefined where nothing is given. */
  readonly given: JsonObject | undefined;
  readonly body: JsonObject | undefined;
  readonly open: OpenParts;
  readonly isOpen: (name: string) => boolean;
}

export function sampleCallOf(request: RouteRequest): SampleCall {
  const open = openPartsOf(request);
  const isOpen = (name: string): boolean => isOpenName(name) || open.missing.has(name);
  const given = withPlaces(request.given ?? {}, open);
  const { path, method, hasBody, ...terms } =
    request.server === 'service' ? serviceTerms(allRoutes[request.route]) : nodeTerms(request.route);
  const filled = hasBody ? { path, rest: {} } : fillPath(path, given, isOpen);
  return {
    ...terms,
    server: request.server,
    name: request.route,
    method,
    path: `${filled.path}${queryOf(filled.rest, isOpen)}`,
    // What stands in an address is text.
    given: Object.keys(given).length === 0 ? undefined : hasBody ? given : textsOf(given),
    body: hasBody ? given : undefined,
    open,
    isOpen,
  };
}

const serviceTerms = ({ path, method, body, access, lastEvent }: ServiceRoute) => ({
  path,
  method,
  hasBody: body !== undefined,
  needsKey: access === 'key',
  isStream: lastEvent !== undefined,
});

function nodeTerms(name: keyof typeof ledgerRoutes) {
  const route = ledgerRoutes[name];
  const hasBody = 'body' in route && route.body !== undefined;
  const method = hasBody ? 'POST' : 'GET';
  return { path: `/ledger/${name}`, method, hasBody, needsKey: false, isStream: false };
}

const isGiven = (value: JsonValue | undefined): boolean => value !== undefined && value !== null;

const textsOf = (given: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => isGiven(value))
      .map(([name, value]) => [name, String(value)]),
  );

const addressPart = (
  name: string,
  value: JsonValue | undefined,
  isOpen: (name: string) => boolean,
): string => (isOpen(name) ? openPlace(name) : encodeURIComponent(String(value)));

function fillPath(
  path: string,
  given: JsonObject,
  isOpen: (name: string) => boolean,
): { readonly path: string; readonly rest: JsonObject } {
  const rest: Record<string, JsonValue> = { ...given };
  const filled = path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return addressPart(name, value, isOpen);
  });
  return { path: filled, rest };
}

function queryOf(given: JsonObject, isOpen: (name: string) => boolean): string {
  const pairs = Object.entries(given)
    .filter(([, value]) => isGiven(value))
    .map(([name, value]) => `${encodeURIComponent(name)}=${addressPart(name, value, isOpen)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
