/**
 * What every HTTP server of this house has in common, whatever its answers look like: limits on all that a client can
 * make large or slow, request ids, bodies as text, headers that stand on every answer, and orderly closing.
 */
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { httpLimits } from '@symbolon/core/limits/limits';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { BaseLogger } from 'pino';
import { boundConnections, surplusHeaders, TooManyConnections } from './surplus-connections.ts';
import { closedToPages, judgePage, type PagePolicy } from './web-pages.ts';

export type HttpLogger = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>;

export type HttpLimits = { readonly [Name in keyof typeof httpLimits | 'bodyBytesMax']: number };

export interface HttpApp {
  readonly limits: HttpLimits;
  readonly logger: HttpLogger;
  readonly pathParameterCharsMax: number;
  /** Proxies whose word about the caller's address is taken. */
  readonly trustedProxies?: readonly string[];
  /** How the framework's own complaints are answered. */
  readonly answerFrameworkError: (error: Error, request: FastifyRequest, reply: FastifyReply) => void;
  /** The answer to what could not even be parsed as HTTP. */
  readonly brokenBody: (status: number) => { readonly contentType: string; readonly text: string };
}

const idleSweepMs = 50;

export function createHttpApp(options: HttpApp): FastifyInstance {
  const { limits, logger, trustedProxies } = options;
  const headersTimeout = Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs);
  const app = fastify({
    // Its own logging makes a child logger a request; this shell logs what matters itself.
    logger: false,
    genReqId: requestIds(),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    trustProxy: trustedProxies && trustedProxies.length > 0 ? [...trustedProxies] : false,
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
      maxParamLength: options.pathParameterCharsMax,
      querystringParser: (text) => ({ text }),
    },
    clientErrorHandler(error, socket) {
      const status = answerBrokenConnection(error, socket, options.brokenBody);
      if (status !== undefined) logger.debug({ status }, 'a connection was not understood');
    },
    frameworkErrors: (error, request, reply) =>
      options.answerFrameworkError(error, request, reply as FastifyReply),
  });
  return app;
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
export function readBodiesAsText(app: FastifyInstance): void {
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    if (body.length === 0) done(null, undefined);
    // What is not UTF-8 is not JSON either; the replacement character would hide that from the parser.
    else done(null, isUtf8(body) ? body.toString('utf8') : '');
  });
}

export interface CommonHeaders {
  /** No page of another origin may do anything, if left out. */
  readonly pages?: PagePolicy | undefined;
  /** What pages may send and read, beside what every server has. */
  readonly methods?: readonly string[];
  readonly exposedHeaders?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the framework is told of a route. */
export interface PageRouteConfig {
  /** Whether every page may read it, where the operator has not forbidden that. */
  readonly isPublic?: boolean;
}

/** A request that a browser sends for a page that may not. Its status is in `errors.ts` and `problem-details.ts`. */
class PageRefused extends Error {
  readonly statusCode: number;
  constructor(refused: 'host' | 'origin') {
    super(`a web page was refused by its ${refused}`);
    this.statusCode = refused === 'host' ? 421 : 403;
  }
}

const preflightSeconds = 600;

export function addCommonHeaders(app: FastifyInstance, common: CommonHeaders): void {
  const { pages = closedToPages, methods = [], exposedHeaders = [], headers = {} } = common;
  const all = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers };
  const exposed = ['x-request-id', ...exposedHeaders].join(', ');
  app.addHook('onRequest', (request, reply, done) => {
    // Not even a malformed type may keep a body from being read.
    request.raw.headers['content-type'] = undefined;
    reply.header('x-request-id', request.id);
    reply.headers(all);
    const { isPublic = false } = (request.routeOptions?.config ?? {}) as PageRouteConfig;
    const verdict = judgePage(pages, request.headers, isPublic);
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
  if (!common.pages) return;
  // What a browser asks before it sends: a page that may not is told nothing, and the browser keeps it from sending.
  app.options('*', (request, reply) => {
    if (reply.hasHeader('access-control-allow-origin')) {
      const wanted = request.headers['access-control-request-headers'];
      reply.header('access-control-allow-methods', ['GET', 'POST', ...methods].join(', '));
      reply.header('access-control-allow-headers', wanted ?? 'content-type');
      reply.header('access-control-max-age', String(preflightSeconds));
    }
    reply.code(204).send();
  });
}

/** Answers on connections beyond the limit are a refusal; to be called after the common headers are added. */
export function refuseSurplus(app: FastifyInstance, { connectionsMax }: HttpLimits): void {
  const isSurplus = boundConnections(app.server, connectionsMax);
  app.addHook('onRequest', (request, reply, done) => {
    if (!isSurplus(request.raw.socket)) return done();
    reply.headers(surplusHeaders);
    done(new TooManyConnections());
  });
}

const statusByParserError: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers what could not even be parsed as HTTP, where there is still somebody to answer, and hangs up. */
function answerBrokenConnection(
  error: { readonly code?: string },
  socket: Socket,
  brokenBody: HttpApp['brokenBody'],
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

export async function listenAt(
  app: FastifyInstance,
  at: ListenAddress,
): Promise<{ readonly port: number; readonly url: string }> {
  await app.listen(at);
  const { port } = app.server.address() as AddressInfo;
  return { port, url: `http://${at.host.includes(':') ? `[${at.host}]` : at.host}:${port}` };
}

/** Takes no more connections, lets answers under way finish for a while, then closes everything. */
export async function closeGracefully(app: FastifyInstance, graceMs: number): Promise<void> {
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
