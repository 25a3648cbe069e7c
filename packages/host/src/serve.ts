/**
 * The HTTP shell around a route table (reference §1.1): paths, methods, bodies, limits, cross-origin rules, request
 * ids and orderly closing. Every routed call answers status 200 and an envelope; what the envelope says is the
 * table's and the handlers' business. GET and POST reach a route alike, and a body is JSON whatever its headers
 * say, because the public clients send none.
 */
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { BrokenInvariant } from '@symbolon/core/assert';
import { httpLimits, queryLimits } from '@symbolon/core/limits';
import { type BoundRoute, bindRoutes, type Handlers, type RouteTable } from '@symbolon/wire/route';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { BaseLogger } from 'pino';
import { allowOrigins, type CorsOptions } from './cors.ts';
import {
  answerBrokenConnection,
  failureBody,
  failureOf,
  type HttpFailure,
  internalFailure,
  isInternal,
  unknownRoute,
} from './errors.ts';
import { type PlainHooks, servePlainHooks } from './plain-hooks.ts';

export type HttpLogger = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>;

export type HttpLimits = { readonly [Name in keyof typeof httpLimits | 'bodyBytesMax']: number };

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
  readonly cors?: CorsOptions;
  readonly limits?: Partial<HttpLimits>;
  readonly plain?: PlainHooks;
  /** Told of a broken invariant after its request was answered, so that the process can end itself. */
  readonly onBug?: (error: BrokenInvariant) => void;
}

export interface HttpServer {
  /** The server underneath, for whoever upgrades connections. */
  readonly server: Server;
  listen(at: {
    readonly host: string;
    readonly port: number;
  }): Promise<{ readonly port: number; readonly url: string }>;
  /** Takes no more connections, lets answers under way finish for a while, then closes everything. */
  close(): Promise<void>;
}

const jsonType = 'application/json; charset=utf-8';
const idleSweepMs = 50;

export function createHttpServer<Routes extends RouteTable>(options: HttpServerOptions<Routes>): HttpServer {
  const limits: HttpLimits = { ...httpLimits, bodyBytesMax: queryLimits.bodyBytesMax, ...options.limits };
  const app = createApp(limits, options.logger);
  app.server.maxConnections = limits.connectionsMax;
  const answerFailure = failureAnswerer(options);

  readBodiesAsText(app);
  addCommonHeaders(app, options.cors);
  app.setErrorHandler((error, request, reply) => answerFailure(failureOf(error), { error, request, reply }));
  app.setNotFoundHandler((request, reply) => answerFailure(unknownRoute, { request, reply }));

  const bound = bindRoutes(options.routes, options.handlers);
  for (const [name, route] of Object.entries(options.routes)) {
    const handler = routeHandler(name, bound.get(name) as BoundRoute, { ...options, answerFailure });
    const bodyLimit = route.body ? limits.bodyBytesMax : limits.ignoredBodyBytesMax;
    for (const spelling of [name, ...(route.aliases ?? [])])
      for (const url of [`/${spelling}`, `/v1/:group/${spelling}`])
        app.route({ method: ['GET', 'POST'], url, bodyLimit, handler });
  }
  servePlainHooks(app, options.plain ?? {});

  return {
    server: app.server,
    async listen(at) {
      await app.listen(at);
      const { port } = app.server.address() as AddressInfo;
      return { port, url: `http://${at.host.includes(':') ? `[${at.host}]` : at.host}:${port}` };
    },
    close: () => closeGracefully(app, limits.closeGraceMs),
  };
}

function createApp(limits: HttpLimits, logger: HttpLogger): FastifyInstance {
  const headersTimeout = Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs);
  return fastify({
    // Its own logging makes a child logger a request; this shell logs what matters itself.
    logger: false,
    genReqId: requestIds(),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionTimeout: limits.silenceMs,
    http: {
      maxHeaderSize: limits.headerBytesMax,
      headersTimeout,
      // A limit holds only as sharply as it is looked after.
      connectionsCheckingInterval: Math.min(headersTimeout, 5_000),
    },
    // Routes parse their own query, once: the framework only hands its text on.
    routerOptions: { maxParamLength: 100, querystringParser: (text) => ({ text }) },
    clientErrorHandler(error, socket) {
      const failure = answerBrokenConnection(error, socket);
      if (failure) logger.debug({ status: failure.status }, 'a connection was not understood');
    },
    frameworkErrors(error, request, reply) {
      const failure = failureOf(error);
      (reply as FastifyReply).code(failure.status).type(jsonType).send(failureBody(failure, request.id));
    },
  });
}

/** Ids that are unique across restarts; a caller's own id is kept when it is short and plain. */
function requestIds(): (request: IncomingMessage) => string {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return ({ headers }) => {
    const given = headers['x-request-id'];
    if (typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given)) return given;
    count++;
    return `${prefix}-${count.toString(36)}`;
  };
}

/** Every body of every method arrives as text; an empty or absent one as undefined. */
function readBodiesAsText(app: FastifyInstance): void {
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    if (body.length === 0) done(null, undefined);
    // What is not UTF-8 is not JSON either; the replacement character would hide that from the parser.
    else done(null, isUtf8(body) ? body.toString('utf8') : '');
  });
}

function addCommonHeaders(app: FastifyInstance, cors: CorsOptions | undefined): void {
  const addCorsHeaders = cors && allowOrigins(app, cors);
  app.addHook('onRequest', (request, reply, done) => {
    // Not even a malformed type may keep a body from being read.
    request.raw.headers['content-type'] = undefined;
    reply.header('x-request-id', request.id);
    reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
    addCorsHeaders?.(request, reply);
    done();
  });
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

async function closeGracefully(app: FastifyInstance, graceMs: number): Promise<void> {
  // A kept-alive connection becomes idle only when its last answer is out, so idle ones are swept again and again.
  const sweep = setInterval(() => app.server.closeIdleConnections(), idleSweepMs);
  const deadline = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}
