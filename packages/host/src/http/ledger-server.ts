/**
 * The HTTP shell around a route table (reference §1.1): paths, methods, bodies, limits, cross-origin rules, request
 * ids and orderly closing. Every routed call answers status 200 and an envelope; what the envelope says is the
 * table's and the handlers' business. GET and POST reach a route alike, and a body is JSON whatever its headers
 * say, because the public clients send none.
 */
import type { Server } from 'node:http';
import { performance } from 'node:perf_hooks';
import { BrokenInvariant } from '@symbolon/core/basics/assert';
import { httpLimits, queryLimits } from '@symbolon/core/limits/limits';
import { type BoundRoute, bindRoutes, type Handlers, type RouteTable } from '@symbolon/wire/http/route';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  failureBody,
  failureOf,
  type HttpFailure,
  internalFailure,
  isInternal,
  unknownRoute,
} from './errors.ts';
import { type PlainHooks, servePlainHooks } from './plain-hooks.ts';
import {
  addCommonHeaders,
  closeGracefully,
  createHttpApp,
  type HttpLimits,
  type HttpLogger,
  type ListenAddress,
  listenAt,
  type PageRouteConfig,
  readBodiesAsText,
  refuseSurplus,
} from './server.ts';
import type { PagePolicy } from './web-pages.ts';

/** One answered request: the route's own name, or `other` for what is no route. */
export interface HttpObservation {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  /** The envelope's error_code; 0 for a reply without envelope. */
  readonly code: number;
  readonly seconds: number;
}

export interface HttpServerOptions<Routes extends RouteTable> {
  readonly routes: Routes;
  readonly handlers: Handlers<Routes>;
  readonly logger: HttpLogger;
  readonly observe?: (observation: HttpObservation) => void;
  /** No page of another origin may do anything, if left out. */
  readonly pages?: PagePolicy;
  readonly limits?: Partial<HttpLimits>;
  readonly plain?: PlainHooks;
  /** Told of a broken invariant after its request was answered, so that the process can end itself. */
  readonly onBug?: (error: BrokenInvariant) => void;
}

export interface HttpServer {
  /** The server underneath, for whoever upgrades connections. */
  readonly server: Server;
  listen(at: ListenAddress): Promise<{ readonly port: number; readonly url: string }>;
  /** Takes no more connections, lets answers under way finish for a while, then closes everything. */
  close(): Promise<void>;
}

const jsonType = 'application/json; charset=utf-8';
const pathParameterCharsMax = 100;

export function createHttpServer<Routes extends RouteTable>(options: HttpServerOptions<Routes>): HttpServer {
  const limits: HttpLimits = { ...httpLimits, bodyBytesMax: queryLimits.bodyBytesMax, ...options.limits };
  const app = createHttpApp({
    limits,
    logger: options.logger,
    pathParameterCharsMax,
    answerFrameworkError(error, request, reply) {
      const failure = failureOf(error);
      reply.code(failure.status).type(jsonType).send(failureBody(failure, request.id));
    },
    brokenBody: (status) => ({ contentType: jsonType, text: failureBody(failureOf({ statusCode: status })) }),
  });
  const answerFailure = failureAnswerer(options);

  readBodiesAsText(app);
  addCommonHeaders(app, { pages: options.pages });
  refuseSurplus(app, limits);
  app.setErrorHandler((error, request, reply) => answerFailure(failureOf(error), { error, request, reply }));
  app.setNotFoundHandler((request, reply) => answerFailure(unknownRoute, { request, reply }));

  const bound = bindRoutes(options.routes, options.handlers);
  for (const [name, route] of Object.entries(options.routes)) {
    const handler = routeHandler(name, bound.get(name) as BoundRoute, { ...options, answerFailure });
    const bodyLimit = route.body ? limits.bodyBytesMax : limits.smallBodyBytesMax;
    for (const spelling of [name, ...(route.aliases ?? [])])
      for (const url of [`/${spelling}`, `/v1/:group/${spelling}`])
        app.route({
          method: ['GET', 'POST'],
          url,
          bodyLimit,
          // What takes no body reads and changes nothing, and all that it reads is on the ledger.
          config: { isPublic: !route.body } satisfies PageRouteConfig,
          handler,
        });
  }
  servePlainHooks(app, options.plain ?? {});

  return {
    server: app.server,
    listen: (at) => listenAt(app, at),
    close: () => closeGracefully(app, limits.closeGraceMs),
  };
}

interface Failed {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly error?: unknown;
  readonly route?: string;
  readonly startedAt?: number;
}

type FailureAnswerer = (failure: HttpFailure, failed: Failed) => void;

function failureAnswerer({ logger, observe, onBug }: HttpServerOptions<RouteTable>): FailureAnswerer {
  return (failure, { request, reply, error, route = 'other', startedAt = performance.now() }) => {
    const { status } = failure;
    if (isInternal(failure)) logger.error({ err: error, requestId: request.id, route }, 'a request failed');
    reply.code(status).type(jsonType).send(failureBody(failure, request.id));
    const seconds = (performance.now() - startedAt) / 1000;
    observe?.({ route, method: request.method, status, code: failure.refusal.code, seconds });
    if (error instanceof BrokenInvariant) onBug?.(error);
  };
}

interface RouteHandling extends Pick<HttpServerOptions<RouteTable>, 'observe'> {
  readonly answerFailure: FailureAnswerer;
}

function routeHandler(route: string, call: BoundRoute, { observe, answerFailure }: RouteHandling) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const startedAt = performance.now();
    const succeed = (text: string): void => {
      reply.type(jsonType).send(text);
      const seconds = (performance.now() - startedAt) / 1000;
      observe?.({ route, method: request.method, status: 200, code: errorCodeOf(text), seconds });
    };
    const fail = (error: unknown): void =>
      answerFailure(internalFailure, { request, reply, error, route, startedAt });

    try {
      const { text: query } = request.query as { text: string };
      const answer = call({ query, bodyText: request.body as string | undefined });
      if (typeof answer === 'string') succeed(answer);
      else answer.then(succeed, fail);
    } catch (error) {
      fail(error);
    }
  };
}

const envelopeStart = '{"error_code":';

/** Envelopes begin with their code, so nothing has to be parsed to count outcomes. */
const errorCodeOf = (reply: string): number =>
  reply.startsWith(envelopeStart)
    ? Number.parseInt(reply.slice(envelopeStart.length, envelopeStart.length + 4), 10)
    : 0;
