/**
 * One call of a route, from texts to an answer, in a fixed order: open what is sealed, parse, find out who calls,
 * check the shape, look at the idempotency key, run the handler. Every call ends in exactly one answer; a failure is
 * one too. HTTP is the shell's business.
 */
import { assert } from '@symbolon/core/basics/assert';
import { Fault } from '@symbolon/core/faults/faults';
import { sealedContentType } from '@symbolon/wire/http/sealed-envelope';
import type { ServiceEnvelope } from '@symbolon/wire/http/service-envelopes';
import {
  type Call,
  type Caller,
  isStreamReply,
  isTextReply,
  jsonPointer,
  malformed,
  readServiceRequest,
  type ServiceReply,
  type ServiceRoute,
} from '@symbolon/wire/http/service-route';
import { isJsonObject, type JsonValue, stringifyJson } from '@symbolon/wire/json/json';
import { type QueryValues, queryPairs } from '@symbolon/wire/json/query-text';
import { faultHeaders, problemText, problemType } from '../http/problem-details.ts';
import type { SentAnswer } from '../http/server.ts';
import { refuseUnread } from '../http/unread-body.ts';
import {
  fingerprintOf,
  type IdempotencyStore,
  type IdempotencyVerdict,
  type KeptAnswer,
  readIdempotencyKey,
} from './idempotency-keys.ts';
import type { SealedLayer } from './sealed-layer.ts';
import { type Access, rateCaller } from './service-access.ts';
import { bodyReaders } from './service-body.ts';

export type AnyHandler = (request: unknown, call: Call) => Promise<ServiceReply>;

export interface BoundServiceRoute {
  readonly name: string;
  readonly route: ServiceRoute;
  readonly handler: AnyHandler;
  /** The path's pattern when this is the sealed form of the route. */
  readonly sealedPath?: string;
}

/** What is known of the caller before the body was read. */
export interface Identified {
  readonly caller?: Caller;
  /** Told only inside the seal. */
  readonly fault?: Fault;
}

export interface ArrivedCall {
  readonly requestId: string;
  readonly address: string;
  readonly identified: Identified;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly params: Readonly<Record<string, string>>;
  readonly queryText: string;
  readonly bodyText?: string;
  readonly signal: AbortSignal;
  readonly whenAnswered?: Call['whenAnswered'];
}

/** What a handler answered. */
type Answered = Omit<SentAnswer<string>, 'code'>;

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

export function createCallRunner(options: CallRunnerOptions): CallRunner {
  const perform = performer(options);

  const answer: CallRunner = async (bound, arrived) => {
    const rateLimited: Record<string, string> = {};
    try {
      const reply = await perform(bound, arrived, rateLimited);
      return { ...reply, headers: { ...rateLimited, ...reply.headers }, code: 'ok' };
    } catch (error) {
      const fault = options.explain(error, arrived.requestId, bound.name);
      const refusal = failureAnswer(fault, arrived.requestId, bound.route.envelope);
      return { ...refusal, headers: { ...rateLimited, ...refusal.headers } };
    }
  };

  return async (bound, arrived) => {
    const { seal } = options;
    if (bound.sealedPath === undefined || !seal) return answer(bound, arrived);
    const { headers, bodyText: body = '' } = arrived;
    const opened = await seal
      .open({ path: bound.sealedPath, headers, body })
      .catch((error: unknown) => ({ error }));
    if ('error' in opened) {
      const fault = options.explain(opened.error, arrived.requestId, bound.name);
      // In no envelope: the same answer on every route, and a client knows it from a sealed one by its status.
      return failureAnswer(fault, arrived.requestId);
    }
    // The seal has found it to be text, so that an empty one is none.
    const bodyText = opened.bodyText === '' ? undefined : opened.bodyText;
    const inner = await answer(bound, { ...arrived, bodyText });
    assert(inner.chunks === undefined, 'a stream cannot be sealed');
    return { ...inner, contentType: sealedContentType, text: opened.sealAnswer(inner.text) };
  };
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
  const { status, body } = envelope.failure(fault, requestId);
  return { status, contentType: jsonType, text: stringifyJson(body), headers, code };
}

type Performer = (
  bound: BoundServiceRoute,
  arrived: ArrivedCall,
  rateLimited: Record<string, string>,
) => Promise<Answered>;

function performer({ access, idempotency, onReplay, explain }: CallRunnerOptions): Performer {
  return async ({ name, route, handler }, arrived, rateLimited) => {
    const { identified, requestId, params, bodyText, headers } = arrived;
    if (identified.fault) throw identified.fault;
    let parsed: JsonValue | undefined;
    const readBody = () => {
      if (route.body) parsed ??= bodyReaders[route.bodyKind ?? 'json'](bodyText);
      else refuseUnread(bodyText, Object.keys(route.query?.shape ?? {}));
      return parsed;
    };
    const caller =
      identified.caller ?? (await callerByBody(access, route, { arrived, readBody, rateLimited }));
    if (route.isKeyInBody) access.tokenOf(headers, keyIn(readBody()));
    const query = readQuery(arrived.queryText);
    const request = readServiceRequest(route, { params, query, body: readBody() });
    const key = idempotencyKeyOf(route, headers);
    const call: Call = {
      caller,
      requestId,
      signal: arrived.signal,
      ...(arrived.whenAnswered && { whenAnswered: arrived.whenAnswered }),
      ...(key !== undefined && { idempotencyKey: key }),
      ...(bodyText !== undefined && { rawBody: bodyText }),
      header: (name) => {
        const given = headers[name];
        return typeof given === 'string' ? given : undefined;
      },
    };
    const run = async () => answerOf(await handler(request, call), route.envelope);

    if (key === undefined || !idempotency) return run();
    const fingerprint = fingerprintOf(name, [JSON.stringify(params), JSON.stringify(query), bodyText]);
    const verdict = await idempotency.begin({ key, caller: rateCaller(caller), fingerprint });
    if (verdict.outcome === 'replay') await onReplay?.({ route: name, caller, request });
    return once(verdict, run, (error) => explain(error, requestId, name));
  };
}

/** Every parameter once. */
function readQuery(text: string): QueryValues {
  const values = new Map<string, string>();
  for (const [name, value] of queryPairs(text)) {
    if (values.has(name))
      throw malformed([{ pointer: jsonPointer(['query', name]), detail: 'is given twice' }]);
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

const keyIn = (body: JsonValue | undefined): string | undefined =>
  isJsonObject(body) && typeof body.authorization === 'string' ? body.authorization : undefined;

interface BodyIdentification {
  readonly arrived: ArrivedCall;
  readonly readBody: () => JsonValue | undefined;
  readonly rateLimited: Record<string, string>;
}

/** A caller who sends a key relies on it, so a route that would do the same again refuses it; the others ignore it. */
function idempotencyKeyOf(
  { isIdempotent, isMadeAnew }: ServiceRoute,
  headers: ArrivedCall['headers'],
): string | undefined {
  const key = readIdempotencyKey(headers['idempotency-key']);
  if (isMadeAnew && key !== undefined)
    throw new Fault('requestMalformed', { detail: 'the header Idempotency-Key is not taken by this route' });
  return isIdempotent ? key : undefined;
}

/** The key stands in the body, so the call is counted only now; one without a valid key counts for its address. */
async function callerByBody(
  access: Access,
  route: ServiceRoute,
  { arrived, readBody, rateLimited }: BodyIdentification,
): Promise<Caller> {
  const { address } = arrived;
  const count = (caller: Caller): void => {
    const { headers, fault } = access.count(rateCaller(caller), route);
    Object.assign(rateLimited, headers);
    if (fault) throw fault;
  };
  let caller: Caller;
  try {
    caller = await access.identify(access.tokenOf({}, keyIn(readBody())), route, address);
  } catch (error) {
    // A call too many is refused as that, whatever else is wrong with it.
    count({ address, scopes: new Set() });
    throw error;
  }
  count(caller);
  return caller;
}

async function once(
  verdict: IdempotencyVerdict,
  run: () => Promise<Answered>,
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
        const answered = await run();
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

function answerOf(reply: ServiceReply, envelope?: ServiceEnvelope): Answered {
  if (isStreamReply(reply)) {
    const { contentType, chunks, headers } = reply;
    return { status: 200, contentType, text: '', chunks, ...(headers && { headers }) };
  }
  if (!isTextReply(reply)) {
    const body = envelope ? envelope.success(reply) : reply;
    return { status: 200, contentType: jsonType, text: stringifyJson(body) };
  }
  const { status = 200, contentType, text, headers } = reply;
  return { status, contentType, text, ...(headers && { headers }) };
}
