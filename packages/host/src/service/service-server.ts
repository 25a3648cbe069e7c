/**
 * The HTTP server of the credential service, made from its route table: paths and methods, who may call and how often,
 * limits on everything, problem details for every failure, cross-origin rules, and the pages for operators and
 * programmers. What a call does is `service-call.ts`; what is said and meant is the table's and the handlers'.
 */
import { performance } from 'node:perf_hooks';
import { BrokenInvariant } from '@symbolon/core/basics/assert';
import { Fault } from '@symbolon/core/faults/faults';
import { sealedTextCharsMax } from '@symbolon/wire/http/sealed-envelope';
import type { ServiceHandlers, ServiceRoute, ServiceRouteTable } from '@symbolon/wire/http/service-route';
import { paymentHeaderNames } from '@symbolon/wire/payments/replies';
import { signatureHeaderNames } from '@symbolon/wire/sessions/replies';
import type { FastifyRequest } from 'fastify';
import {
  type CommonServerOptions,
  createHttpServer,
  type HttpLimits,
  type HttpRoute,
  type HttpServer,
  NoSuchRoute,
  queryTextOf,
  sentPathOf,
} from '../http/server.ts';
import { httpLimits, serviceHttpLimits } from '../limits/server-limits.ts';
import { systemClock } from '../work/clock.ts';
import { AnswerLifetime } from './answer-lifetime.ts';
import { type BrowserSessionOptions, browserSessionClaims } from './browser-session-claim.ts';
import { type LedgerPassage, passageRoutes } from './ledger-passage.ts';
import { brokenProblemText, faultOf, problemType } from './problem-details.ts';
import {
  type Access,
  type AccessOptions,
  type ApiKeyOptions,
  type Claim,
  callerSource,
  createAccess,
  rateCaller,
} from './service-access.ts';
import {
  type AnyHandler,
  type BoundServiceRoute,
  type CallRunner,
  type CallRunnerOptions,
  createCallRunner,
  failureAnswer,
  type Identified,
} from './service-call.ts';
import { readGrant } from './shown-grant.ts';

/** A call with an API key, as it was answered: nothing of what was in it. */
export interface AnsweredCall {
  readonly keyId: string;
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly code: string;
  readonly seconds: number;
  readonly requestId: string;
}

/** The code of an observation is `ok`, the fault's name, or `callerGone` where nobody waited for the ledger's answer. */
export interface ServiceServerOptions<Routes extends ServiceRouteTable>
  extends CommonServerOptions<string>,
    ApiKeyOptions,
    Pick<AccessOptions, 'rates' | 'rateSharing'>,
    Omit<CallRunnerOptions, 'access' | 'explain'> {
  readonly routes: Routes;
  readonly handlers: ServiceHandlers<Routes>;
  readonly trustedProxies?: readonly string[];
  /** Sessions of browsers; without them API keys alone show who calls. */
  readonly sessions?: BrowserSessionOptions;
  /** The ledger node under the same origin. */
  readonly passage?: LedgerPassage;
  readonly nowMs?: () => number;
  /** Told of every call whose API key is known, when it is answered. */
  readonly onCall?: (call: AnsweredCall) => void;
  /** Told of a broken invariant, so that the process can end itself. */
  readonly onBug?: (error: BrokenInvariant) => void;
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
  'www-authenticate',
  'dpop-nonce',
  ...signatureHeaderNames,
  ...paymentHeaderNames,
];

export function createServiceServer<Routes extends ServiceRouteTable>(
  options: ServiceServerOptions<Routes>,
): HttpServer {
  const limits = { ...httpLimits, bodyBytesMax: serviceHttpLimits.bodyBytesMax, ...options.limits };
  const explain = explainer(options);
  const { rates, rateSharing, nowMs = systemClock.nowMs } = options;
  const session = options.sessions && browserSessionClaims(options.sessions);
  const access = createAccess({ source: callerSource(options, session), rates, rateSharing, nowMs });
  const streams = new Set<AnswerLifetime>();
  const serving: Serving = {
    access,
    run: createCallRunner({ ...options, access, explain }),
    explain,
    onCall: options.onCall ?? (() => undefined),
    streams,
  };
  const routes = Object.entries(options.routes).flatMap(([name, route]) => {
    const bound = { name, route, handler: options.handlers[name] as AnyHandler };
    return formsOf(bound, limits, options.seal !== undefined).map((form) => ({
      ...form,
      ...routeHooks(form.bound, serving),
    }));
  });
  const admit: HttpRoute<string>['admit'] = async (request, reply) => {
    const stranger = { address: addressOf(request), scopes: new Set<never>() };
    const { headers, fault } = access.count(rateCaller(stranger), { cost: 'light' });
    reply.headers(headers);
    if (fault) throw fault;
  };
  const passed = options.passage ? passageRoutes(options.passage, { limits, admit }) : [];
  return createHttpServer({
    ...options,
    limits,
    routes: [...routes, ...passed],
    pathParameterCharsMax: serviceHttpLimits.pathParameterCharsMax,
    answersHead: true,
    exposedHeaders,
    headers: securityHeaders,
    failure(error, { requestId, route, envelope }) {
      const methods = error instanceof NoSuchRoute ? error.methods : [];
      const known = methods.length > 0 ? new Fault('methodNotAllowed') : error;
      const answer = failureAnswer(explain(known, requestId, route), requestId, envelope);
      if (methods.length === 0) return answer;
      return { ...answer, headers: { allow: methods.join(', '), ...answer.headers } };
    },
    brokenBody: (status) => ({ contentType: problemType, text: brokenProblemText(status) }),
    endStreams() {
      for (const stream of streams) stream.end();
    },
  });
}

/** The one place where a failure is logged: defects and the failures of others loudly, refusals not at all. */
function explainer({
  logger,
  onBug,
}: Pick<ServiceServerOptions<ServiceRouteTable>, 'logger' | 'onBug'>): CallRunnerOptions['explain'] {
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

/** A route in clear and, where it has such a path and the server can open them, for sealed requests. */
function formsOf(bound: BoundServiceRoute, limits: HttpLimits, hasSeal: boolean) {
  const { name, route } = bound;
  const { method, path, aliases = [], sealedPath, envelope, notesReading = false } = route;
  const { isPublic = false, isForWallets = false } = route;
  const bodyBytesMax = route.body ? (route.bodyBytesMax ?? limits.bodyBytesMax) : limits.smallBodyBytesMax;
  const common = {
    name,
    methods: [method],
    isPublic: isPublic || isForWallets,
    isAskedBefore: isForWallets,
    refusesHead: notesReading,
  };
  const plain = {
    ...common,
    bound,
    paths: [path, ...aliases],
    bodyBytesMax,
    failureContext: { route: name, envelope },
  };
  if (sealedPath === undefined || !hasSeal) return [plain];
  // What is refused before it is opened is refused alike on all sealed routes: in no envelope.
  const sealed = {
    ...common,
    bound: { ...bound, sealedPath },
    paths: [sealedPath],
    bodyBytesMax: sealedTextCharsMax(bodyBytesMax),
    failureContext: { route: name },
  };
  return [plain, sealed];
}

interface Serving {
  readonly access: Access;
  readonly run: CallRunner;
  readonly explain: CallRunnerOptions['explain'];
  readonly onCall: (call: AnsweredCall) => void;
  /** Answers that go on by themselves. */
  readonly streams: Set<AnswerLifetime>;
}

function routeHooks(
  bound: BoundServiceRoute,
  { access, run, explain, onCall, streams }: Serving,
): Required<Pick<HttpRoute<string>, 'admit' | 'answer'>> {
  const identifications = new WeakMap<FastifyRequest, Identified>();
  const beginnings = new WeakMap<FastifyRequest, number>();

  const tell = (request: FastifyRequest, { keyId, status, code }: ToldAnswer): void => {
    if (keyId === undefined) return;
    const { id: requestId, method } = request;
    const now = performance.now();
    const seconds = (now - (beginnings.get(request) ?? now)) / 1000;
    onCall({ keyId, route: bound.name, method, status, code, seconds, requestId });
  };

  /** Before the body is read: nobody who may not call sends more than headers. */
  const admit: HttpRoute<string>['admit'] = async (request, reply) => {
    beginnings.set(request, performance.now());
    const { access: wanted, isKeyInBody } = bound.route;
    const takesKey = wanted === 'key' || wanted === 'optionalKey';
    const claim = takesKey ? access.claimOf(request.headers) : undefined;
    if (claim === undefined && isKeyInBody) return;
    const address = addressOf(request);
    const identified = await identify(access, bound.route, { claim, address, request });
    const known = 'caller' in identified ? identified.caller : { address, scopes: new Set<never>() };
    const { headers, fault: tooMany } = access.count(rateCaller(known), bound.route);
    reply.headers(headers);
    // On a sealed route it is told only inside the seal.
    const fault = tooMany ?? (bound.sealedPath === undefined ? identified.fault : undefined);
    if (fault instanceof Fault) {
      const { status, code } = failureAnswer(fault, request.id, bound.route.envelope);
      tell(request, { keyId: known.keyId, status, code });
      throw fault;
    }
    identifications.set(request, identified);
  };

  const answer: HttpRoute<string>['answer'] = async (request, reply) => {
    const lifetime = new AnswerLifetime(reply.raw, streams);
    const { signal, whenAnswered } = lifetime;
    const identified = identifications.get(request);
    let keyId = identified && 'caller' in identified ? identified.caller.keyId : undefined;
    const done = await run(bound, {
      requestId: request.id,
      address: addressOf(request),
      httpVersion: request.raw.httpVersion,
      identified,
      onIdentified: (caller) => {
        keyId = caller.keyId;
      },
      headers: request.headers,
      params: (request.params ?? {}) as Record<string, string>,
      path: sentPathOf(request),
      queryText: queryTextOf(request),
      bodyText: request.body as string | undefined,
      signal,
      whenAnswered,
    });
    lifetime.answered({
      isStream: done.chunks !== undefined,
      onFailure: (error) => explain(error, request.id, bound.name),
    });
    tell(request, { ...done, keyId });
    return done;
  };

  return { admit, answer };
}

interface ToldAnswer {
  readonly keyId: string | undefined;
  readonly status: number;
  readonly code: string;
}

/** Whoever has hung up has no address any more. */
const addressOf = ({ ip }: FastifyRequest): string => (ip as string | undefined) ?? 'gone';

interface Stranger {
  readonly claim: Claim | undefined;
  readonly address: string;
  readonly request: FastifyRequest;
}

async function identify(
  access: Access,
  route: ServiceRoute,
  { claim, address, request }: Stranger,
): Promise<Identified> {
  try {
    const identified = await access.identify(claim, route, address);
    if (route.access !== 'grant') return identified;
    return { ...identified, grant: readGrant(request.headers, queryTextOf(request)) };
  } catch (error) {
    if (error instanceof Fault) return { fault: error };
    throw error;
  }
}
