/**
 * The HTTP server of a route table of the ledger. Every routed call answers status 200 and an envelope; what the
 * envelope says is the table's and the handlers' business. GET and POST reach a route alike, and a body is JSON
 * whatever its headers say, because the public clients send none.
 */
import { BrokenInvariant } from '@symbolon/core/basics/assert';
import { queryLimits } from '@symbolon/core/limits/requests';
import {
  type BoundRoute,
  bindRoutes,
  type Handlers,
  type RouteTable,
} from '@symbolon/wire/http/ledger-route';
import { httpLimits } from '../limits/server-limits.ts';
import { failureBody, httpFailureOf, isInternal } from './ledger-failures.ts';
import {
  type CommonServerOptions,
  createHttpServer,
  type HttpRoute,
  type HttpServer,
  queryTextOf,
  type SentAnswer,
} from './server.ts';

/** The code of an observation is the envelope's error_code; 0 for a reply without envelope. */
export interface LedgerServerOptions<Routes extends RouteTable> extends CommonServerOptions<number> {
  readonly routes: Routes;
  readonly handlers: Handlers<Routes>;
  /** Told of a broken invariant, so that the process can end itself. */
  readonly onBug?: (error: BrokenInvariant) => void;
}

const contentType = 'application/json; charset=utf-8';
const pathParameterCharsMax = 100;

export function createLedgerServer<Routes extends RouteTable>(
  options: LedgerServerOptions<Routes>,
): HttpServer {
  const { handlers, logger, onBug } = options;
  const limits = { ...httpLimits, bodyBytesMax: queryLimits.bodyBytesMax, ...options.limits };
  const bound = bindRoutes(options.routes, handlers);
  const routes = Object.entries(options.routes).map(([name, { body, aliases = [] }]): HttpRoute<number> => {
    const spellings = [name, ...aliases];
    return {
      name,
      methods: ['GET', 'POST'],
      paths: spellings.flatMap((spelling) => [`/${spelling}`, `/v1/:group/${spelling}`]),
      bodyBytesMax: body ? limits.bodyBytesMax : limits.smallBodyBytesMax,
      // What takes no body reads and changes nothing, and all that it reads is on the ledger.
      isPublic: !body,
      answer: answererOf(bound.get(name) as BoundRoute),
    };
  });
  return createHttpServer({
    ...options,
    limits,
    routes,
    pathParameterCharsMax,
    failure(error, { requestId, route }) {
      const failure = httpFailureOf(error);
      const { status, refusal } = failure;
      if (isInternal(failure)) logger.error({ err: error, requestId, route }, 'a request failed');
      if (error instanceof BrokenInvariant) onBug?.(error);
      return { status, contentType, text: failureBody(failure, requestId), code: refusal.code };
    },
    brokenBody: (status) => ({ contentType, text: failureBody(httpFailureOf({ statusCode: status })) }),
  });
}

function answererOf(call: BoundRoute): HttpRoute<number>['answer'] {
  return (request) => {
    const text = call({ query: queryTextOf(request), bodyText: request.body as string | undefined });
    return typeof text === 'string' ? answerOf(text) : text.then(answerOf);
  };
}

const answerOf = (text: string): SentAnswer<number> => {
  return { status: 200, contentType, text, code: errorCodeOf(text) };
};

const envelopeStart = '{"error_code":';

/** Envelopes begin with their code, so nothing has to be parsed to count outcomes. */
const errorCodeOf = (reply: string): number =>
  reply.startsWith(envelopeStart)
    ? Number.parseInt(reply.slice(envelopeStart.length, envelopeStart.length + 4), 10)
    : 0;
