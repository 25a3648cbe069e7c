/**
 * Sends the examples of the documents to a running demo and writes down what went over the wire: parameters and bodies
 * as they were sent, replies as they came. Answers with another status than the example is about fail at once.
 */
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import type { LedgerRoute } from '@symbolon/wire/http/ledger-route';
import type { ServiceRoute } from '@symbolon/wire/http/service-route';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { type AllRoutes, allRoutes } from '@symbolon/wire/openapi/all-routes';
import type { Example } from '@symbolon/wire/openapi/examples';
import { send } from '../support/http.ts';

type Texts = Readonly<Record<string, string>>;

export interface Sending {
  readonly params?: Texts;
  readonly query?: Texts;
  readonly headers?: Texts;
  readonly body?: JsonObject;
  /** Shown as a bearer key, which is no parameter of the document. */
  readonly apiKey?: string;
  /** Headers that show a session of a browser in its place. */
  readonly session?: Texts;
  /** The code that the ledger answers with, where it is another than 0. */
  readonly code?: number;
}

/** Plays the example of a route: answers what was replied. */
export type Play<Name extends string> = (name: Name, sending?: Sending) => Promise<JsonObject>;
export type PlayLedger = Play<keyof typeof ledgerRoutes>;
export type PlayService = Play<keyof AllRoutes>;

/** What was played, by the name of the route. */
export type Played = Record<string, Example>;

const queryOf = (query: Texts = {}): string => {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
};

const isJson = (contentType: string | undefined): boolean =>
  /\bjson\b|did-resolution/.test(contentType ?? '');

interface Place {
  readonly url: string;
  readonly method: string;
  readonly path: string;
  /** The body is sent as a form. */
  readonly isForm?: boolean;
}

/** What a browser keeps, by name; it goes wherever a browser is sent on. */
type CookieJar = Map<string, string>;

function keepCookies(jar: CookieJar, given: readonly string[]): void {
  for (const cookie of given) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === '') jar.delete(name);
    else jar.set(name, value);
  }
}

const shownCookies = (jar: CookieJar): Texts =>
  jar.size === 0 ? {} : { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') };

/** Those of the route's headers that came. */
const documentedHeaders = (
  { replyHeaders = {}, status }: ServiceRoute,
  headers: IncomingHttpHeaders,
): Texts =>
  Object.fromEntries(
    (replyHeaders[status ?? 200] ?? []).flatMap(({ name }) => {
      const value = headers[name.toLowerCase()];
      return value === undefined ? [] : [[name, [value].flat().join(', ')]];
    }),
  );

async function exchange({ url, method, path, isForm = false }: Place, sending: Sending) {
  const { query, headers, body, apiKey, session } = sending;
  const answer = await send(`${url}${path}${queryOf(query)}`, {
    method,
    ...(body && { body: isForm ? new URLSearchParams(body as Texts).toString() : stringifyJson(body) }),
    headers: {
      ...(body && { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...session,
      ...headers,
    },
  });
  const reply: JsonValue = isJson(answer.headers['content-type']) ? parseJson(answer.text) : answer.text;
  return { status: answer.status, reply, headers: answer.headers };
}

/** A step of the browser: what it keeps goes with it, and where it is sent next is what was answered. */
async function browserStep(route: ServiceRoute, place: Place, sending: Sending, jar: CookieJar) {
  const { headers: came, ...answer } = await exchange(place, { ...sending, session: shownCookies(jar) });
  keepCookies(jar, came['set-cookie'] ?? []);
  return { ...answer, headers: documentedHeaders(route, came) };
}

const eventsShown = 3;

/** The beginning of a stream that never ends by itself. */
async function streamed(url: string, apiKey: string | undefined) {
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const answer = await fetch(url, { headers });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.split('\n\n').length > eventsShown) break;
  }
  const reply = text
    .split('\n\n')
    .slice(0, eventsShown)
    .map((event) => `${event}\n\n`);
  return { status: answer.status, reply: reply.join('') };
}

function record(
  played: Played,
  name: string,
  { params, query, headers, body }: Sending,
  answer: Example,
): void {
  assert.ok(!(name in played), `${name} is played once`);
  const parameters = { ...params, ...query, ...headers };
  played[name] = {
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(body && { body }),
    ...answer,
  };
}

export function ledgerPlayer(url: string, played: Played): PlayLedger {
  return async (name, sending = {}) => {
    const route: LedgerRoute = ledgerRoutes[name];
    const place = { url, method: route.body ? 'POST' : 'GET', path: `/v1/${route.group}/${name}` };
    const { headers: _, ...answer } = await exchange(place, sending);
    const reply = answer.reply as JsonObject;
    assert.equal(answer.status, 200, name);
    assert.equal(reply.error_code ?? 0, sending.code ?? 0, `${name}: ${stringifyJson(reply)}`);
    record(played, name, sending, answer);
    return reply;
  };
}

async function served(route: ServiceRoute, place: Place, sending: Sending, jar: CookieJar): Promise<Example> {
  if (route.lastEvent === false)
    return streamed(`${place.url}${place.path}${queryOf(sending.query)}`, sending.apiKey);
  if (route.status === 303) return browserStep(route, place, sending, jar);
  const { headers: _, ...answer } = await exchange(place, sending);
  return answer;
}

/** Answers what was replied; of a redirect the headers that send a browser on. */
export function servicePlayer(url: string, played: Played): PlayService {
  const jar: CookieJar = new Map();
  return async (name, sending = {}) => {
    const route: ServiceRoute = allRoutes[name];
    const path = route.path.replaceAll(/:(\w+)/g, (_, parameter: string) =>
      encodeURIComponent(sending.params?.[parameter] ?? assert.fail(`${name} has ${parameter}`)),
    );
    const place = { url, method: route.method, path, isForm: route.bodyKind === 'form' };
    const answer = await served(route, place, sending, jar);
    const reply = answer.reply as JsonObject;
    const isRefused = (reply.errorCode ?? 0) !== 0;
    assert.ok(
      answer.status === (route.status ?? 200) && !isRefused,
      `${name}: ${answer.status} ${stringifyJson(reply)}`,
    );
    record(played, name, sending, answer);
    return route.status === 303 ? (answer.headers as JsonObject) : reply;
  };
}
