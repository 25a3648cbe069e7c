/**
 * For tests only: a small route table behind a real HTTP server on a free port, and clients that send exactly the
 * bytes they are told to.
 */
import http, { type IncomingHttpHeaders } from 'node:http';
import net from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { assert as invariant } from '@symbolon/core/basics/assert';
import { refuse } from '@symbolon/core/ledger/terms/codes';
import { defineRoute, type Handlers } from '@symbolon/wire/http/ledger-route';
import { integer, textQuery } from '@symbolon/wire/http/parameters';
import { type JsonObject, parseJson } from '@symbolon/wire/json/json';
import { z } from 'zod';
import { createLedgerServer, type LedgerServerOptions } from './ledger-server.ts';
import type { HttpObservation } from './server.ts';

const reply = z.looseObject({});
const routes = {
  look: defineRoute({
    group: 'thing',
    summary: 'Shows its parameter',
    aliases: ['peek'],
    query: { name: textQuery('A name') },
    reply,
    codes: ['notFound'],
    read: ({ name }) => (name === undefined ? refuse('notFound', 'no name') : { name }),
  }),
  put: defineRoute({
    group: 'thing',
    summary: 'Shows its body',
    query: {},
    body: z.looseObject({}),
    reply,
    codes: [],
    read: (_query, body) => ({ body }),
  }),
  wait: defineRoute({
    group: 'thing',
    summary: 'Takes its time',
    query: { ms: integer('How long') },
    reply,
    codes: [],
    read: ({ ms }) => ({ ms: Number(ms) }),
  }),
  fail: defineRoute({
    group: 'thing',
    summary: 'Fails',
    query: { how: textQuery('In which way') },
    reply,
    codes: [],
    read: ({ how }) => ({ how }),
  }),
};

const handlers: Handlers<typeof routes> = {
  look: ({ name }) => (name === 'ready' ? '{"rendered":true}' : { name }),
  put: async ({ body }) => ({ body }),
  wait: async ({ ms }) => {
    await delay(ms);
    return { waited: ms };
  },
  fail: ({ how }) => {
    if (how === 'async') return Promise.reject(new Error('inner detail'));
    if (how === 'bug') invariant(false, 'inner detail');
    throw new Error('inner detail');
  },
};

export interface LogLine {
  readonly level: string;
  readonly fields: { err?: Error; requestId?: string; route?: string };
}

/** A running server that ends with its test. */
export async function start(test: TestContext, options: Partial<LedgerServerOptions<typeof routes>> = {}) {
  const lines: LogLine[] = [];
  const observations: HttpObservation<number>[] = [];
  const write = (level: string) => (fields: object) => {
    lines.push({ level, fields });
  };
  const server = createLedgerServer({
    routes,
    handlers,
    logger: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    observe: (observation) => observations.push(observation),
    ...options,
  });
  test.after(() => server.close());
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  return { server, port, lines, observations };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Sent {
  readonly method?: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Record<string, string>;
}

/** Sends exactly the given headers: no content type unless one is given, like the public clients. */
export function send(
  port: number,
  path: string,
  { method = 'GET', body, headers = {} }: Sent = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { port, path, method, agent: false as const, headers: { ...length, ...headers } };
    const request = http.request({ host: '127.0.0.1', ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

export const json = ({ text }: Answer): JsonObject => parseJson(text) as JsonObject;

/** Writes raw bytes and answers everything that comes back until the server hangs up. */
export function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}
