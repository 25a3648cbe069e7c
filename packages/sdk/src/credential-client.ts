/**
 * A typed client of the credential service, made from the route table: one function a route, its request and reply
 * typed by the route's own schemas (`spec/credential-service.md`, "Endpoints"). There is no list of routes here. Names
 * are the wire's. With `sealed` every route that is served sealed is called so.
 */
import { credentialRequestLimits } from '@symbolon/core/limits';
import { problemReply } from '@symbolon/wire/credential-replies';
import { type CredentialRoutes, credentialRoutes } from '@symbolon/wire/credential-routes';
import { type JsonValue, parseJson, stringifyJson } from '@symbolon/wire/json';
import type { ServiceRoute } from '@symbolon/wire/service-route';
import { SdkError } from './errors.ts';
import type { HttpTransportOptions } from './http-exchange.ts';
import { type SealTarget, sealedTransport } from './sealed-transport.ts';
import { ServiceError } from './service-error.ts';
import { httpServiceTransport, type ServiceAnswer, type ServiceTransport } from './service-transport.ts';

export type CredentialRouteName = keyof CredentialRoutes;

type Schema = ServiceRoute['reply'];
type InputOf<S> = S extends Schema ? S['_zod']['input'] : unknown;
type OutputOf<S extends Schema> = S['_zod']['output'];

type GivenPart<Route, Part extends string> = Route extends { readonly [Name in Part]?: infer Given }
  ? Exclude<Given, undefined>
  : never;
type PartOf<Route, Part extends string> = [GivenPart<Route, Part>] extends [never]
  ? unknown
  : InputOf<GivenPart<Route, Part>>;
type NamesOf<Route> = PartOf<Route, 'params'> & PartOf<Route, 'query'>;
type BodyOf<Route> = GivenPart<Route, 'body'>;

export interface CallOptions {
  /** Repeating a call with the same key gives the first answer again instead of doing it twice. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** A route with a body takes that, one with parameters takes these by name; then options. */
type ArgumentsOf<Route> = [BodyOf<Route>] extends [never]
  ? [keyof NamesOf<Route>] extends [never]
    ? [given?: Readonly<Record<string, never>>, options?: CallOptions]
    : Partial<NamesOf<Route>> extends NamesOf<Route>
      ? [given?: NamesOf<Route>, options?: CallOptions]
      : [given: NamesOf<Route>, options?: CallOptions]
  : [body: InputOf<BodyOf<Route>>, options?: CallOptions];

export type CredentialReply<Name extends CredentialRouteName> = OutputOf<CredentialRoutes[Name]['reply']>;

/** Every route as a function that resolves to its reply and rejects with `ServiceError` or `SdkError`. */
export type CredentialClient = {
  readonly [Name in CredentialRouteName]: (
    ...args: ArgumentsOf<CredentialRoutes[Name]>
  ) => Promise<CredentialReply<Name>>;
};

export interface CredentialClientOptions extends HttpTransportOptions {
  readonly apiKey?: string;
  /** Seal what can be sealed: with the keys that the service tells, or with known ones. */
  readonly sealed?: boolean | { readonly keys: SealTarget };
}

/** The address of a service, or a transport to one. */
export function createCredentialClient(
  service: string | ServiceTransport,
  options: CredentialClientOptions = {},
): CredentialClient {
  const { apiKey, sealed = false } = options;
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    const hint = 'Give the key as the service printed it, without spaces.';
    throw new SdkError('invalidArgument', 'the API key has characters that no key has', { hint });
  }
  const plain = typeof service === 'string' ? httpServiceTransport(service, options) : service;
  const keys = typeof sealed === 'object' ? sealed.keys : undefined;
  const transport = sealed ? sealedTransport(plain, { keys }) : plain;
  const callers = Object.entries(credentialRoutes).map(([name, route]) => [
    name,
    (given: Given, callOptions?: CallOptions) =>
      call(transport, { name, route, apiKey, given, ...callOptions }),
  ]);
  return Object.fromEntries(callers) as CredentialClient;
}

type Given = Readonly<Record<string, JsonValue | undefined>> | undefined;

interface RouteCall extends CallOptions {
  readonly name: string;
  readonly route: ServiceRoute;
  readonly apiKey: string | undefined;
  readonly given: Given;
}

async function call(transport: ServiceTransport, order: RouteCall): Promise<JsonValue> {
  const { name, route, apiKey, given = {}, idempotencyKey, signal } = order;
  const bodyText = route.body ? stringifyJson(given as JsonValue & object) : undefined;
  const { path, rest } = route.body ? { path: route.path, rest: {} } : fillPath(route.path, given);
  const answer = await transport({
    method: route.method,
    path,
    sealedPath: route.sealedPath,
    query: queryText(rest),
    headers: {
      accept: 'application/json, application/problem+json, */*;q=0.1',
      ...(bodyText !== undefined && { 'content-type': 'application/json' }),
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': checkedKey(idempotencyKey) }),
    },
    bodyText,
    signal,
  });
  return readReply(answer, name, route);
}

/** Puts the values of `:name` segments in their places; the others are left for the query. */
function fillPath(path: string, given: NonNullable<Given>): { path: string; rest: NonNullable<Given> } {
  const rest = { ...given };
  const filled = path.replace(/:([A-Za-z]+)/g, (_segment, name: string) => {
    const value = rest[name];
    delete rest[name];
    // A dot segment would be resolved away on its way and name another route.
    if (typeof value !== 'string' || value === '' || /^\.{1,2}$/.test(value)) {
      const hint = `Give ${name} as text.`;
      throw new SdkError('invalidArgument', `${name} is missing or is no name`, { hint });
    }
    return encode(value);
  });
  return { path: filled, rest };
}

function queryText(given: NonNullable<Given>): string {
  const pairs = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  const written = pairs.map(([name, value]) => `${encode(name)}=${encode(String(value))}`);
  return written.length === 0 ? '' : `?${written.join('&')}`;
}

function encode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // Thrown for half a surrogate pair.
    const hint = 'Give parameters as well-formed text.';
    throw new SdkError('invalidArgument', 'a parameter is not well-formed text', { hint });
  }
}

function checkedKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= credentialRequestLimits.nameCharsMax) return key;
  const hint = 'Use a random UUID, for example.';
  throw new SdkError('invalidArgument', 'the idempotency key is empty, too long or not plain text', { hint });
}

function readReply(answer: ServiceAnswer, name: string, route: ServiceRoute): JsonValue {
  const hint = 'Something else than a credential service seems to answer at this address.';
  let value: JsonValue | undefined;
  try {
    value = parseJson(answer.text);
  } catch {
    // Seen below: no reply and no problem is undefined.
  }
  if (answer.status < 200 || answer.status > 299) {
    const problem = problemReply.safeParse(value);
    if (problem.success) throw new ServiceError(problem.data, secondsOf(answer.retryAfter));
    throw new SdkError('httpStatus', `${name} was answered with status ${answer.status}`, { hint });
  }
  // Checked, then passed on as it came: the schemas describe replies, they do not rewrite them.
  if (value !== undefined && route.reply.safeParse(value).success) return value;
  throw new SdkError('unexpectedReply', `the reply to ${name} is not what a service replies`, { hint });
}

function secondsOf(retryAfter: string | undefined): number | undefined {
  return retryAfter !== undefined && /^[0-9]{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
