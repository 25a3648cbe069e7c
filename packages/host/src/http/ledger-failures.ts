/**
 * How a failure that never reached a handler, or came out of one, is answered: a status and an envelope in one place.
 * Causes are logged, never shown: an answer carries a general text and the request's id.
 */
import { codes, type LedgerRefusal, refuse } from '@symbolon/core/ledger/terms/codes';
import { refusalEnvelope } from '@symbolon/wire/http/envelope';
import { stringifyJson } from '@symbolon/wire/json/json';
import { TooManyConnections } from './surplus-connections.ts';
import { UnreadBody } from './unread-body.ts';

export interface HttpFailure {
  readonly status: number;
  readonly refusal: LedgerRefusal;
}

const refusalsByStatus: Readonly<Record<number, LedgerRefusal>> = {
  403: refuse('invalidParameter', 'this web page may not call the node: allowOrigin names those that may'),
  404: refuse('notFound', 'no such route'),
  408: refuse('queueFull', 'the request took too long to arrive: send it again'),
  413: refuse('invalidParameter', 'the body is too large'),
  414: refuse('invalidParameter', 'the address is too long'),
  421: refuse('invalidParameter', 'the node does not go by this name: publicUrl says by which'),
  431: refuse('invalidParameter', 'address and headers are too large'),
};
const badRequest = refuse('invalidParameter', 'the request is malformed');
const tooManyConnections = refuse(
  'queueFull',
  'the node has as many connections as it takes: try again in a moment',
);
export const internalFailure: HttpFailure = {
  status: 500,
  refusal: refuse('internalError', 'internal error'),
};

/** What the HTTP framework objected to: its client errors keep their status, anything else is our defect. */
export function httpFailureOf(error: unknown): HttpFailure {
  if (error instanceof TooManyConnections) return { status: error.statusCode, refusal: tooManyConnections };
  if (error instanceof UnreadBody)
    return { status: error.statusCode, refusal: refuse('invalidParameter', error.message) };
  const { statusCode: status } = (error ?? {}) as { statusCode?: unknown };
  if (typeof status !== 'number' || status < 400 || status > 499) return internalFailure;
  return { status, refusal: refusalsByStatus[status] ?? badRequest };
}

export function failureBody({ refusal }: HttpFailure, requestId?: string): string {
  const envelope = refusalEnvelope(refusal);
  return stringifyJson(requestId === undefined ? envelope : { ...envelope, request_id: requestId });
}

export const isInternal = ({ refusal }: HttpFailure): boolean => refusal.code === codes.internalError;
