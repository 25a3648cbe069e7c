/**
 * HTTP as a client of the node speaks it: requests with exactly the headers they are given, replies read without
 * losing a digit. Nothing here knows what a transaction is.
 */
import http, { type IncomingHttpHeaders } from 'node:http';
import net from 'node:net';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '@symbolon/wire/json/json';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Record<string, string>;
}

/** One request on a connection of its own; no content type unless one is given, like the public clients. */
export function send(url: string, { method = 'GET', body, headers = {} }: Sent = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const { hostname, port } = new URL(url);
    // The path as it was given: a URL object would repair what a test has broken on purpose.
    const path = url.slice(url.indexOf('/', 'http://'.length));
    const options = {
      host: hostname,
      port,
      path,
      method,
      agent: false as const,
      headers: { ...length, ...headers },
    };
    const request = http.request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

export const json = ({ text }: Answer): JsonObject => parseJson(text) as JsonObject;

export type Query = Readonly<Record<string, string | number | bigint | boolean | undefined>>;

/** GET `<base>/<name>?<query>`, the reply parsed. */
export async function ask(base: string, name: string, query: Query = {}): Promise<JsonObject> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const pairs = given.map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`);
  return json(await send(`${base}/${name}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`));
}

/** POST of a JSON body, the reply parsed. */
export async function post(base: string, name: string, body: JsonValue): Promise<JsonObject> {
  return json(await send(`${base}/${name}`, { method: 'POST', body: stringifyJson(body) }));
}

/** Writes raw bytes and answers everything that comes back until the server hangs up. */
export function raw(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}

/** A member of a reply by its path, for assertions that look at one thing. */
export function at(value: JsonValue | undefined, ...path: (string | number)[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (part, key) => (part as Record<string | number, JsonValue> | null | undefined)?.[key],
    value,
  );
}
