/**
 * How a failure of the service looks to its caller: problem details (RFC 9457) with the fault's name as `code` and
 * the request's id. Every failure passes through here. What is not a `Fault` is a defect of ours: it is answered in
 * general words, and its cause is for the log alone.
 */
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import { faultOfEngine, ProofEngineError } from '@symbolon/core/proofs/proof-engine';
import type { JsonObject } from '@symbolon/wire/json/json';
import { stringifyJson } from '@symbolon/wire/json/json';
import { unstorableText } from '@symbolon/wire/json/storable-text';
import { errorAddress } from '@symbolon/wire/openapi/error-catalogue';
import { DatabaseError, isDatabaseFailing } from '../database/common/database-error.ts';
import { TooManyConnections } from '../http/surplus-connections.ts';
import { UnreadBody } from '../http/unread-body.ts';
import { surplusLimits } from '../limits/server-limits.ts';

export const problemType = 'application/problem+json; charset=utf-8';

const retryAfterSeconds = 1;

/** Any thrown value as a fault. */
export function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof ProofEngineError) return faultOfEngine(error);
  if (error instanceof DatabaseError && error.kind === 'contention')
    return new Fault('overloaded', { cause: error, retryAfterSeconds });
  if (isDatabaseFailing(error)) return new Fault('databaseFailed', { cause: error, retryAfterSeconds });
  // Whatever way it came, such a text is the caller's, and was not kept.
  if (error instanceof DatabaseError && error.kind === 'text')
    return new Fault('requestMalformed', { detail: `the request ${unstorableText}`, cause: error });
  if (error instanceof TooManyConnections)
    return new Fault('overloaded', {
      detail: 'The service has as many connections as it takes',
      cause: error,
      retryAfterSeconds: surplusLimits.retryAfterSeconds,
    });
  if (error instanceof UnreadBody) {
    const { message: detail } = error;
    return new Fault('requestMalformed', { detail, errors: [{ pointer: '', detail }] });
  }
  const { statusCode } = (error ?? {}) as { statusCode?: unknown };
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499)
    return new Fault('internalError', { cause: error });
  return new Fault(frameworkFaults[statusCode] ?? 'requestMalformed', { cause: error });
}

/** What the HTTP framework objects to. */
const frameworkFaults: Readonly<Record<number, FaultName>> = {
  403: 'pageRefused',
  404: 'routeUnknown',
  413: 'bodyTooLarge',
  421: 'hostUnknown',
};

const textCharsMax = 500;

/** A complaint that repeats what it complains about is no longer than this. */
const cut = (text: string): string => (text.length > textCharsMax ? `${text.slice(0, textCharsMax)}…` : text);

export function problemDetails(fault: Fault, requestId: string): JsonObject {
  return {
    type: `urn:symbolon:fault:${fault.code}`,
    title: fault.title,
    status: fault.status,
    code: fault.code,
    detail: cut(fault.message),
    ...(fault.errors.length > 0 && {
      errors: fault.errors.map(({ pointer, detail }) => ({ pointer: cut(pointer), detail: cut(detail) })),
    }),
    hint: fault.hint,
    help: errorAddress(fault.code),
    requestId,
    // Members of their own, as RFC 9457 has it: what the caller needs to go on.
    ...fault.facts,
  };
}

export const problemText = (fault: Fault, requestId: string): string =>
  stringifyJson(problemDetails(fault, requestId));

const wordsByStatus: Readonly<Record<number, string>> = {
  408: 'the request took too long to arrive',
  431: 'address and headers are too large',
};

/** For what was never understood as a request, so that it has no id either. */
export function brokenProblemText(status: number): string {
  const fault = new Fault('requestMalformed', { detail: wordsByStatus[status] });
  const { requestId: _none, ...told } = problemDetails(fault, '');
  return stringifyJson({ ...told, status });
}

/** Headers that go with a fault. */
export function faultHeaders(fault: Fault): Record<string, string> {
  return {
    ...(fault.code === 'notAuthenticated' && { 'www-authenticate': 'Bearer realm="symbolon"' }),
    ...(fault.retryAfterSeconds !== undefined && { 'retry-after': String(fault.retryAfterSeconds) }),
  };
}
