/**
 * Server-sent events of a route as something to iterate over: one value an event, checked like any reply. A broken
 * connection is opened again, told which event was the last that arrived; the iteration ends with the event that the
 * row names as the last, where there is one, and with the reader who stops.
 */

import { openingEvent } from '@symbolon/wire/events/service-events';
import { type JsonValue, parseJsonOrNothing } from '@symbolon/wire/json/json';
import { SdkError } from '../errors/errors.ts';
import { isPassing } from '../errors/passing.ts';
import { ServiceError } from '../errors/service-error.ts';
import { clientLimits as limits } from '../limits/client-limits.ts';
import { createEventReader, type ServerSentEvent } from './server-sent-events.ts';
import {
  type CallOptions,
  checkedReply,
  type RouteOrder,
  refuseIfRefused,
  requestOf,
} from './service-call.ts';
import {
  type ServiceRequest,
  type ServiceStream,
  type ServiceTransport,
  strangerHint,
} from './service-transport.ts';
import { pause } from './waiting.ts';

export type StreamOptions = Omit<CallOptions, 'idempotencyKey'>;

export async function* streamRoute(
  transport: ServiceTransport,
  order: RouteOrder,
): AsyncGenerator<JsonValue, void, undefined> {
  const { stream } = transport;
  if (!stream) {
    const hint = 'Make the client with the address of the service.';
    throw new SdkError('invalidArgument', 'this transport carries no streams', { hint });
  }
  const { name, route, signal } = order;
  const request = requestOf({ ...order, headers: { ...order.headers, accept: 'text/event-stream' } });
  const place: StreamProgress = { route: name, failures: 0, events: 0, delayMs: limits.reopenDelayMs };
  for (;;) {
    signal?.throwIfAborted();
    let toldMs = 0;
    try {
      for await (const event of eventsOf(stream, request, place)) {
        place.failures = 0;
        // It says where the stream is, which the reader keeps.
        if (event.name === openingEvent) continue;
        // Opened again, a stream begins with what is, which may have been told already.
        if (event.data === place.lastData) continue;
        place.lastData = event.data;
        place.events += 1;
        if (route.lastEvent !== false && place.events > limits.streamEventsMax) throw endless(name);
        yield checkedReply(name, route.reply, parseJsonOrNothing(event.data));
        if (event.name === route.lastEvent) return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isPassing(error) || place.failures >= limits.reopenTriesMax) throw error;
      toldMs = error instanceof ServiceError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
    }
    place.failures += 1;
    if (place.failures > limits.reopenTriesMax) throw endedEarly(name);
    const grownMs = place.delayMs * 2 ** (place.failures - 1);
    await pause(Math.min(Math.max(grownMs, toldMs), limits.reopenDelayMsMax), signal);
  }
}

/** Where a stream is, over all of its connections. */
interface StreamProgress {
  readonly route: string;
  failures: number;
  events: number;
  delayMs: number;
  lastId?: string;
  lastData?: string;
}

async function* eventsOf(
  open: NonNullable<ServiceTransport['stream']>,
  request: ServiceRequest,
  place: StreamProgress,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const { lastId } = place;
  const headers = lastId === undefined ? request.headers : { ...request.headers, 'last-event-id': lastId };
  const answer = await open({ ...request, headers });
  const isStream = answer.status === 200 && answer.contentType.startsWith('text/event-stream');
  const reader = createEventReader(limits.eventBytesMax);
  let refusal = '';
  for await (const chunk of answer.chunks) {
    if (isStream) {
      for (const event of reader.read(chunk)) yield event;
      place.lastId = reader.lastId ?? place.lastId;
      if (reader.retryMs !== undefined) place.delayMs = Math.min(reader.retryMs, limits.reopenDelayMsMax);
    } else {
      refusal += new TextDecoder().decode(chunk);
      if (refusal.length > limits.eventBytesMax) break;
    }
  }
  if (!isStream) refuse(answer, refusal, place.route);
}

/**
 * A service that is overloaded or away for a moment is asked again, also behind a gateway that says so; what it says
 * against the request is final.
 */
function refuse({ chunks: _chunks, ...answer }: ServiceStream, text: string, route: string): never {
  refuseIfRefused({ ...answer, text }, parseJsonOrNothing(text), route);
  const code = gatewayStatuses.includes(answer.status) ? 'unreachable' : 'httpStatus';
  throw new SdkError(code, `the stream of ${route} was answered with status ${answer.status}`, {
    hint: strangerHint,
  });
}

/** Of gateways with nobody behind them. */
const gatewayStatuses = [502, 503, 504];

const endless = (name: string): SdkError =>
  new SdkError('unexpectedReply', `the stream of ${name} does not end`, {
    hint: 'No stream has so many events. Do not trust what this server told.',
  });

const endedEarly = (name: string): SdkError =>
  new SdkError('unreachable', `the stream of ${name} ends before its last event, again and again`, {
    hint: 'Ask for what it is about in another way, or try again later.',
  });
