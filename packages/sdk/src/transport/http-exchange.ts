/**
 * One exchange over HTTP with a bound on time and size: what the clients of node and service have in common. It knows
 * nothing about what requests and answers mean.
 */

import type { MembersOf } from '../arguments/exact-arguments.ts';
import { SdkError } from '../errors/errors.ts';
import { clientLimits } from '../limits/client-limits.ts';
import { assertProtected, type OutgoingRequest } from './plain-http.ts';

/** What of `fetch` is used here: the platform's own fits, and so does anything else that makes HTTP requests. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;

/** What `fetch` is called with. */
export interface FetchRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

/** What the SDK uses of its answer. */
export interface FetchResponse {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Iterable<[name: string, value: string]> & {
    get(name: string): string | null | undefined;
  };
  readonly body: { getReader(): BodyReader } | null;
}

/** What is left unread is ended with `cancel`. */
export interface BodyReader {
  read(): Promise<{ done: false; value: Uint8Array } | { done: true; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Bounds and ways of calls over HTTP. */
export interface HttpTransportOptions {
  /** For one request, its repetition included. */
  readonly timeoutMs?: number;
  readonly responseBytesMax?: number;
  /** The platform's own unless told. */
  readonly fetch?: Fetch;
  /** In a network that nobody else can listen to: also send what is confidential over plain http to other machines. */
  readonly allowPlainHttp?: boolean;
}

export const httpOptionMembers: MembersOf<HttpTransportOptions> = {
  timeoutMs: true,
  responseBytesMax: true,
  fetch: true,
  allowPlainHttp: true,
};

export interface HttpRequest extends OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly pathWithQuery: string;
  /** Names the request in errors: never parameters, those may carry a private key. */
  readonly place: string;
  readonly bodyText?: string;
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** An answer that goes on; whoever stops reading ends it. */
export interface HttpStream extends Omit<HttpAnswer, 'bytes'> {
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface HttpExchange {
  /** The address without a slash at its end. */
  readonly base: string;
  /**
   * A GET that found a broken connection is tried once more. Nothing confidential goes in clear. Rejects with
   * `SdkError`, or the signal's reason.
   */
  readonly send: (request: HttpRequest) => Promise<HttpAnswer>;
  /** An answer that goes on: bounded is the time until it begins, and its silence. Never tried twice. */
  readonly open: (request: HttpRequest) => Promise<HttpStream>;
}

/** Keys, passwords and signed texts are meant for one address: whoever answers there cannot send them on to another. */
const redirect = 'manual';

export function createHttpExchange(
  baseUrl: string,
  peer: 'node' | 'service',
  options: HttpTransportOptions = {},
): HttpExchange {
  const { timeoutMs = clientLimits.timeoutMs, responseBytesMax = clientLimits.responseBytesMax } = options;
  const base = parseBaseUrl(baseUrl, peer);
  const fetchFrom: Fetch = options.fetch ?? globalThis.fetch;
  const check = (request: OutgoingRequest): void => {
    if (options.allowPlainHttp !== true) assertProtected(base, request);
  };

  /** Asks once; the limit ends it as the caller's own signal does. */
  const ask = (request: HttpRequest, limit: AbortSignal): Promise<FetchResponse> => {
    const { method, pathWithQuery, headers, bodyText, signal: own } = request;
    const signal = own ? AbortSignal.any([own, limit]) : limit;
    const body = bodyText === undefined ? {} : { body: bodyText };
    return fetchFrom(`${base}${pathWithQuery}`, { method, headers, redirect, signal, ...body });
  };
  const explainer =
    ({ place, signal }: HttpRequest): Explain =>
    (error, limitMs) => {
      signal?.throwIfAborted();
      if (error instanceof SdkError) return error;
      if (isTimeout(error)) {
        const hint = `Raise timeoutMs, or look at the load of the ${peer}.`;
        return new SdkError('timedOut', `no answer to ${place} within ${limitMs} ms`, { hint, cause: error });
      }
      const hint = `Is the ${peer} running, and is this its address? In a browser the ${peer} must also allow this origin.`;
      return new SdkError('unreachable', `no connection for ${place}`, { hint, cause: error, address: base });
    };

  const send = async (request: HttpRequest) => {
    check(request);
    const explain = explainer(request);
    const ending = new AbortController();
    const attempt = async (): Promise<HttpAnswer> => {
      const response = await ask(request, ending.signal);
      return { ...headOf(response), bytes: await readBytes(response, responseBytesMax) };
    };
    const isRepeatable = (error: unknown) =>
      request.method === 'GET' &&
      !isTimeout(error) &&
      !request.signal?.aborted &&
      !(error instanceof SdkError);
    const answer = attempt().catch((error) => (isRepeatable(error) ? attempt() : Promise.reject(error)));
    return within(timeoutMs, ending, answer).catch((error) => {
      throw explain(error, timeoutMs);
    });
  };

  const open = async (request: HttpRequest) => {
    check(request);
    const explain = explainer(request);
    const silence = new AbortController();
    const response = await within(timeoutMs, silence, ask(request, silence.signal)).catch((error) => {
      throw explain(error, timeoutMs);
    });
    return { ...headOf(response), chunks: chunksOf(response, silence, explain) };
  };
  return { base, send, open };
}

/** What an exchange failed of, in the SDK's words; throws the reason of the caller's signal where that ended it. */
type Explain = (error: unknown, limitMs: number) => SdkError;

const headOf = ({ status, headers }: FetchResponse) => ({
  status,
  contentType: headers.get('content-type') ?? '',
  retryAfter: headers.get('retry-after') ?? undefined,
  headers: Object.fromEntries(headers),
});

/** Aborts what takes longer, and does not wait for it to notice. */
async function within<Value>(ms: number, controller: AbortController, work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const end = () => {
      const reason = new DOMException('too slow', 'TimeoutError');
      controller.abort(reason);
      reject(reason);
    };
    timer = setTimeout(end, Math.min(ms, clientLimits.timerMsMax));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function* chunksOf(response: FetchResponse, silence: AbortController, explain: Explain) {
  const reader = response.body?.getReader();
  const { streamSilenceMs } = clientLimits;
  try {
    while (reader) {
      const { done, value } = await within(streamSilenceMs, silence, reader.read());
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw explain(error, streamSilenceMs);
  } finally {
    // Nothing of the rest matters, not even that it fails.
    reader?.cancel().catch(() => undefined);
  }
}

/** What stands behind a path: the question mark and the parameters, or nothing. */
export function queryText(parameters: readonly (readonly [name: string, value: unknown])[]): string {
  const written = parameters.map(
    ([name, value]) => `${encodeParameter(name)}=${encodeParameter(String(value))}`,
  );
  return written.length === 0 ? '' : `?${written.join('&')}`;
}

export function encodeParameter(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // Thrown for half a surrogate pair, which no encoding can carry.
    const hint = 'Give parameters as well-formed text.';
    throw new SdkError('invalidArgument', 'a parameter is not well-formed text', { hint });
  }
}

/** The address without a slash at its end. Anything secret in it is refused, because errors name it. */
function parseBaseUrl(text: string, peer: 'node' | 'service'): string {
  const url = URL.parse(text);
  const isPlain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    const example = peer === 'node' ? 'http://127.0.0.1:36002' : 'http://127.0.0.1:8080';
    const hint = `Give an address like ${example}, without user, query or fragment.`;
    const message = `the address of the ${peer} is not a plain http or https address`;
    throw new SdkError('invalidArgument', message, { hint });
  }
  return url.href.replace(/\/+$/, '');
}

async function readBytes(response: FetchResponse, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const reader = response.body?.getReader();
  let bytes = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    if (bytes > bytesMax) {
      // Nothing of the rest matters, not even that it fails.
      reader.cancel().catch(() => undefined);
      const hint = 'Ask for less at once, or raise responseBytesMax.';
      throw new SdkError('responseTooLarge', `the answer is larger than ${bytesMax} bytes`, { hint });
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(bytes);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

/** What ended it for its time, during the request or while its answer was read. */
const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';
