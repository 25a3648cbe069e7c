/**
 * How a request reaches a credential service: the seam, and its implementation over HTTP. Unlike a node's, answers
 * here have a status and a media type that mean something. `sealed-transport.ts` wraps one of these.
 */
import { decodeUtf8 } from '@symbolon/core/bytes';
import { SdkError } from './errors.ts';
import { createHttpExchange, type HttpTransportOptions } from './http-exchange.ts';

export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Where the route is served sealed, if it is. */
  readonly sealedPath?: string;
  /** With its question mark, or empty. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyText?: string;
  readonly signal?: AbortSignal;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** Rejects with `SdkError`, or with the reason of the request's signal. */
export type ServiceTransport = (request: ServiceRequest) => Promise<ServiceAnswer>;

export function httpServiceTransport(baseUrl: string, options: HttpTransportOptions = {}): ServiceTransport {
  const exchange = createHttpExchange(baseUrl, 'service', options);
  return async ({ method, path, query, headers, bodyText, signal }) => {
    const place = `${method} at ${exchange.base}`;
    const pathWithQuery = `${path}${query}`;
    const { bytes, ...answer } = await exchange.send({
      method,
      pathWithQuery,
      place,
      headers,
      bodyText,
      signal,
    });
    try {
      return { ...answer, text: decodeUtf8(bytes) };
    } catch (cause) {
      const hint = 'Something else than a credential service seems to answer at this address.';
      throw new SdkError('notJson', `the answer to ${place} is not text`, { hint, cause });
    }
  };
}
