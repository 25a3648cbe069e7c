/**
 * What servers answered to a flow, and servers that answer so again. An honest run is taken down from a real service
 * and a real node; a replay gives the same answers without either, but for the lies it is told to tell. A liar plays
 * along: it confirms whatever is handed in, and has an answer of the right kind to questions that nobody asked before.
 */
import { createHash } from 'node:crypto';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { httpServiceTransport, SdkError, type Transport } from '@symbolon/sdk/index';
import type { ServiceRequest, ServiceTransport } from '@symbolon/sdk/transport/service-transport';
import { splitUrl } from '@symbolon/wire/http/ledger-route';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '@symbolon/wire/json/json';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';

export type ServerKind = 'service' | 'node';

/** A question and its answer. */
export interface Exchange {
  readonly server: ServerKind;
  /** A name of the route tables. */
  readonly route: string;
  /** Tells questions of one route apart. */
  readonly question: string;
  /** Of the service's answers. */
  readonly status: number;
  readonly answer: JsonValue;
}
export type Tape = readonly Exchange[];

/** What left the client. */
export interface Sent {
  readonly server: ServerKind;
  readonly route: string;
  readonly text: string;
}

export interface Servers {
  readonly service: ServiceTransport;
  readonly node: Transport;
}

const routePatterns = Object.entries(allRoutes).map(([name, { method, path }]) => ({
  name,
  method: method as string,
  pattern: new RegExp(`^${path.replace(/:[A-Za-z]+/g, '[^/]+')}$`),
}));

function serviceRouteOf({ method, path }: ServiceRequest): string {
  const found = routePatterns.find((one) => one.method === method && one.pattern.test(path));
  if (!found) throw new Error(`no row of the route table is served at ${path}`);
  return found.name;
}

const nodeQuestion = (path: string): string => splitUrl(path).query;
const serviceQuestion = ({ path, query }: ServiceRequest): string => `${path}${query}`;

/** Real servers, with everything they answer taken down. */
export function recording(serviceUrl: string, node: Transport): Servers & { readonly tape: () => Tape } {
  const exchanges: Exchange[] = [];
  const real = httpServiceTransport(serviceUrl);
  return {
    tape: () => settled(exchanges),
    service: async (request) => {
      const answer = await real(request);
      const place = { route: serviceRouteOf(request), question: serviceQuestion(request) };
      exchanges.push({ server: 'service', ...place, status: answer.status, answer: parseJson(answer.text) });
      return answer;
    },
    node: async (method, path, body) => {
      const answer = await node(method, path, body);
      const place = { route: splitUrl(path).name, question: nodeQuestion(path) };
      exchanges.push({ server: 'node', ...place, status: 200, answer });
      return answer;
    },
  };
}

/** Who waits for something asks again and again; what it was waiting for is what the tape keeps. */
function settled(exchanges: Tape): Tape {
  const isPolled = ({ route }: Exchange) => route === 'getTransactionHistory';
  const isSame = (one: Exchange, other: Exchange) =>
    one.route === other.route && one.question === other.question;
  return exchanges.filter(
    (exchange, index) =>
      exchange.route !== 'getTransactionCache' &&
      !(isPolled(exchange) && exchanges.slice(index + 1).some((later) => isSame(exchange, later))),
  );
}

/** The same tape with other answers. */
export interface Lie {
  /** Where and how it lies, to be read and to be asked for again. */
  readonly name: string;
  /** The names of which a refusal must say one (`lie-names.ts`). */
  readonly about: readonly string[];
  readonly tell: (tape: Tape) => Tape;
}

export interface Replay extends Servers {
  readonly sent: readonly Sent[];
  /** Everything that was answered. */
  readonly told: readonly JsonValue[];
}

/** What an honest node says of what nobody has written. */
const nothingThere: JsonObject = { error_code: codes.notFound, error_desc: 'nothing there', result: null };

/** `honest` is the tape before anybody lied: it says which hash stands for what the client hands in. */
export function replay(tape: Tape, honest: Tape): Replay {
  const sent: Sent[] = [];
  const told: JsonValue[] = [];
  const used = new Set<Exchange>();
  /** Hashes on the tape, and what the client has really handed in. */
  const hashes = new Map<string, string>();
  const answerTo = (server: ServerKind, route: string, question: string): Exchange => {
    const known = tape.filter((one) => one.server === server && one.route === route);
    const asked = known.filter((one) => one.question === question);
    const found = asked.find((one) => !used.has(one)) ?? asked.at(-1) ?? known.at(-1);
    if (!found && server === 'node') return { server, route, question, status: 200, answer: nothingThere };
    if (!found)
      throw new SdkError('httpStatus', `${route} is not answered`, { hint: 'It is not on the tape.' });
    used.add(found);
    const answer = withHashes(found.answer, hashes);
    told.push(answer);
    return { ...found, answer };
  };
  return {
    sent,
    told,
    service: async (request) => {
      const route = serviceRouteOf(request);
      sent.push({ server: 'service', route, text: textOf(request) });
      const { status, answer } = answerTo('service', route, serviceQuestion(request));
      const contentType = status < 400 ? 'application/json' : 'application/problem+json';
      return { status, contentType, retryAfter: undefined, text: stringifyJson(answer), headers: {} };
    },
    node: async (_method, path, body) => {
      const route = splitUrl(path).name;
      const text = body === undefined ? '' : stringifyJson(body);
      sent.push({ server: 'node', route, text: `${path}\n${text}` });
      if (route === 'submitTransaction') noteHash(honest, body, hashes);
      // Through text, as it would be over HTTP.
      return parseJson(stringifyJson(answerTo('node', route, nodeQuestion(path)).answer));
    },
  };
}

const textOf = ({ path, query, headers, bodyText = '' }: ServiceRequest): string =>
  [`${path}${query}`, ...Object.values(headers), bodyText].join('\n');

function noteHash(honest: Tape, body: JsonValue | undefined, hashes: Map<string, string>): void {
  const recorded = honest.find(({ route }) => route === 'submitTransaction')?.answer;
  const result = isJsonObject(recorded) ? recorded.result : undefined;
  const hash = isJsonObject(result) ? result.hash : undefined;
  const blob = /"transaction_blob":"([0-9a-fA-F]+)"/.exec(stringifyJson(body ?? null))?.[1];
  if (typeof hash !== 'string' || blob === undefined) return;
  hashes.set(hash, createHash('sha256').update(Buffer.from(blob, 'hex')).digest('hex'));
}

function withHashes(value: JsonValue, hashes: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === 'string') return hashes.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => withHashes(one, hashes));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withHashes(one, hashes)]));
}
