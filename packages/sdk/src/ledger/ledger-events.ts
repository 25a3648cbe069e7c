/**
 * What happens on a ledger while it happens (docs/ledger.md, "WebSocket"), as something to iterate over: blocks,
 * executed transactions, and what the queue decides about submissions. Works with the platform's own WebSocket, in
 * browsers and on Node alike. A broken connection is opened again and a `gap` says so: what happened meanwhile is for
 * the routes to tell. How frames are read is in `ledger-event-frames.ts`.
 */

import { socketLimits } from '@symbolon/core/limits/requests';
import { currentNumbering, messageTypes } from '@symbolon/wire/ledger/socket-messages';
import { assertMembers, type MembersOf } from '../arguments/exact-arguments.ts';
import { LedgerError, SdkError } from '../errors/errors.ts';
import { clientLimits as limits } from '../limits/client-limits.ts';
import { pause } from '../transport/waiting.ts';
import {
  createFrame,
  type Frame,
  type LedgerEvent,
  parseEventFrame,
  readEvent,
} from './ledger-event-frames.ts';

/** For whoever watches a ledger. */
export interface LedgerWatchOptions {
  /** Transactions that concern one of these; every transaction, if left out. Blocks are always told. */
  readonly addresses?: readonly string[];
  readonly signal?: AbortSignal;
  /** How many events may wait for their reader before the iteration ends with `fellBehind`. */
  readonly eventsWaitingMax?: number;
  readonly WebSocket?: typeof globalThis.WebSocket;
}

const watchMembers: MembersOf<LedgerWatchOptions> = {
  addresses: true,
  signal: true,
  eventsWaitingMax: true,
  WebSocket: true,
};

/** Iterates until its reader stops, or the signal says so (with its reason). The address begins with ws: or wss:. */
export async function* watchLedger(
  socketUrl: string,
  options: LedgerWatchOptions = {},
): AsyncGenerator<LedgerEvent, void, undefined> {
  assertMembers(options, watchMembers, 'options of watching');
  const url = checkedUrl(socketUrl);
  const { signal } = options;
  let failures = 0;
  for (let isFirst = true; ; isFirst = false) {
    signal?.throwIfAborted();
    const connection = connect(url, options);
    try {
      await connection.isReady;
      if (!isFirst) yield { kind: 'gap' };
      failures = 0;
      for (;;) {
        const event = await connection.next();
        if (!event) break;
        yield event;
      }
    } catch (error) {
      signal?.throwIfAborted();
      const isAway = error instanceof SdkError && error.code === 'unreachable';
      if (!isAway || isFirst || failures >= limits.reopenTriesMax) throw error;
    } finally {
      connection.close();
    }
    signal?.throwIfAborted();
    failures += 1;
    await pause(Math.min(limits.reopenDelayMs * 2 ** (failures - 1), limits.reopenDelayMsMax), signal);
  }
}

interface Connection {
  /** Resolves when the subscription is answered. */
  readonly isReady: Promise<void>;
  /** Undefined when the connection is over and everything of it was told. */
  next(): Promise<LedgerEvent | undefined>;
  close(): void;
}

const subscriptionSequence = 1n;

function connect(url: string, options: LedgerWatchOptions): Connection {
  const { addresses = [], signal, eventsWaitingMax = limits.eventsWaitingMax } = options;
  const socket = new (options.WebSocket ?? globalThis.WebSocket)(url);
  socket.binaryType = 'arraybuffer';
  const waiting: LedgerEvent[] = [];
  let failure: Error | undefined;
  let isOver = false;
  let wake: () => void = () => undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const ready = openPromise();

  const end = (error?: Error): void => {
    if (isOver) return;
    isOver = true;
    failure = error;
    clearTimeout(silence);
    signal?.removeEventListener('abort', stop);
    ready.reject(error ?? unreachable(url));
    socket.close();
    wake();
  };
  const stop = (): void => end(signal?.reason instanceof Error ? signal.reason : undefined);
  const hear = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => end(), limits.streamSilenceMs);
  };
  const take = (frame: Frame): void => {
    if (!frame.isRequest && frame.type === currentNumbering.subscribe) {
      if (frame.refusal) return end(new LedgerError(frame.refusal.code, frame.refusal.description, {}));
      return ready.resolve();
    }
    if (!frame.isRequest) return;
    // A node ends connections of which nothing is heard.
    if (frame.type === messageTypes.ping) return socket.send(createFrame.pong(frame));
    const event = readEvent(frame);
    if (event && waiting.length >= eventsWaitingMax) return end(fellBehind(eventsWaitingMax));
    if (event) waiting.push(event);
    wake();
  };

  hear();
  signal?.addEventListener('abort', stop, { once: true });
  socket.addEventListener('open', () =>
    socket.send(createFrame.subscription(addresses, subscriptionSequence)),
  );
  socket.addEventListener('error', () => end());
  socket.addEventListener('close', () => end());
  socket.addEventListener('message', ({ data }: { data: unknown }) => {
    if (isOver) return;
    hear();
    const frame = data instanceof ArrayBuffer ? frameOf(data) : undefined;
    if (frame) take(frame);
    else end(notALedger(url));
  });

  return {
    isReady: ready.promise,
    async next() {
      while (waiting.length === 0 && !isOver) {
        const { promise, resolve } = openPromise();
        wake = resolve;
        await promise;
      }
      const event = waiting.shift();
      if (!event && failure) throw failure;
      return event;
    },
    close: () => end(),
  };
}

/** Decided from outside. */
function openPromise() {
  let resolve: () => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<void>((whenGood, whenBad) => {
    [resolve, reject] = [whenGood, whenBad];
  });
  // Whoever does not wait for it learns of the end by `next`.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

const frameOf = (data: ArrayBuffer): Frame | undefined =>
  data.byteLength > 2 * socketLimits.frameBytesMax ? undefined : parseEventFrame(new Uint8Array(data));

/** Nothing secret belongs into it, because errors name it. */
function checkedUrl(text: string): string {
  const url = URL.parse(text);
  if (url && /^wss?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === '') {
    return url.href;
  }
  const hint = 'Give an address like ws://127.0.0.1:36003; a node says its port in hello.';
  throw new SdkError('invalidArgument', 'this is not an address of a WebSocket', { hint });
}

const unreachable = (url: string): SdkError =>
  new SdkError('unreachable', `no connection with the events at ${url}`, {
    hint: 'Is the node running, and is this its WebSocket address? The command `symbolon node status` tells.',
    address: url,
  });

const notALedger = (url: string): SdkError =>
  new SdkError('unexpectedReply', `what answers at ${url} does not speak like a node`, {
    hint: 'Give the WebSocket address of a node, not that of its HTTP interface.',
  });

const fellBehind = (eventsMax: number): SdkError =>
  new SdkError('fellBehind', `more than ${eventsMax} events wait for their reader`, {
    hint: 'Take events faster: do long work elsewhere, watch fewer addresses, or raise eventsWaitingMax.',
  });
