/**
 * Reads the bytes of a stream of server-sent events (the WHATWG's format), piece by piece, with a bound on what one
 * event may weigh. What events mean is for whoever reads them.
 */
import { createParser } from 'eventsource-parser';
import { SdkError } from '../errors/errors.ts';

export interface ServerSentEvent {
  readonly name: string;
  readonly data: string;
}

export interface EventReader {
  /** The events that these bytes complete. */
  read(chunk: Uint8Array): ServerSentEvent[];
  /** Of the last event that had one. */
  readonly lastId: string | undefined;
  /** How long the server wants a client to wait before it comes back. */
  readonly retryMs: number | undefined;
}

export function createEventReader(eventBytesMax: number): EventReader {
  const decoder = new TextDecoder();
  let events: ServerSentEvent[] = [];
  let lastId: string | undefined;
  let retryMs: number | undefined;
  const parser = createParser({
    // Of what waits for its end; an event that comes whole is looked at when it is there.
    maxBufferSize: eventBytesMax,
    onEvent({ id, event: name = 'message', data }) {
      if (data.length > eventBytesMax) throw tooLarge(eventBytesMax);
      if (isHeaderValue(id)) lastId = id;
      events.push({ name, data });
    },
    onRetry(ms) {
      // Whatever is longer than eleven days is no wish of a server.
      if (ms < 1_000_000_000) retryMs = ms;
    },
    onError({ type }) {
      // Everything else that it complains about is passed over, as the format wants it.
      if (type === 'max-buffer-size-exceeded') throw tooLarge(eventBytesMax);
    },
  });
  return {
    read(chunk) {
      events = [];
      parser.feed(decoder.decode(chunk, { stream: true }));
      return events;
    },
    get lastId() {
      return lastId;
    },
    get retryMs() {
      return retryMs;
    },
  };
}

/** It is sent back in a header. */
const isHeaderValue = (text: string | undefined): boolean => /^[\x21-\x7e]{1,256}$/.test(text ?? '');

const tooLarge = (bytesMax: number): SdkError =>
  new SdkError('responseTooLarge', `an event of the stream is larger than ${bytesMax} bytes`, {
    hint: 'Is this the address of a credential service?',
  });
