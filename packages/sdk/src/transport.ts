/**
 * How a request reaches a node: the seam, and its two implementations. Over HTTP time and size are bounded and
 * numbers lose nothing; in one process it is a function call. What replies mean is the client's business.
 */
import { decodeUtf8 } from '@symbolon/core/bytes';
import { refuse } from '@symbolon/core/ledger/codes';
import { clientLimits } from '@symbolon/core/limits';
import { refusalEnvelope } from '@symbolon/wire/envelope';
import { isJsonObject, type JsonValue, parseJson, stringifyJson } from '@symbolon/wire/json';
import { type BoundRoute, splitUrl } from '@symbolon/wire/route';
import { SdkError } from './errors.ts';

/** One request; the path begins with a slash and carries the query. Rejects with `SdkError` alone. */
export type Transport = (
  method: 'GET' | 'POST',
  pathWithQuery: string,
  body?: JsonValue,
) => Promise<JsonValue>;

export interface HttpTransportOptions {
  /** For one request, its repetition included. */
  readonly timeoutMs?: number;
  readonly responseBytesMax?: number;
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Talks to the node at an address. A GET only reads, so a broken connection is tried once more; a POST may submit,
 * so it never is.
 */
export function httpTransport(baseUrl: string, options: HttpTransportOptions = {}): Transport {
  const { timeoutMs = clientLimits.timeoutMs, responseBytesMax = clientLimits.responseBytesMax } = options;
  const base = parseBaseUrl(baseUrl);
  const fetchFrom = options.fetch ?? globalThis.fetch;

  return async (method, pathWithQuery, body) => {
    const place = `${splitUrl(pathWithQuery).name} at ${base}`;
    const init: RequestInit = {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : stringifyJson(body),
      signal: AbortSignal.timeout(timeoutMs),
    };
    const attempt = async () => {
      const response = await fetchFrom(`${base}${pathWithQuery}`, init);
      return { status: response.status, bytes: await readBytes(response, responseBytesMax) };
    };
    const isRepeatable = (error: unknown) =>
      method === 'GET' && !isTimeout(error) && !(error instanceof SdkError);
    const answer = await attempt()
      .catch((error) => (isRepeatable(error) ? attempt() : Promise.reject(error)))
      .catch((error) => Promise.reject(failureOf(error, place, timeoutMs)));
    return readAnswer(answer, place);
  };
}

/** Calls routes of the same process. A defect of a handler passes through as it is thrown. */
export function directTransport(routes: ReadonlyMap<string, BoundRoute>): Transport {
  return async (_method, pathWithQuery, body) => {
    const { name, query } = splitUrl(pathWithQuery);
    const route = routes.get(name);
    if (!route) return refusalEnvelope(refuse('notFound', 'no such route'));
    // Through text, so that both sides see exactly what they would see over HTTP.
    return parseJson(await route({ query, bodyText: body === undefined ? undefined : stringifyJson(body) }));
  };
}

/** The address without a slash at its end. Anything secret in it is refused, because errors name it. */
function parseBaseUrl(text: string): string {
  const url = URL.parse(text);
  const isPlain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    const hint = 'Give an address like http://127.0.0.1:36002, without user, query or fragment.';
    throw new SdkError('invalidArgument', 'the address of the node is not a plain http or https address', {
      hint,
    });
  }
  return url.href.replace(/\/+$/, '');
}

async function readBytes(response: Response, bytesMax: number): Promise<Uint8Array> {
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

/** What the platform throws when `AbortSignal.timeout` strikes, during the request or while its answer is read. */
const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

function failureOf(error: unknown, place: string, timeoutMs: number): SdkError {
  if (error instanceof SdkError) return error;
  if (isTimeout(error)) {
    const hint = 'Raise timeoutMs, or look at the load of the node.';
    return new SdkError('timedOut', `no answer to ${place} within ${timeoutMs} ms`, { hint, cause: error });
  }
  const hint =
    'Is the node running, and is this its address? In a browser the node must also allow this origin.';
  return new SdkError('unreachable', `no connection for ${place}`, { hint, cause: error });
}

interface HttpAnswer {
  readonly status: number;
  readonly bytes: Uint8Array;
}

/** The value of an answer. A node's own failures are envelopes with a code, whatever their status. */
function readAnswer({ status, bytes }: HttpAnswer, place: string): JsonValue {
  const hint = 'Something else than a node seems to answer at this address.';
  const isSuccess = status >= 200 && status < 300;
  let value: JsonValue | undefined;
  try {
    value = parseJson(decodeUtf8(bytes));
  } catch (cause) {
    if (isSuccess) throw new SdkError('notJson', `the answer to ${place} is not JSON`, { hint, cause });
  }
  const isRefusal = isJsonObject(value) && typeof value.error_code === 'number' && value.error_code !== 0;
  if (value !== undefined && (isSuccess || isRefusal)) return value;
  throw new SdkError('httpStatus', `${place} answered with status ${status}`, { hint });
}
