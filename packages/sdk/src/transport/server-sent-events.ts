/**
 * Reads the bytes of a stream of server-sent events (the WHATWG's format), piece by piece, with a bound on what one
 * event may weigh. What events mean is for whoever reads them.
 */
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
  let rest = '';
  let event = noEvent();
  let lastId: string | undefined;
  let retryMs: number | undefined;

  const take = (line: string): ServerSentEvent[] => {
    if (line === '') {
      const { name, lines } = event;
      event = noEvent();
      return lines.length === 0 ? [] : [{ name, data: lines.join('\n') }];
    }
    const [, field, value] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    event.size += line.length;
    if (field === 'data') event.lines.push(value ?? '');
    else if (field === 'event') event.name = value ?? '';
    else if (field === 'id' && isHeaderValue(value)) lastId = value;
    else if (field === 'retry' && /^[0-9]{1,9}$/.test(value ?? '')) retryMs = Number(value);
    return [];
  };

  return {
    read(chunk) {
      const events: ServerSentEvent[] = [];
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        events.push(...take(line.endsWith('\r') ? line.slice(0, -1) : line));
        if (event.size > eventBytesMax) throw tooLarge(eventBytesMax);
      }
      if (rest.length > eventBytesMax) throw tooLarge(eventBytesMax);
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

const noEvent = () => ({ name: 'message', lines: [] as string[], size: 0 });

/** It is sent back in a header. */
const isHeaderValue = (text: string | undefined): boolean => /^[\x21-\x7e]{1,256}$/.test(text ?? '');

const tooLarge = (bytesMax: number): SdkError =>
  new SdkError('responseTooLarge', `an event of the stream is larger than ${bytesMax} bytes`, {
    hint: 'Is this the address of a credential service?',
  });
