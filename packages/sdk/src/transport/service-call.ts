/**
 * One call of a route of the credential service: request from the row, answer by the row's envelope and schema, every
 * refusal one of the typed errors. It knows rows, not routes: tables are the clients' (`credential-client.ts`,
 * `verifier-client.ts`).
 */
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import type { ServiceRoute } from '@symbolon/wire/http/service-route';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJsonOrNothing,
  stringifyJson,
} from '@symbolon/wire/json/json';
import { assertMembers, type MembersOf } from '../arguments/exact-arguments.ts';
import { type SchemaCheck, wrongMembers } from '../arguments/member-paths.ts';
import { SdkError } from '../errors/errors.ts';
import { readRefusal, ServiceError } from '../errors/service-error.ts';
import { encodeParameter, queryText } from './http-exchange.ts';
import { readPaymentRequired, wrongInDemand } from './payment-required.ts';
import {
  type ServiceAnswer,
  type ServiceRequest,
  type ServiceTransport,
  strangerHint,
} from './service-transport.ts';

/** For one call of a service. */
export interface CallOptions {
  /** Repeating a call with the same key gives the first answer again instead of doing it twice. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /** Sent along, such as those of `walletHeaders` or `paymentHeaders`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Given the headers of a good answer, by their names in lower case, before the call resolves. */
  readonly onHeaders?: (headers: Readonly<Record<string, string>>) => void;
}

const callOptionMembers: MembersOf<CallOptions> = {
  idempotencyKey: true,
  signal: true,
  headers: true,
  onHeaders: true,
};

/** Throws `invalidArgument`: a key of repetition that is misspelt does a thing twice. */
export const assertCallOptions = (options: CallOptions = {}): void =>
  assertMembers(options, callOptionMembers, 'options of a call');

export type Given = Readonly<Record<string, JsonValue | undefined>>;

/** What of a row a call needs. */
export type CallableRoute = Pick<
  ServiceRoute,
  | 'method'
  | 'path'
  | 'sealedPath'
  | 'carries'
  | 'body'
  | 'bodyKind'
  | 'envelope'
  | 'lastEvent'
  | 'replyTypes'
  | 'status'
> & { readonly reply: { safeParse(value: unknown): SchemaCheck } };

export interface RouteOrder extends CallOptions {
  readonly name: string;
  readonly route: CallableRoute;
  readonly apiKey: string | undefined;
  readonly given: Given | undefined;
}

export async function callRoute(transport: ServiceTransport, order: RouteOrder): Promise<JsonValue> {
  const answer = await transport(requestOf(order));
  const reply = readReply(answer, order.name, order.route);
  order.onHeaders?.(answer.headers ?? {});
  return reply;
}

export function requestOf(order: RouteOrder): ServiceRequest {
  const { route, apiKey, given = {}, idempotencyKey, signal, headers } = order;
  const { path, rest: unnamed } = fillPath(route.path, given);
  const sealedPath = route.sealedPath === undefined ? undefined : fillPath(route.sealedPath, given).path;
  const bodyText = route.body ? bodyTextOf(route, unnamed) : undefined;
  const rest = route.body ? {} : unnamed;
  return {
    method: route.method,
    path,
    sealedPath,
    carries: route.carries,
    query: queryText(Object.entries(rest).filter(([, value]) => value !== undefined && value !== null)),
    headers: {
      accept: 'application/json, application/problem+json, */*;q=0.1',
      ...(bodyText !== undefined && { 'content-type': bodyTypeOf(route) }),
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': checkedKey(idempotencyKey) }),
      ...headers,
    },
    bodyText,
    signal,
  };
}

const bodyTypeOf = ({ bodyKind }: CallableRoute): string =>
  bodyKind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';

/** In a form, what is no text is JSON, as OpenID has it. */
function bodyTextOf({ bodyKind }: CallableRoute, given: Given): string {
  if (bodyKind !== 'form') return stringifyJson(given as JsonObject);
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    value === undefined || value === null
      ? []
      : [[name, typeof value === 'string' ? value : stringifyJson(value)] as const],
  );
  return queryText(pairs).slice(1);
}

export function checkedApiKey(apiKey: string | undefined): string | undefined {
  if (apiKey === undefined || /^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  const hint = 'Give the key as the service printed it, without spaces.';
  throw new SdkError('invalidArgument', 'the API key has characters that no key has', { hint });
}

/** Puts the values of `:name` segments in their places; the others are left for the query. */
function fillPath(path: string, given: Given): { path: string; rest: Given } {
  const rest = { ...given };
  const filled = path.replace(/:([A-Za-z]+)/g, (_segment, name: string) => {
    const value = rest[name];
    delete rest[name];
    // A dot segment would be resolved away on its way and name another route.
    if (typeof value !== 'string' || value === '' || /^\.{1,2}$/.test(value)) {
      const hint = `Give ${name} as text.`;
      throw new SdkError('invalidArgument', `${name} is missing or is no name`, { hint });
    }
    return encodeParameter(value);
  });
  return { path: filled, rest };
}

function checkedKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= credentialRequestLimits.nameCharsMax) return key;
  const hint = 'Use a random UUID, for example.';
  throw new SdkError('invalidArgument', 'the idempotency key is empty, too long or not plain text', { hint });
}

function readReply(answer: ServiceAnswer, name: string, route: CallableRoute): JsonValue {
  const { envelope, reply, replyTypes = jsonAlone, status } = route;
  const isGood = answer.status >= 200 && answer.status <= 299;
  if (isGood && answer.status === status && answer.text === '') return checkedReply(name, reply, null);
  // A JWT, say: the reply is the text.
  if (isGood && !replyTypes.some(isJson)) return checkedReply(name, reply, answer.text);
  const value = parseJsonOrNothing(answer.text);
  // Some envelopes say no with status 200.
  if (!isGood || envelope) refuseIfRefused(answer, value, name);
  if (!isGood) {
    const message = `the call ${name} was answered with status ${answer.status}`;
    const members = answer.status === 402 && isJsonObject(value) ? wrongInDemand(value) : [];
    throw new SdkError('httpStatus', message, { hint: strangerHint, members });
  }
  if (!envelope) return checkedReply(name, reply, value);
  const inside = isJsonObject(value) ? envelope.open(value) : undefined;
  return checkedReply(name, reply, inside, envelope.holder);
}

const jsonAlone = ['application/json'];
const isJson = (type: string): boolean => /[/+]json\b/.test(type);

/** Checked, then passed on as it came: the schemas describe replies, they do not rewrite them. */
export function checkedReply(
  name: string,
  reply: CallableRoute['reply'],
  value: JsonValue | undefined,
  holder = '',
): JsonValue {
  const check = value === undefined ? { success: false } : reply.safeParse(value);
  if (value !== undefined && check.success) return value;
  const members = wrongMembers(check, holder);
  throw new SdkError('unexpectedReply', `the reply to ${name} is not what a service replies`, {
    hint: strangerHint,
    members,
  });
}

/** Throws what the service says against a request, if that is what it answered. */
export function refuseIfRefused(answer: ServiceAnswer, value: JsonValue | undefined, route: string): void {
  if (!isJsonObject(value)) return;
  const { status, retryAfter, headers } = answer;
  const requestId = headers?.['x-request-id'];
  const demanded = status === 402 ? readPaymentRequired(value, { requestId, route }) : undefined;
  if (demanded) throw demanded;
  const refusal = readRefusal(value, { status, requestId });
  if (refusal) throw new ServiceError({ ...refusal, route }, secondsOf(retryAfter));
}

function secondsOf(retryAfter: string | undefined): number | undefined {
  return retryAfter !== undefined && /^[0-9]{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
