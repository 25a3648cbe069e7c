/**
 * What a route is, and how a table of routes and its handlers become functions from request text to reply text.
 * The server, the batch query and the OpenAPI document are all made from such a table; a missing or wrong handler
 * is a compile error. Transport (methods, headers, status) is the host's business (reference §1.1).
 */
import { type CodeName, type Refusal, refuse } from '@symbolon/core/ledger/codes';
import type { z } from 'zod';
import { isRefusal, refusalEnvelope } from './envelope.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from './json.ts';

/** Query parameters: every one an optional text; a blank one counts as absent. */
export type ParameterSchema = z.ZodObject<Record<string, z.ZodOptional<z.ZodString>>>;

export interface Route {
  /** The middle segment of `/v1/<group>/<name>`. */
  readonly group: string;
  readonly summary: string;
  readonly aliases?: readonly string[];
  readonly query: ParameterSchema;
  /** Documents the body; a route without one ignores whatever body arrives. */
  readonly body?: z.ZodType;
  /** Documents the reply; nothing is checked against it at run time. */
  readonly reply: z.ZodType;
  /** The codes the interface document gives for this operation, beside success and internal error. */
  readonly codes: readonly CodeName[];
  /** Turns parameters and body into the handler's request. */
  readonly read: (query: never, body: JsonObject) => unknown;
  /** How a refusal looks where it is not the plain envelope. */
  readonly refused?: (refusal: Refusal) => JsonObject;
  /** How a body that is not a JSON object is answered, where that differs from any other refusal. */
  readonly malformed?: (refusal: Refusal) => JsonObject;
}

export type RouteTable = Readonly<Record<string, Route>>;

export type RequestOf<R extends Route> = Exclude<ReturnType<R['read']>, Refusal>;

/** A string is a reply that is rendered already. */
export type RouteAnswer = JsonObject | Refusal | string;

export type Handlers<Routes extends RouteTable> = {
  readonly [Name in keyof Routes]: (request: RequestOf<Routes[Name]>) => RouteAnswer | Promise<RouteAnswer>;
};

/** Checks one row of a table, gives `read` its parameters' names, and keeps the schemas' own types for typed clients. */
export function defineRoute<
  Query extends ParameterSchema,
  Read,
  Reply extends z.ZodType,
  Body extends z.ZodType | undefined = undefined,
>(
  route: Omit<Route, 'query' | 'read' | 'reply' | 'body'> & {
    readonly query: Query;
    readonly body?: Body;
    readonly reply: Reply;
    readonly read: (query: z.infer<Query>, body: JsonObject) => Read;
  },
) {
  return route;
}

/** One request to a route: the raw query text, and the body as text or as a value that is parsed already. */
export interface RouteCall {
  readonly query: string;
  readonly bodyText?: string;
  readonly body?: JsonValue;
}

export type BoundRoute = (call: RouteCall) => string | Promise<string>;

/** Every route under its name and its aliases, ready to be called. */
export function bindRoutes<Routes extends RouteTable>(
  routes: Routes,
  handlers: Handlers<Routes>,
): ReadonlyMap<string, BoundRoute> {
  const bound = new Map<string, BoundRoute>();
  for (const [name, route] of Object.entries(routes)) {
    const call = bindRoute(route, handlers[name] as (request: unknown) => RouteAnswer | Promise<RouteAnswer>);
    for (const spelling of [name, ...(route.aliases ?? [])]) bound.set(spelling, call);
  }
  return bound;
}

function bindRoute(
  route: Route,
  handler: (request: unknown) => RouteAnswer | Promise<RouteAnswer>,
): BoundRoute {
  const read = route.read as (query: QueryValues, body: JsonObject) => unknown;
  const refused = route.refused ?? refusalEnvelope;
  const malformed = route.malformed ?? refused;

  const render = (answer: RouteAnswer): string => {
    if (typeof answer === 'string') return answer;
    return stringifyJson(isRefusal(answer) ? refused(answer) : answer);
  };

  return (call) => {
    const body = route.body ? readBody(call) : {};
    if (!body) return stringifyJson(malformed(notJson));
    const request = read(parseQuery(call.query), body);
    if (isRefusal(request)) return render(request);
    const answer = handler(request);
    return answer instanceof Promise ? answer.then(render) : render(answer);
  };
}

const notJson = refuse('invalidParameter', 'request must be in json format');

function readBody({ body, bodyText }: RouteCall): JsonObject | undefined {
  try {
    const value = bodyText === undefined ? body : parseJson(bodyText);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The parser throws for every text that is not JSON or goes beyond its limits.
    return undefined;
  }
}

export type QueryValues = Readonly<Record<string, string | undefined>>;

const noValues: QueryValues = Object.freeze(Object.create(null));

/** Pairs are split at `&` and their first `=`; a blank value counts as absent, the last duplicate wins. */
export function parseQuery(text: string): QueryValues {
  if (text === '') return noValues;
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of queryPairs(text)) {
    if (value === '') delete values[name];
    else values[name] = value;
  }
  return values;
}

/** Every pair as it was given. */
export const queryPairs = (text: string): readonly (readonly [name: string, value: string])[] =>
  text === ''
    ? []
    : text.split('&').map((pair) => {
        const split = pair.indexOf('=');
        const name = decodePercent(split === -1 ? pair : pair.slice(0, split));
        return [name, split === -1 ? '' : decodePercent(pair.slice(split + 1))];
      });

function decodePercent(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    // A stray percent sign is taken as it stands.
    return spaced;
  }
}

/** The route a path or URL names: its last segment (reference D1), and the query text behind it. */
export function splitUrl(url: string): { readonly name: string; readonly query: string } {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  return { name: path.slice(path.lastIndexOf('/') + 1), query: mark === -1 ? '' : url.slice(mark + 1) };
}
