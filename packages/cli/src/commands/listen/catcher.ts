/**
 * Catches callbacks on this machine: bounded in size, time and number, and each checked before anybody hears of it.
 * What is not signed by the service is refused and goes no further, so it does not matter who else can reach the port.
 */

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { sessionLimits } from '@symbolon/core/limits/waiting';
import { judgePage, pagePolicy } from '@symbolon/host/http/web-pages';
import {
  type ResultKeys,
  resultSignatureProblem,
  type SignedText,
} from '@symbolon/sdk/verification/signed-results';
import type { JsonObject } from '@symbolon/wire/json/json';
import { readStream } from '../../machine/files.ts';
import { parseJsonObject } from '../../terminal/json-file.ts';
import { checkAge, checkSharedSignature } from './signatures.ts';

/** What became of one callback. */
export interface CaughtCallback {
  /** Why it was refused; undefined if it is good. */
  readonly problem?: string;
  readonly content: JsonObject;
  readonly text: string;
  /** Those that belong to the callback, to be sent on with it. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface CatcherOrder {
  readonly port: number;
  /** The service's keys; asked for again when a callback names one that is new. */
  readonly fetchKeys: () => Promise<ResultKeys>;
  readonly secret: string | undefined;
  /** Answers the status that the service is given. */
  readonly onCallback: (caught: CaughtCallback) => Promise<number>;
}

export interface Catcher {
  readonly url: string;
  close(): Promise<void>;
}

const connectionsMax = 100;
/** As small as the service is patient. */
const requestMsMax = sessionLimits.deliveryTimeoutMs;
/** Whoever sends made-up key names makes us ask the service no more often than this. */
const keysKeptMs = 10_000;
const carriedHeaders = ['content-type', 'x-callback-timestamp', 'x-callback-signature', 'x-result-signature'];

export async function startCatcher(order: CatcherOrder): Promise<Catcher> {
  const judge = await createJudge(order);
  const server = createServer((incoming, answer) => {
    catchOne(incoming, { ...order, judge }).then(
      (status) => answerWith(answer, status),
      () => answerWith(answer, 500),
    );
  });
  server.maxConnections = connectionsMax;
  server.requestTimeout = requestMsMax;
  server.headersTimeout = requestMsMax;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(order.port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function answerWith(answer: ServerResponse, status: number): void {
  if (!answer.destroyed) answer.writeHead(status, { connection: 'close' }).end();
}

/** Callbacks come from a service, which is no page. */
const noPages = pagePolicy({ allowOrigin: '', host: '127.0.0.1' });

type Judge = (text: string, headers: IncomingHttpHeaders) => Promise<string | undefined>;

async function catchOne(
  incoming: IncomingMessage,
  { judge, onCallback }: CatcherOrder & { readonly judge: Judge },
): Promise<number> {
  const { refused } = judgePage(noPages, incoming.headers, false);
  if (refused) return refused === 'host' ? 421 : 403;
  if (incoming.method !== 'POST') return 405;
  const text = await readStream(incoming, credentialRequestLimits.documentBytesMax);
  if (text === undefined) return 413;
  const content = parseJsonObject(text);
  const headers = Object.fromEntries(
    carriedHeaders.flatMap((name) => {
      const value = incoming.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
  const problem = content ? await judge(text, incoming.headers) : 'It is not JSON.';
  return onCallback({ content: content ?? {}, text, headers, ...(problem !== undefined && { problem }) });
}

async function createJudge({ fetchKeys, secret }: CatcherOrder): Promise<Judge> {
  let keys = await fetchKeys();
  let fetchedAt = performance.now();
  /** Judged by the keys that are known, and once more by new ones if they may have been replaced. */
  const ownProblem = async (signed: SignedText): Promise<string | undefined> => {
    const problem = await resultSignatureProblem(signed, keys);
    if (problem === undefined || performance.now() - fetchedAt <= keysKeptMs) return problem;
    fetchedAt = performance.now();
    keys = await fetchKeys();
    return resultSignatureProblem(signed, keys);
  };
  return async (text, headers) => {
    const timestamp = textOf(headers['x-callback-timestamp']);
    const own = textOf(headers['x-result-signature']);
    const shared = textOf(headers['x-callback-signature']);
    if (timestamp === '' || own === '') return 'It is not signed.';
    const unlike = await ownProblem({ text, timestamp, signature: own });
    if (unlike !== undefined) return `Refused: ${unlike}.`;
    const problem = checkAge(timestamp, Date.now());
    if (problem !== undefined || secret === undefined) return problem;
    return shared === ''
      ? 'It is not signed with a shared secret: make one with POST /v1/client/callback-secret.'
      : checkSharedSignature(secret, { text, timestamp, signature: shared });
  };
}

const textOf = (header: string | string[] | undefined): string => (typeof header === 'string' ? header : '');
