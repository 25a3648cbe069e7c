/**
 * Fetches documents of others that strangers name: DID documents, type metadata, status lists, contexts. Only over https
 * to public addresses (http and this machine where the operator allows it), from the address that was checked, without
 * redirects, compression, cookies or keys, bounded in time and size, of the types that are asked for. What comes back is
 * data of a stranger. A few documents are remembered for a short time.
 */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { RecentMap } from '@symbolon/core/basics/recent-map';
import { fetchLimits as limits } from '../limits/service-limits.ts';
import {
  isOutOfReach,
  OutboundProblem,
  type OutboundReach,
  type PinnedAddress,
  pinAddress,
  reachWords,
} from './outbound-address.ts';

export interface FetchedDocument {
  readonly text: string;
  /** Without parameters, in lower case. */
  readonly contentType: string;
}

export interface FetchOrder {
  readonly url: string;
  /** Types that are read; the header Accept names them in this order. */
  readonly types: readonly string[];
  readonly bytesMax?: number;
  /** Also takes one that was fetched this long ago; 0 fetches anew. */
  readonly ageMsMax?: number;
}

/** Rejects with `OutboundProblem`, whose message says in a few words what is wrong. */
export type GuardedFetch = (order: FetchOrder) => Promise<FetchedDocument>;

export interface GuardedFetchOptions {
  readonly nowMs: () => number;
  /** `public` for https alone; anything further also allows http, to this machine. */
  readonly reach?: OutboundReach;
  /** Asks for the addresses of a name; the system, if left out. */
  readonly resolve?: (name: string) => Promise<PinnedAddress[]>;
  readonly timeoutMs?: number;
  /** Certificates beside those that the platform trusts. */
  readonly ca?: string;
}

interface Remembered extends FetchedDocument {
  readonly fetchedAt: number;
}

export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { nowMs, reach = 'public' } = options;
  const remembered = new RecentMap<string, Remembered>(limits.rememberedMax);
  const underWay = new Map<string, Promise<Remembered>>();

  const fetchNow = async (url: URL, order: FetchOrder): Promise<Remembered> => {
    if (underWay.size >= limits.fetchesMax) throw new OutboundProblem('too many documents are being fetched');
    const timeIsOver = AbortSignal.timeout(options.timeoutMs ?? limits.timeoutMs);
    try {
      const pinned = await within(timeIsOver, pinAddress(url, reach, options.resolve));
      const document = await get(url, pinned, { ...order, signal: timeIsOver, ca: options.ca });
      return { ...document, fetchedAt: nowMs() };
    } catch (error) {
      throw problemOf(error, timeIsOver);
    }
  };

  return async (order) => {
    const url = readUrl(order.url, reach);
    const { ageMsMax = limits.rememberedMs } = order;
    const key = JSON.stringify([url.href, order.types, order.bytesMax]);
    const known = remembered.get(key);
    if (known && nowMs() - known.fetchedAt < ageMsMax) return known;
    const fetching = underWay.get(key) ?? fetchNow(url, order);
    underWay.set(key, fetching);
    try {
      const document = await fetching;
      if (document.text.length <= limits.rememberedCharsMax) remembered.set(key, document);
      return document;
    } finally {
      underWay.delete(key);
    }
  };
}

function readUrl(text: string, reach: OutboundReach): URL {
  const url = text.length <= limits.urlCharsMax ? URL.parse(text) : null;
  if (url?.username !== '' || url.password !== '') throw new OutboundProblem('this is no plain address');
  const isPlainAllowed = reach !== 'public' && url.protocol === 'http:' && isThisMachine(url.hostname);
  if (url.protocol !== 'https:' && !isPlainAllowed) throw new OutboundProblem('the address is not https');
  if (isOutOfReach(url, reach)) throw new OutboundProblem(`the address is not ${reachWords[reach]}`);
  url.hash = '';
  return url;
}

const isThisMachine = (hostname: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);

function problemOf(error: unknown, timeIsOver: AbortSignal): OutboundProblem {
  if (timeIsOver.aborted) return new OutboundProblem('the answer took too long');
  if (error instanceof OutboundProblem) return error;
  // An error of the network: only its code is worth telling.
  const { code } = error as { readonly code?: unknown };
  return new OutboundProblem(
    typeof code === 'string' ? `the host cannot be reached: ${code}` : 'the host cannot be reached',
  );
}

/** A server of names may be slow, too. */
function within<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

interface Getting extends FetchOrder {
  readonly signal: AbortSignal;
  readonly ca: string | undefined;
}

function get(url: URL, { address, family }: PinnedAddress, order: Getting): Promise<FetchedDocument> {
  const { types, bytesMax = limits.documentBytesMax, signal, ca } = order;
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const asked: ClientRequest = (isSecure ? httpsRequest : httpRequest)(url, {
      method: 'GET',
      agent: false,
      headers: { accept: types.join(', '), connection: 'close', 'accept-encoding': 'identity' },
      // The name was looked up and checked before; nobody asks for it again.
      lookup: (_host, { all }, done) =>
        all ? done(null, [{ address, family }]) : done(null, address, family),
      signal,
      ...(isSecure && ca !== undefined && { ca }),
    });
    asked.on('error', reject);
    asked.on('response', (answer) => {
      readAnswer(answer, { types, bytesMax }).then(resolve, (error: unknown) => {
        answer.destroy();
        reject(error);
      });
    });
    asked.end();
  });
}

async function readAnswer(
  answer: IncomingMessage,
  { types, bytesMax }: { readonly types: readonly string[]; readonly bytesMax: number },
): Promise<FetchedDocument> {
  const { statusCode = 0, headers } = answer;
  if (statusCode >= 300 && statusCode <= 399)
    throw new OutboundProblem('the host sends on to another address');
  if (statusCode !== 200) throw new OutboundProblem(`the host answered ${statusCode}`);
  const contentType = (headers['content-type'] ?? '').split(';', 1)[0].trim().toLowerCase();
  if (!types.includes(contentType)) throw new OutboundProblem('the document is of another type');
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new OutboundProblem('the document is compressed');
  const tooLarge = new OutboundProblem(`the document is larger than ${bytesMax} bytes`);
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLarge;
    chunks.push(chunk);
  }
  if (!answer.complete) throw new OutboundProblem('the document ended too early');
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)), contentType };
  } catch {
    throw new OutboundProblem('the document is not text');
  }
}
