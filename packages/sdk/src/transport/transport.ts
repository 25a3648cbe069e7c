/**
 * How a request reaches a node: the seam, and its two implementations. Over HTTP time and size are bounded and
 * numbers lose nothing; in one process it is a function call. What replies mean is the client's business.
 */
import { decodeUtf8 } from '@symbolon/core/basics/bytes';
import { refuse } from '@symbolon/core/ledger/terms/codes';
import { refusalEnvelope } from '@symbolon/wire/http/envelope';
import { type BoundRoute, splitUrl } from '@symbolon/wire/http/ledger-route';
import { isJsonObject, type JsonValue, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { assertMembers } from '../arguments/exact-arguments.ts';
import { SdkError } from '../errors/errors.ts';
import {
  createHttpExchange,
  type HttpAnswer,
  type HttpTransportOptions,
  httpOptionMembers,
} from './http-exchange.ts';

export type { HttpTransportOptions } from './http-exchange.ts';

/** One request; the path begins with a slash and carries the query. Rejects with `SdkError` alone. */
export type Transport = (
  method: 'GET' | 'POST',
  pathWithQuery: string,
  body?: JsonValue,
) => Promise<JsonValue>;

/**
 * Talks to the node at an address. A GET only reads, so a broken connection is tried once more; a POST may submit,
 * so it never is.
 */
export function httpTransport(baseUrl: string, options: HttpTransportOptions = {}): Transport {
  assertMembers(options, httpOptionMembers, 'options of a transport');
  const exchange = createHttpExchange(baseUrl, 'node', options);
  return async (method, pathWithQuery, body) => {
    const place = `${splitUrl(pathWithQuery).name} at ${exchange.base}`;
    const bodyText = body === undefined ? undefined : stringifyJson(body);
    const answer = await exchange.send({
      method,
      pathWithQuery,
      place,
      headers: bodyText === undefined ? {} : { 'content-type': 'application/json' },
      carries: keyWords.test(`${pathWithQuery}\n${bodyText}`) ? 'secret' : 'plain',
      bodyText,
    });
    return readAnswer(answer, place);
  };
}

/**
 * By these names a node is given private keys, or asked for one, also inside of a batch. A text that only speaks of them
 * counts as well: better one request too many is not sent in clear.
 */
const keyWords = /\bprivate_keys?\b|\bcreate(KeyPair|Account)\b/;

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
  throw new SdkError('httpStatus', `the call ${place} was answered with status ${status}`, { hint });
}
