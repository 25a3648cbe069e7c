/**
 * What a route of the ledger is, and how a table of them and its handlers become functions from request text to reply
 * text. The batch query is made from such a table, too; a missing or wrong handler is a compile error. Transport
 * (methods, headers, status) is the host's business.
 */
import type { CodeName, LedgerRefusal } from '@symbolon/core/ledger/terms/codes';
import type { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../json/json.ts';
import { hasTooManyMembers } from '../json/json-member-count.ts';
import { DoubledMember, parseUniqueJson } from '../json/json-members.ts';
import { invalid, isRefusal, refusalEnvelope } from './envelope.ts';
import { type ParameterTable, type ParameterValues, readParameters } from './parameters.ts';
import type { Route } from './route.ts';

/** Its group is also the middle segment of `/v1/<group>/<name>`. */
export interface LedgerRoute extends Route {
  /** What may stand in the address, and in a JSON body where the route has no body of its own. */
  readonly query: ParameterTable;
  /** The codes that it answers beside success, invalid parameter and internal error. */
  readonly codes?: readonly CodeName[];
  readonly read: (query: never, body: JsonObject) => unknown;
  /** How a refusal looks where it is not the plain envelope. */
  readonly refused?: (refusal: LedgerRefusal) => JsonObject;
  /** How a body that is not a JSON object is answered, where that differs from any other refusal. */
  readonly malformed?: (refusal: LedgerRefusal) => JsonObject;
}

export type RouteTable = Readonly<Record<string, LedgerRoute>>;

export type RequestOf<R extends LedgerRoute> = Exclude<ReturnType<R['read']>, LedgerRefusal>;

/** A string is a reply that is rendered already. */
export type RouteAnswer = JsonObject | LedgerRefusal | string;

export type Handlers<Routes extends RouteTable> = {
  readonly [Name in keyof Routes]: (request: RequestOf<Routes[Name]>) => RouteAnswer | Promise<RouteAnswer>;
};

/**
 * Checks one row of a table, gives `read` its parameters' names, and keeps the schemas' own types for typed clients.
 */
export function defineRoute<
  Query extends ParameterTable,
  Read,
  Reply extends z.ZodType,
  Body extends z.ZodType | undefined = undefined,
>(
  route: Omit<LedgerRoute, 'query' | 'read' | 'reply' | 'body'> & {
    readonly query: Query;
    readonly body?: Body;
    readonly reply: Reply;
    readonly read: (query: ParameterValues<Query>, body: JsonObject) => Read;
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
  route: LedgerRoute,
  handler: (request: unknown) => RouteAnswer | Promise<RouteAnswer>,
): BoundRoute {
  const read = route.read as (query: object, body: JsonObject) => unknown;
  const refused = route.refused ?? refusalEnvelope;
  const malformed = route.malformed ?? refused;

  const render = (answer: RouteAnswer): string => {
    if (typeof answer === 'string') return answer;
    return stringifyJson(isRefusal(answer) ? refused(answer) : answer);
  };

  return (call) => {
    const { body, problem } = !route.body && isBlank(call) ? { body: {} } : readBody(call);
    if (!body) return stringifyJson(malformed(problem));
    const parameters = readParameters(route.query, call.query, route.body ? {} : body);
    if (isRefusal(parameters)) return render(parameters);
    const request = read(parameters, body);
    if (isRefusal(request)) return render(request);
    const answer = handler(request);
    return answer instanceof Promise ? answer.then(render) : render(answer);
  };
}

const notJson = invalid('request must be in json format');
const tooManyMembers = invalid('request has too many members');

/** A query needs no body: a blank text is none, and so is a member of a batch that is absent. */
const isBlank = ({ body, bodyText }: RouteCall): boolean =>
  bodyText === undefined ? (body ?? null) === null : bodyText.trim() === '';

type BodyRead =
  | { readonly body: JsonObject; readonly problem?: never }
  | { readonly body?: never; readonly problem: LedgerRefusal };

function readBody({ body, bodyText }: RouteCall): BodyRead {
  if (bodyText !== undefined && hasTooManyMembers(bodyText)) return { problem: tooManyMembers };
  try {
    const value = bodyText === undefined ? body : parseUniqueJson(bodyText);
    return isJsonObject(value) ? { body: value } : { problem: notJson };
  } catch (error) {
    // The parser throws for every text that is not JSON or goes beyond its limits.
    const problem = error instanceof DoubledMember ? invalid(error.message) : notJson;
    return { problem };
  }
}

/** The route a path or URL names: its last segment, and the query text behind it. */
export function splitUrl(url: string): { readonly name: string; readonly query: string } {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  return { name: path.slice(path.lastIndexOf('/') + 1), query: mark === -1 ? '' : url.slice(mark + 1) };
}
