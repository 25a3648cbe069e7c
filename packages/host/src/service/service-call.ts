/**
 * One call of a route, from texts to an answer, in the order of this file: open what is sealed, identify who calls by a
 * key in the body, read the request, remember its idempotency key, handle it. Every call ends in exactly one answer; a
 * failure is one too. HTTP is the shell's business.
 */
import { assert } from '@symbolon/core/basics/assert';
import { given } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import { sealedContentType } from '@symbolon/wire/http/sealed-envelope';
import type { ServiceEnvelope } from '@symbolon/wire/http/service-envelopes';
import {
  type Call,
  type Caller,
  isStreamReply,
  isTextReply,
  jsonPointer,
  malformedAt,
  readServiceRequest,
  type ServiceReply,
  type ServiceRoute,
  type ShownGrant,
} from '@symbolon/wire/http/service-route';
import { isJsonObject, type JsonValue, stringifyJson } from '@symbolon/wire/json/json';
import { type QueryValues, queryPairs } from '@symbolon/wire/json/query-text';
import type { SentAnswer } from '../http/server.ts';
import { refuseUnread } from '../http/unread-body.ts';
import {
  fingerprintOf,
  type IdempotencyStore,
  type IdempotencyVerdict,
  type KeptAnswer,
  readIdempotencyKey,
} from './idempotency-keys.ts';
import { faultHeaders, problemText, problemType } from './problem-details.ts';
import type { SealedLayer } from './sealed-layer.ts';
import { type Access, rateCaller } from './service-access.ts';
import { bodyReaders } from './service-body.ts';

export type AnyHandler = (request: unknown, call: Call) => Promise<ServiceReply | null>;

export interface BoundServiceRoute {
  readonly name: string;
  readonly route: ServiceRoute;
  readonly handler: AnyHandler;
  /** The path's pattern when this is the sealed form of the route. */
  readonly sealedPath?: string;
}

/** Who calls, or why that is not known. What a key in a body makes known comes with the headers of its rate. */
export type Identified = (
  | { readonly caller: Caller; readonly grant?: ShownGrant; readonly fault?: Fault }
  | { readonly fault: unknown }
) & {
  readonly headers?: Readonly<Record<string, string>>;
};

export interface ArrivedCall {
  readonly requestId: string;
  readonly address: string;
  readonly httpVersion: string;
  /** By its headers; absent where the key may stand in the body. */
  readonly identified?: Identified | undefined;
  /** Told who calls by a key in the body, as soon as that is known. */
  readonly onIdentified?: (caller: Caller) => void;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly params: Readonly<Record<string, string>>;
  /** As it was sent, without the query: what a sealed request was sealed for. */
  readonly path: string;
  readonly queryText: string;
  readonly bodyText?: string;
  readonly signal: AbortSignal;
  readonly whenAnswered?: Call['whenAnswered'];
}

export interface CallRunnerOptions {
  readonly access: Access;
  readonly seal?: SealedLayer;
  readonly idempotency?: IdempotencyStore;
  /** Told of every answer that is about to be given again; it is not, when this fails. */
  readonly onReplay?: (replay: ReplayedCall) => Promise<void>;
  /** Makes a fault of whatever was thrown, and logs what must be logged. */
  readonly explain: (error: unknown, requestId: string, route: string) => Fault;
}

export interface ReplayedCall {
  readonly route: string;
  readonly caller: Caller;
  readonly request: unknown;
}

const jsonType = 'application/json; charset=utf-8';

/** The code of its answer is `ok` or the fault's name. */
export type CallRunner = (bound: BoundServiceRoute, arrived: ArrivedCall) => Promise<SentAnswer<string>>;

/** Opens a sealed request, has it answered like any other, and seals the answer. */
export const createCallRunner =
  (options: CallRunnerOptions): CallRunner =>
  async (bound, arrived) => {
    const { seal, explain } = options;
    if (bound.sealedPath === undefined || !seal) return answerCall(options, bound, arrived);
    const { requestId, path, headers, bodyText: body = '' } = arrived;
    const opened = await seal.open({ path, headers, body }).catch((error: unknown) => ({ error }));
    // In no envelope: the same answer on every route, and a client knows it from a sealed one by its status.
    if ('error' in opened) return failureAnswer(explain(opened.error, requestId, bound.name), requestId);
    // The seal has found it to be text, so that an empty one is none.
    const bodyText = opened.bodyText === '' ? undefined : opened.bodyText;
    const answer = await answerCall(options, bound, { ...arrived, bodyText });
    assert(answer.chunks === undefined, 'a stream cannot be sealed');
    return { ...answer, contentType: sealedContentType, text: opened.sealAnswer(answer.text) };
  };

/** A call in clear: identified, handled, and its failure made an answer. */
async function answerCall(
  options: CallRunnerOptions,
  bound: BoundServiceRoute,
  arrived: ArrivedCall,
): Promise<SentAnswer<string>> {
  const { name, route } = bound;
  const { requestId, address } = arrived;
  const body = bodyOf(route, arrived.bodyText);
  const identified = arrived.identified ?? (await identifyByBody(options.access, route, { address, body }));
  if ('caller' in identified) arrived.onIdentified?.(identified.caller);
  const rate = identified.headers;
  try {
    if (!('caller' in identified) || identified.fault) throw identified.fault;
    const { caller, grant } = identified;
    const answer = await handleCall(options, bound, { ...arrived, ...given({ grant }), caller, body });
    return { ...answer, headers: { ...rate, ...answer.headers }, code: 'ok' };
  } catch (error) {
    const refusal = failureAnswer(options.explain(error, requestId, name), requestId, route.envelope);
    return { ...refusal, headers: { ...rate, ...refusal.headers } };
  }
}

export function failureAnswer(
  fault: Fault,
  requestId: string,
  envelope?: ServiceEnvelope,
): SentAnswer<string> {
  const [headers, { code }] = [faultHeaders(fault), fault];
  if (!envelope) {
    const text = problemText(fault, requestId);
    return { status: fault.status, contentType: problemType, text, headers, code };
  }
  const { status, body, headers: own } = envelope.failure(fault, requestId);
  return { status, contentType: jsonType, text: stringifyJson(body), headers: { ...headers, ...own }, code };
}

/** What the body says, read when it is asked for, and once. */
type Body = () => JsonValue | undefined;

function bodyOf(route: ServiceRoute, text: string | undefined): Body {
  let parsed: JsonValue | undefined;
  return () => {
    if (route.body) parsed ??= bodyReaders[route.bodyKind ?? 'json'](text);
    else if (!route.ignoresUnknown) refuseUnread(text, Object.keys(route.query?.shape ?? {}));
    return parsed;
  };
}

const keyIn = (body: JsonValue | undefined): string | undefined =>
  isJsonObject(body) && typeof body.authorization === 'string' ? body.authorization : undefined;

/** The key stands in the body, so the call is counted only now; one without a valid key counts for its address. */
async function identifyByBody(
  access: Access,
  route: ServiceRoute,
  { address, body }: { readonly address: string; readonly body: Body },
): Promise<Identified> {
  try {
    const { caller, fault } = await access.identify(access.claimOf({}, keyIn(body())), route, address);
    const counted = access.count(rateCaller(caller), route);
    return { ...counted, caller, ...given({ fault: counted.fault ?? fault }) };
  } catch (fault) {
    // A call too many is refused as that, whatever else is wrong with it.
    return { fault, ...access.count(rateCaller({ address, scopes: new Set() }), route) };
  }
}

interface IdentifiedCall extends ArrivedCall {
  readonly caller: Caller;
  readonly grant?: ShownGrant;
  readonly body: Body;
}

/** What a handler answered. */
type HandlerAnswer = Omit<SentAnswer<string>, 'code'>;

/** Reads the request, remembers its idempotency key, and has it handled. */
async function handleCall(
  { access, idempotency, onReplay, explain }: CallRunnerOptions,
  { name, route, handler }: BoundServiceRoute,
  { caller, grant, body, ...arrived }: IdentifiedCall,
): Promise<HandlerAnswer> {
  const { requestId, params, headers, httpVersion, signal, whenAnswered, bodyText: rawBody } = arrived;
  // Another key in the body than in the headers is refused.
  if (route.isKeyInBody) access.claimOf(headers, keyIn(body()));
  const query = readQuery(arrived.queryText);
  const request = readServiceRequest(route, { params, query, body: body() });
  const idempotencyKey = idempotencyKeyOf(route, headers);
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  const headerNames = Object.keys(headers);
  const call = {
    caller,
    requestId,
    signal,
    header,
    headerNames,
    httpVersion,
    ...given({ grant, whenAnswered, idempotencyKey, rawBody }),
  };
  const handle = async () => renderReply(await handler(request, call), route);

  if (idempotencyKey === undefined || !idempotency) return handle();
  const fingerprint = fingerprintOf(name, [JSON.stringify(params), JSON.stringify(query), rawBody]);
  const verdict = await idempotency.begin({ key: idempotencyKey, caller: rateCaller(caller), fingerprint });
  if (verdict.outcome === 'replay') await onReplay?.({ route: name, caller, request });
  return handleOnce(verdict, handle, (error) => explain(error, requestId, name));
}

/** Every parameter once. */
function readQuery(text: string): QueryValues {
  const values = new Map<string, string>();
  for (const [name, value] of queryPairs(text)) {
    if (values.has(name)) throw malformedAt(jsonPointer(['query', name]), 'is given twice');
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

/** A caller who sends a key relies on it, so a route that would do the same again refuses it; the others ignore it. */
function idempotencyKeyOf(
  { isIdempotent, refusesIdempotencyKey }: ServiceRoute,
  headers: ArrivedCall['headers'],
): string | undefined {
  const key = readIdempotencyKey(headers['idempotency-key']);
  if (refusesIdempotencyKey && key !== undefined)
    throw new Fault('requestMalformed', { detail: 'the header Idempotency-Key is not taken by this route' });
  return isIdempotent ? key : undefined;
}

async function handleOnce(
  verdict: IdempotencyVerdict,
  handle: () => Promise<HandlerAnswer>,
  report: (error: unknown) => void,
): Promise<KeptAnswer> {
  switch (verdict.outcome) {
    case 'mismatch':
      throw new Fault('idempotencyMismatch');
    case 'inProgress':
      throw new Fault('requestInProgress', { retryAfterSeconds: 1 });
    case 'replay':
      return {
        ...verdict.answer,
        headers: { ...verdict.answer.headers, 'idempotency-replayed': 'true' },
      };
    case 'go': {
      let answer: KeptAnswer;
      try {
        const answered = await handle();
        assert(answered.chunks === undefined, 'a stream cannot be kept');
        answer = answered;
      } catch (error) {
        await verdict.release().catch(report);
        throw error;
      }
      // It is done: a store that cannot keep the answer does not undo it.
      await verdict.finish(answer).catch(report);
      return answer;
    }
  }
}

function renderReply(
  reply: ServiceReply | null,
  { envelope, status: usual }: Pick<ServiceRoute, 'envelope' | 'status'>,
): HandlerAnswer {
  const plain = { status: usual ?? 200, contentType: jsonType };
  if (reply === null) return { ...plain, text: '' };
  if (isStreamReply(reply)) {
    const { contentType, chunks, headers } = reply;
    return { status: 200, contentType, text: '', chunks, ...(headers && { headers }) };
  }
  if (!isTextReply(reply)) {
    const body = envelope ? envelope.success(reply) : reply;
    return { ...plain, text: stringifyJson(body) };
  }
  const { status = plain.status, contentType, text, headers } = reply;
  return { status, contentType, text, ...(headers && { headers }) };
}
