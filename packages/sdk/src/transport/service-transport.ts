/**
 * How a request reaches a credential service: the seam, and its implementation over HTTP. Unlike a node's, answers
 * here have a status and a media type that mean something. `sealed-transport.ts` wraps one of these.
 */
import { decodeUtf8 } from '@symbolon/core/basics/bytes';
import { assertMembers } from '../arguments/exact-arguments.ts';
import { SdkError } from '../errors/errors.ts';
import {
  createHttpExchange,
  type HttpAnswer,
  type HttpRequest,
  type HttpTransportOptions,
  httpOptionMembers,
} from './http-exchange.ts';

export interface ServiceRequest extends Omit<HttpRequest, 'pathWithQuery' | 'place'> {
  readonly path: string;
  /** Where the route is served sealed, if it is. */
  readonly sealedPath?: string;
  /** With its question mark, or empty. */
  readonly query: string;
}

export interface ServiceAnswer extends Omit<HttpAnswer, 'bytes' | 'headers'> {
  readonly text: string;
  /** By their names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that goes on; whoever stops reading ends it. */
export interface ServiceStream extends Omit<ServiceAnswer, 'text'> {
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Rejects with `SdkError`, or with the reason of the request's signal. */
export interface ServiceTransport {
  (request: ServiceRequest): Promise<ServiceAnswer>;
  /** For routes whose answer is a stream; a transport without it cannot call these. */
  readonly stream?: (request: ServiceRequest) => Promise<ServiceStream>;
}

/** Said of an answer that no service gives. */
export const strangerHint = 'Something else than a credential service seems to answer at this address.';

/** Calls a service over HTTP. */
export function httpServiceTransport(baseUrl: string, options: HttpTransportOptions = {}): ServiceTransport {
  assertMembers(options, httpOptionMembers, 'options of a transport');
  const exchange = createHttpExchange(baseUrl, 'service', options);
  const httpRequest = ({ path, query, ...request }: ServiceRequest): HttpRequest => ({
    ...request,
    pathWithQuery: `${path}${query}`,
    place: `${request.method} at ${exchange.base}`,
  });
  const call = async (request: ServiceRequest): Promise<ServiceAnswer> => {
    const { bytes, ...answer } = await exchange.send(httpRequest(request));
    try {
      return { ...answer, text: decodeUtf8(bytes) };
    } catch (cause) {
      const message = `the answer to ${request.method} at ${exchange.base} is not text`;
      throw new SdkError('notJson', message, { hint: strangerHint, cause });
    }
  };
  return Object.assign(call, { stream: (request: ServiceRequest) => exchange.open(httpRequest(request)) });
}
