/**
 * The client of the node at an address. It asks by `node:http` instead of the platform's `fetch`, which takes three times
 * the work for a request: the service makes several for every credential. Connections are kept, and go through a proxy
 * where Node is told of one, as those of `fetch` do.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { given } from '@symbolon/core/basics/plain-values';
import type { LedgerPassage } from '@symbolon/host/service/ledger-passage';
import { createLedgerClient, type LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { BodyReader, Fetch } from '@symbolon/sdk/transport/http-exchange';
import { httpTransport } from '@symbolon/sdk/transport/transport';

export const createNodeClient = (url: string): LedgerClient =>
  createLedgerClient(httpTransport(url, { fetch: leanFetch }));

/** How requests of others are passed on to the node at an address, and its answers back as they come. */
export function createNodePassage(url: string): LedgerPassage['pass'] {
  const base = url.replace(/\/+$/, '');
  return async ({ method, pathWithQuery, bodyText: body, signal }) => {
    const sent = { method, headers: {}, redirect: 'manual', signal, ...given({ body }) } as const;
    const { status, headers, body: answered } = await leanFetch(`${base}${pathWithQuery}`, sent);
    return {
      status,
      contentType: headers.get('content-type') ?? 'application/json; charset=utf-8',
      chunks: textOf(answered?.getReader()),
    };
  };
}

async function* textOf(reader: BodyReader | undefined): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const read = await reader?.read();
      if (!read || read.done) break;
      yield decoder.decode(read.value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    await reader?.cancel();
  }
}

/** Redirects are never followed; the body is read as it comes. */
export const leanFetch: Fetch = (url, { method, headers, body, signal }) =>
  new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? requestHttps : requestHttp;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = { 'accept-encoding': 'identity', ...headers, ...length };
    const sending = request(url, { method, headers: sent, signal });
    sending.once('response', (message) =>
      resolve({
        status: message.statusCode ?? 0,
        headers: new Map(
          Object.entries(message.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
        ),
        body: { getReader: () => readerOf(message, signal) },
      }),
    );
    sending.on('error', (error) => reject(reasonOf(error, signal)));
    // Also where another protocol was answered, of which nothing else is heard.
    sending.once('close', () => reject(reasonOf(new Error('closed without an answer'), signal)));
    sending.end(body);
  });

function readerOf(message: IncomingMessage, signal: AbortSignal): BodyReader {
  const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  return {
    async read() {
      try {
        const { done, value } = await chunks.next();
        return done ? { done: true } : { done: false, value };
      } catch (error) {
        throw reasonOf(error, signal);
      }
    },
    async cancel() {
      message.destroy();
    },
  };
}

/** A request that was ended fails of what ended it. */
const reasonOf = (error: unknown, signal: AbortSignal): unknown => (signal.aborted ? signal.reason : error);
