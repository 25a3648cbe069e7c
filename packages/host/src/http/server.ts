/**
 * The HTTP server of this house, whatever its answers look like: limits on all that a client can make large or slow,
 * request ids, bodies as text, headers that stand on every answer, cross-origin rules and orderly closing. It serves
 * routes that know how to answer. What a refusal looks like is told by whoever opens it (`ledger-server.ts`,
 * `service-server.ts`).
 */
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import type { ServiceEnvelope } from '@symbolon/wire/http/service-envelopes';
import type { ReplyHeaders } from '@symbolon/wire/http/service-route';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { BaseLogger } from 'pino';
import type { httpLimits } from '../limits/server-limits.ts';
import { serveDocs } from './docs-page.ts';
import { learnPaths } from './known-paths.ts';
import { type PageRouteConfig, type PlainHooks, servePlainHooks } from './operator-pages.ts';
import { boundConnections, surplusHeaders, TooManyConnections } from './surplus-connections.ts';
import { closedToPages, judgePage, type PagePolicy } from './web-pages.ts';

export type HttpLogger = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>;

export type HttpLimits = { readonly [Name in keyof typeof httpLimits | 'bodyBytesMax']: number };

/** An answer as it is sent. */
export interface SentAnswer<Code> {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** Sent instead of the text. */
  readonly chunks?: AsyncIterable<string>;
  readonly headers?: ReplyHeaders;
  /** The outcome as the interface calls it, for whoever counts. */
  readonly code: Code;
}

/** One answered request: the route's own name, or `other` for what is no route. */
export interface HttpObservation<Code> {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly code: Code;
  readonly seconds: number;
}

const httpMethods = ['GET', 'POST', 'DELETE'] as const;

export interface HttpRoute<Code> {
  readonly name: string;
  readonly methods: readonly (typeof httpMethods)[number][];
  readonly paths: readonly string[];
  readonly bodyBytesMax: number;
  /** Whether HEAD is not answered here, though it is elsewhere. */
  readonly refusesHead?: boolean;
  /** Whether every page may read it, where the operator has not forbidden that. */
  readonly isPublic: boolean;
  /** Whether browsers are told that a page may send what they ask about first: a media type, a header of its own. */
  readonly isAskedBefore?: boolean;
  /** Where failures before `answer` are counted, and how they are wrapped; as those of no route, if left out. */
  readonly failureContext?: RouteFailure;
  /** Run before the body is read; what it throws is the answer. */
  readonly admit?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  readonly answer: (
    request: FastifyRequest,
    reply: FastifyReply,
  ) => SentAnswer<Code> | Promise<SentAnswer<Code>>;
}

/** Where a request failed, and what its answer is wrapped in. */
interface RouteFailure {
  readonly route: string;
  readonly envelope?: ServiceEnvelope | undefined;
}
interface FailedRequest extends RouteFailure {
  readonly requestId: string;
}

/** What the operator decides, whichever routes are served. */
export interface CommonServerOptions<Code> {
  readonly logger: HttpLogger;
  readonly observe?: (observation: HttpObservation<Code>) => void;
  /** No page of another origin may do anything, if left out. */
  readonly pages?: PagePolicy;
  readonly limits?: Partial<HttpLimits>;
  readonly plain?: PlainHooks;
  /** Whether `/docs` shows what `plain.openapi` says. */
  readonly hasDocs?: boolean | undefined;
}

export interface HttpServerOptions<Code> extends CommonServerOptions<Code> {
  readonly routes: readonly HttpRoute<Code>[];
  readonly limits: HttpLimits;
  readonly pathParameterCharsMax: number;
  /** Proxies whose word about the caller's address is taken. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Whether HEAD is answered as GET is, without a body, wherever there is GET and no route refuses it. */
  readonly answersHead?: boolean;
  /** What pages may read beside what every server has, and headers of every answer. */
  readonly exposedHeaders?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer to whatever was thrown; also logs what must be logged. */
  readonly failure: (error: unknown, failed: FailedRequest) => SentAnswer<Code>;
  /** The answer to what could not even be parsed as HTTP. */
  readonly brokenBody: (status: number) => Pick<SentAnswer<Code>, 'contentType' | 'text'>;
  /** Ends what goes on by itself: it would go on for as long as closing waits. */
  readonly endStreams?: () => void;
}

export interface HttpServer {
  /** The server underneath, for whoever upgrades connections. */
  readonly server: Server;
  listen(at: ListenAddress): Promise<{ readonly port: number; readonly url: string }>;
  /** From now on every answer is the last of its connection, so that nobody sends a request into one that closes. */
  drain(): void;
  /** Takes no more connections, lets answers under way finish for a while, then closes everything. */
  close(): Promise<void>;
}

/** What the framework is told about a route. */
interface RouteConfig extends PageRouteConfig, Partial<RouteFailure> {}

const configOf = (request: FastifyRequest): RouteConfig =>
  (request.routeOptions?.config ?? {}) as RouteConfig;

/** No route fits the request; `methods` are those that its path takes. */
export class NoSuchRoute extends Error {
  readonly statusCode = 404;
  readonly methods: readonly string[];
  constructor(methods: readonly string[]) {
    super('no such route');
    this.methods = methods;
  }
}

/** The query of a request, which routes parse themselves. */
export const queryTextOf = ({ query }: FastifyRequest): string => (query as { text?: string }).text ?? '';

/** Its path as it was sent. */
export const sentPathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] as string;

export function createHttpServer<Code>(options: HttpServerOptions<Code>): HttpServer {
  const { limits, observe, plain = {} } = options;
  const answerFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { route = 'other', envelope } = configOf(request);
    const answer = options.failure(error, { requestId: request.id, route, envelope });
    sendAnswer(reply, answer);
    const { status, code } = answer;
    observe?.({ route, method: request.method, status, code, seconds: reply.elapsedTime / 1000 });
  };
  const app = createHttpApp(options, answerFailure);
  readBodiesAsText(app);
  addCommonHeaders(app, options);
  const drain = addDraining(app);
  refuseSurplus(app, limits);
  app.setErrorHandler(answerFailure);
  const methodsOf = learnPaths(app);
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsOf(sentPathOf(request));
    // What takes this very method and has nothing for it would only send its caller in a circle.
    const others = methods.includes(request.method) ? [] : methods;
    return answerFailure(new NoSuchRoute(others), request, reply);
  });
  for (const route of options.routes) mountRoute(app, route, options);
  if (options.pages) answerPreflights(app, options.routes);
  servePlainHooks(app, plain);
  if (options.hasDocs && plain.openapi) serveDocs(app);

  return {
    server: app.server,
    listen: (at) => listenAt(app, at),
    drain,
    close() {
      options.endStreams?.();
      return closeGracefully(app, limits.closeGraceMs);
    },
  };
}

function mountRoute<Code>(
  app: FastifyInstance,
  {
    name,
    methods,
    paths,
    bodyBytesMax,
    refusesHead,
    isPublic,
    failureContext,
    admit,
    answer,
  }: HttpRoute<Code>,
  { failure, observe }: HttpServerOptions<Code>,
): void {
  const handler = (request: FastifyRequest, reply: FastifyReply): void => {
    const startedAt = performance.now();
    const send = (done: SentAnswer<Code>): void => {
      sendAnswer(reply, done);
      const seconds = (performance.now() - startedAt) / 1000;
      observe?.({ route: name, method: request.method, status: done.status, code: done.code, seconds });
    };
    const fail = (error: unknown): void =>
      send(failure(error, { ...failureContext, requestId: request.id, route: name }));
    try {
      const done = answer(request, reply);
      // The framework answers what cannot even be sent.
      if (done instanceof Promise) done.then(send, fail).catch((error: unknown) => reply.send(error));
      else send(done);
    } catch (error) {
      fail(error);
    }
  };
  const config: RouteConfig = { ...failureContext, isPublic };
  for (const url of paths)
    app.route({
      method: [...methods],
      url,
      bodyLimit: bodyBytesMax,
      ...(refusesHead && { exposeHeadRoute: false }),
      config,
      ...(admit && { onRequest: admit }),
      handler,
    });
}

function sendAnswer(
  reply: FastifyReply,
  { status, contentType, text, chunks, headers = {} }: SentAnswer<unknown>,
): void {
  if (status === 204) return void reply.code(status).headers(headers).send();
  const body = chunks ? Readable.from(chunks, { objectMode: false, highWaterMark: streamBufferBytes }) : text;
  reply.code(status).headers(headers).header('content-type', contentType).send(body);
}

/** Whoever reads slowly makes the stream wait, not the memory grow. */
const streamBufferBytes = 16 * 1024;

const idleSweepMs = 50;

function createHttpApp<Code>(
  options: HttpServerOptions<Code>,
  answerFailure: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void,
): FastifyInstance {
  const { limits, logger, trustedProxies = [], pathParameterCharsMax, brokenBody } = options;
  const headersTimeout = Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs);
  return fastify({
    // Its own logging makes a child logger a request; this shell logs what matters itself.
    logger: false,
    genReqId: requestIds(),
    exposeHeadRoutes: options.answersHead ?? false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: limits.smallBodyBytesMax,
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
    routerOptions: {
      maxParamLength: pathParameterCharsMax,
      querystringParser: (text) => ({ text }),
    },
    clientErrorHandler(error, socket) {
      const status = answerBrokenConnection(error, socket, brokenBody);
      if (status !== undefined) logger.debug({ status }, 'a connection was not understood');
    },
    frameworkErrors: (error, request, reply) => answerFailure(error, request, reply as FastifyReply),
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

/** Every body arrives as text, with whatever method; an empty or absent one as undefined. */
function readBodiesAsText(app: FastifyInstance): void {
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    if (body.length === 0) done(null, undefined);
    // What is not UTF-8 is not JSON either; the replacement character would hide that from the parser.
    else done(null, isUtf8(body) ? body.toString('utf8') : '');
  });
}

/** A request that a browser sends for a page that may not; `ledger-failures.ts` and `problem-details.ts` answer it. */
class PageRefused extends Error {
  readonly statusCode: number;
  constructor(refused: 'host' | 'origin') {
    super(`a web page was refused by its ${refused}`);
    this.statusCode = refused === 'host' ? 421 : 403;
  }
}

const preflightSeconds = 600;

function addCommonHeaders<Code>(
  app: FastifyInstance,
  { pages, exposedHeaders = [], headers = {} }: HttpServerOptions<Code>,
): void {
  const all = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers };
  const exposed = ['x-request-id', ...exposedHeaders].join(', ');
  app.addHook('onRequest', (request, reply, done) => {
    // Not even a malformed type may keep a body from being read.
    request.raw.headers['content-type'] = undefined;
    reply.header('x-request-id', request.id);
    reply.headers(all);
    const verdict = judgePage(pages ?? closedToPages, request.headers, configOf(request).isPublic ?? false);
    // The answer depends on who asks, so a cache must not give one page's answer to another.
    reply.header('vary', 'origin');
    if (verdict.refused === 'host' || (verdict.refused && request.method !== 'OPTIONS'))
      return done(new PageRefused(verdict.refused));
    if (!verdict.refused && verdict.readableBy !== undefined) {
      reply.header('access-control-allow-origin', verdict.readableBy);
      reply.header('access-control-expose-headers', exposed);
    }
    done();
  });
}

/**
 * What a browser asks before it sends: a page that may not is told nothing, and the browser keeps it from sending. What
 * everybody may send to is asked about under its own path.
 */
function answerPreflights<Code>(app: FastifyInstance, routes: readonly HttpRoute<Code>[]): void {
  const allowedBy = (some: readonly HttpRoute<Code>[]) => {
    const used = new Set(some.flatMap((route) => route.methods));
    const methods = httpMethods.filter((method) => used.has(method)).join(', ');
    return (request: FastifyRequest, reply: FastifyReply): void => {
      if (reply.hasHeader('access-control-allow-origin')) {
        const wanted = request.headers['access-control-request-headers'];
        reply.header('access-control-allow-methods', methods);
        reply.header('access-control-allow-headers', wanted ?? 'content-type');
        reply.header('access-control-max-age', String(preflightSeconds));
      }
      reply.code(204).send();
    };
  };
  app.options('*', allowedBy(routes));
  const open = routes.filter(({ isAskedBefore }) => isAskedBefore);
  const config: RouteConfig = { isPublic: true };
  for (const path of new Set(open.flatMap(({ paths }) => paths)))
    app.options(path, { config }, allowedBy(open.filter(({ paths }) => paths.includes(path))));
}

/** Refuses requests on connections beyond the limit; to be called after the common headers are added. */
function refuseSurplus(app: FastifyInstance, { connectionsMax }: HttpLimits): void {
  const isSurplus = boundConnections(app.server, connectionsMax);
  app.addHook('onRequest', (request, reply, done) => {
    if (!isSurplus(request.raw.socket)) return done();
    reply.headers(surplusHeaders);
    done(new TooManyConnections());
  });
}

/** Answers what begins to drain. */
function addDraining(app: FastifyInstance): () => void {
  let isDraining = false;
  app.addHook('onRequest', (_request, reply, done) => {
    if (isDraining) reply.header('connection', 'close');
    done();
  });
  return () => {
    isDraining = true;
  };
}

const statusByParserError: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers what could not even be parsed as HTTP, where there is still somebody to answer, and hangs up. */
function answerBrokenConnection(
  error: { readonly code?: string },
  socket: Socket,
  brokenBody: HttpServerOptions<unknown>['brokenBody'],
): number | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const status = statusByParserError[error.code ?? ''] ?? 400;
  const { contentType, text } = brokenBody(status);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${contentType}\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    () => socket.destroy(),
  );
  return status;
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

async function listenAt(
  app: FastifyInstance,
  at: ListenAddress,
): Promise<{ readonly port: number; readonly url: string }> {
  await app.listen(at);
  const { port } = app.server.address() as AddressInfo;
  return { port, url: `http://${at.host.includes(':') ? `[${at.host}]` : at.host}:${port}` };
}

/** Takes no more connections, lets answers under way finish for a while, then closes everything. */
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
