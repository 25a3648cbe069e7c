/**
 * The HTTP server of the credential service, made from its route table: paths and methods, who may call and how often,
 * limits on everything, problem details for every failure, cross-origin rules, and the pages for operators and
 * programmers. What a call does is `service-call.ts`; what is said and meant is the table's and the handlers'.
 */
import type { Server } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { BrokenInvariant } from '@symbolon/core/basics/assert';
import { Fault } from '@symbolon/core/faults/faults';
import { httpLimits, serviceHttpLimits } from '@symbolon/core/limits/limits';
import { sealedTextCharsMax } from '@symbolon/wire/http/sealed-envelope';
import type { ServiceEnvelope } from '@symbolon/wire/http/service-envelopes';
import type { ServiceHandlers, ServiceRoute, ServiceRouteTable } from '@symbolon/wire/http/service-route';
import { paymentHeaderNames } from '@symbolon/wire/payments/replies';
import { signatureHeaderNames } from '@symbolon/wire/sessions/replies';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { serveDocs } from '../http/docs-page.ts';
import { learnPaths } from '../http/known-paths.ts';
import { type PlainHooks, servePlainHooks } from '../http/plain-hooks.ts';
import { brokenProblemText, faultOf, problemType } from '../http/problem-details.ts';
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
} from '../http/server.ts';
import type { PagePolicy } from '../http/web-pages.ts';
import { systemClock } from '../work/clock.ts';
import type { IdempotencyStore } from './idempotency-keys.ts';
import type { SealedLayer } from './sealed-layer.ts';
import {
  type Access,
  type AccessOptions,
  type Authenticate,
  createAccess,
  type RatePolicies,
  rateCaller,
} from './service-access.ts';
import {
  type Admission,
  type AnyHandler,
  type BoundServiceRoute,
  type CallAnswer,
  type CallOptions,
  createCallRunner,
  failureAnswer,
} from './service-call.ts';

/** One answered request: the route's own name, or `other` for what is no route. */
export interface ServiceObservation {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  /** `ok` or the fault's name. */
  readonly code: string;
  readonly seconds: number;
}

export interface ServiceServerOptions<Routes extends ServiceRouteTable> {
  readonly routes: Routes;
  readonly handlers: ServiceHandlers<Routes>;
  readonly authenticate: Authenticate;
  readonly isApiKey?: AccessOptions['isApiKey'];
  readonly rates: RatePolicies;
  readonly logger: HttpLogger;
  /** Without one the header `Idempotency-Key` is ignored. */
  readonly idempotency?: IdempotencyStore;
  readonly onReplay?: CallOptions['onReplay'];
  /** Without one no sealed path exists. */
  readonly seal?: SealedLayer;
  readonly observe?: (observation: ServiceObservation) => void;
  /** No page of another origin may do anything, if left out. */
  readonly pages?: PagePolicy;
  readonly limits?: Partial<HttpLimits>;
  readonly plain?: PlainHooks;
  /** Whether `/docs` shows what `plain.openapi` says. */
  readonly hasDocs?: boolean;
  readonly trustedProxies?: readonly string[];
  readonly nowMs?: () => number;
  /** Told of a broken invariant after its request was answered, so that the process can end itself. */
  readonly onBug?: (error: BrokenInvariant) => void;
}

export interface ServiceServer {
  readonly server: Server;
  listen(at: ListenAddress): Promise<{ readonly port: number; readonly url: string }>;
  close(): Promise<void>;
}

/** An answer is data: no browser shall run, frame or guess anything of it. */
const securityHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

const exposedHeaders = [
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'idempotency-replayed',
  ...signatureHeaderNames,
  ...paymentHeaderNames,
];

export function createServiceServer<Routes extends ServiceRouteTable>(
  options: ServiceServerOptions<Routes>,
): ServiceServer {
  const limits: HttpLimits = {
    ...httpLimits,
    bodyBytesMax: serviceHttpLimits.bodyBytesMax,
    ...options.limits,
  };
  const explain = explainer(options);
  const failOther = otherFailures(options, explain);
  const app = createHttpApp({
    limits,
    logger: options.logger,
    pathParameterCharsMax: serviceHttpLimits.pathParameterCharsMax,
    trustedProxies: options.trustedProxies,
    answerFrameworkError: failOther,
    brokenBody: (status) => ({ contentType: problemType, text: brokenProblemText(status) }),
  });
  readBodiesAsText(app);
  const { pages } = options;
  addCommonHeaders(app, { pages, methods: ['DELETE'], exposedHeaders, headers: securityHeaders });
  refuseSurplus(app, limits);
  app.setErrorHandler(failOther);
  const methodsOf = learnPaths(app);
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsOf(request.url.split('?', 1)[0]);
    if (methods.length > 0) reply.header('allow', methods.join(', '));
    failOther(new Fault(methods.length > 0 ? 'methodNotAllowed' : 'routeUnknown'), request, reply);
  });

  const { authenticate, isApiKey, rates, nowMs = systemClock.nowMs } = options;
  const access = createAccess({ authenticate, isApiKey, rates, nowMs });
  const streams = new Set<AbortController>();
  for (const [name, route] of Object.entries(options.routes)) {
    const handler = options.handlers[name] as AnyHandler;
    mountRoute(app, { name, route, handler }, { ...options, access, limits, explain, streams });
  }
  servePlainHooks(app, options.plain ?? {});
  if (options.hasDocs && options.plain?.openapi) serveDocs(app);

  return {
    server: app.server,
    listen: (at) => listenAt(app, at),
    close() {
      // What goes on by itself would go on for as long as closing waits.
      for (const stream of streams) stream.abort();
      return closeGracefully(app, limits.closeGraceMs);
    },
  };
}

type Explain = (error: unknown, requestId: string, route: string) => Fault;

/** The one place where a failure is logged: defects and the failures of others loudly, refusals not at all. */
function explainer({ logger, onBug }: ServiceServerOptions<ServiceRouteTable>): Explain {
  return (error, requestId, route) => {
    const fault = faultOf(error);
    const err = fault.cause ?? fault;
    if (fault.code === 'overloaded') logger.warn({ err, requestId, route }, 'too much to do');
    else if (fault.status >= 500)
      logger.error({ err, requestId, route, code: fault.code }, 'a request failed');
    if (error instanceof BrokenInvariant) onBug?.(error);
    return fault;
  };
}

/** What the framework is told about a route, for failures before the route's own runner. */
interface RouteConfig extends PageRouteConfig {
  readonly route?: string;
  readonly envelope?: ServiceEnvelope | undefined;
}

/** Answers what never reached a route's own runner. */
function otherFailures({ observe }: ServiceServerOptions<ServiceRouteTable>, explain: Explain) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { route = 'other', envelope } = (request.routeOptions?.config ?? {}) as RouteConfig;
    const fault = explain(error, request.id, route);
    const { code } = fault;
    const answer = { ...failureAnswer(fault, request.id, envelope), code };
    sendAnswer(reply, answer);
    const { status } = answer;
    observe?.({ route, method: request.method, status, code, seconds: reply.elapsedTime / 1000 });
  };
}

function sendAnswer(reply: FastifyReply, { status, contentType, text, chunks, headers }: CallAnswer): void {
  const body = chunks ? Readable.from(chunks, { objectMode: false, highWaterMark: streamBufferBytes }) : text;
  reply.code(status).headers(headers).header('content-type', contentType).send(body);
}

/** Whoever reads slowly makes the stream wait, not the memory grow. */
const streamBufferBytes = 16 * 1024;

interface Mounting extends ServiceServerOptions<ServiceRouteTable> {
  readonly access: Access;
  readonly limits: HttpLimits;
  readonly explain: Explain;
  /** Answers that go on by themselves; aborting one ends it. */
  readonly streams: Set<AbortController>;
}

function mountRoute(app: FastifyInstance, bound: BoundServiceRoute, mounting: Mounting): void {
  const { route, name } = bound;
  const { seal, limits } = mounting;
  const plainLimit = route.body ? (route.bodyBytesMax ?? limits.bodyBytesMax) : limits.smallBodyBytesMax;
  const mount = (url: string, form: BoundServiceRoute, bodyLimit: number) => {
    const { admit, answer } = routeHooks(form, mounting);
    app.route({
      method: route.method,
      url,
      bodyLimit,
      config: {
        route: name,
        // What is refused before it is opened is refused alike on all sealed routes.
        envelope: form.sealedPath ? undefined : route.envelope,
        isPublic: route.isPublic === true,
      } satisfies RouteConfig,
      onRequest: admit,
      handler: answer,
    });
  };
  for (const path of [route.path, ...(route.aliases ?? [])]) mount(path, bound, plainLimit);
  if (route.sealedPath !== undefined && seal)
    mount(route.sealedPath, { ...bound, sealedPath: route.sealedPath }, sealedTextCharsMax(plainLimit));
}

function routeHooks(bound: BoundServiceRoute, mounting: Mounting) {
  const { access, observe, streams, explain } = mounting;
  const run = createCallRunner(mounting);
  const admissions = new WeakMap<FastifyRequest, Admission>();

  /** Before the body is read: nobody who may not call sends more than headers. */
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const token = bound.route.access === 'open' ? undefined : access.tokenOf(request.headers);
    if (token === undefined && bound.route.isKeyInBody) return;
    const admission = await admissionOf(access, bound.route, { token, address: addressOf(request) });
    const known = admission.caller ?? { address: addressOf(request), scopes: new Set() };
    const { headers, fault } = access.count(rateCaller(known), bound.route);
    reply.headers(headers);
    if (fault) throw fault;
    if (admission.fault && bound.sealedPath === undefined) throw admission.fault;
    admissions.set(request, admission);
  };

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const startedAt = performance.now();
    const gone = new AbortController();
    const onClose = () => {
      gone.abort();
      streams.delete(gone);
    };
    reply.raw.once('close', onClose);
    const afterwards: { readonly work: () => Promise<void>; readonly ifLost?: () => Promise<void> }[] = [];
    const done = await run(bound, {
      requestId: request.id,
      address: addressOf(request),
      admission: admissions.get(request) ?? {},
      headers: request.headers,
      params: (request.params ?? {}) as Record<string, string>,
      queryText: (request.query as { text?: string }).text ?? '',
      bodyText: request.body as string | undefined,
      signal: gone.signal,
      whenAnswered: (work, ifLost) => void afterwards.push({ work, ...(ifLost && { ifLost }) }),
    });
    const closed = () => {
      const isWhole = reply.raw.writableFinished && !gone.signal.aborted;
      for (const { work, ifLost } of afterwards)
        (isWhole ? work : ifLost)?.().catch((error) => explain(error, request.id, bound.name));
    };
    if (gone.signal.aborted) closed();
    else onceEnded(reply.raw, closed);
    if (!done.chunks) reply.raw.off('close', onClose);
    else if (!gone.signal.aborted) streams.add(gone);
    sendAnswer(reply, done);
    const { status, code } = done;
    const seconds = (performance.now() - startedAt) / 1000;
    observe?.({ route: bound.name, method: request.method, status, code, seconds });
    return reply;
  };

  return { admit, answer };
}

/** Once the answer is sent whole, or its connection has closed before. */
function onceEnded(response: FastifyReply['raw'], act: () => void): void {
  const ended = () => {
    response.off('finish', ended).off('close', ended);
    act();
  };
  response.once('finish', ended).once('close', ended);
}

/** Whoever has hung up has no address any more. */
const addressOf = ({ ip }: FastifyRequest): string => (ip as string | undefined) ?? 'gone';

async function admissionOf(
  access: Access,
  route: ServiceRoute,
  { token, address }: { readonly token: string | undefined; readonly address: string },
): Promise<Admission> {
  try {
    return { caller: await access.identify(token, route, address) };
  } catch (error) {
    if (error instanceof Fault) return { fault: error };
    throw error;
  }
}
