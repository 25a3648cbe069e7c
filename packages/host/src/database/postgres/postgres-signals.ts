/**
 * Short words between the processes on one PostgreSQL, by LISTEN and NOTIFY: said a moment later, several at once,
 * outside of every transaction, because a commit that notifies waits for all others that do. Words may get lost, while
 * the connection that hears them is cut for one: whoever waits for one looks by itself from time to time.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseLimits as limits } from '../../limits/server-limits.ts';
import type { DatabaseSignals } from '../common/database.ts';

const channel = 'symbolon';

export interface SignalOptions {
  /** Of the connection that hears. */
  readonly connection: pg.ClientConfig;
  /** Hands a notification to the server. */
  readonly notify: (channel: string, payload: string) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

export interface PostgresSignals extends DatabaseSignals {
  /** Says what is still to be said, and hears no more. */
  close(): Promise<void>;
}

export function createPostgresSignals({ connection, notify, onError }: SignalOptions): PostgresSignals {
  const own = randomBytes(8).toString('hex');
  const listeners: ((word: string) => void)[] = [];
  const toSay = new Set<string>();
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let hearing: Promise<void> | undefined;

  const tell = (word: string): void => {
    for (const hear of listeners) hear(word);
  };

  const sayAll = async (): Promise<void> => {
    timer = undefined;
    const payloads = payloadsOf(own, [...toSay]);
    toSay.clear();
    for (const payload of payloads) await notify(channel, payload);
  };

  const receive = ({ payload = '' }: pg.Notification): void => {
    const [sender, ...words] = payload.split('\n');
    if (sender !== own) for (const word of words) tell(word);
  };

  /** Ends with the connection, or with the signal. */
  const hearOnce = async (): Promise<void> => {
    const client = new pg.Client(connection);
    const ended = new Promise<void>((resolve) => {
      client.once('end', resolve);
      ending.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    client.on('error', onError);
    client.on('notification', receive);
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      await ended;
    } finally {
      await client.end().catch(() => undefined);
    }
  };

  const hearOn = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await hearOnce().catch(onError);
      await sleep(limits.signalRetryMs, undefined, { signal: ending.signal, ref: false }).catch(
        () => undefined,
      );
    }
  };

  return {
    say(word) {
      tell(word);
      if (ending.signal.aborted || toSay.size >= limits.signalsMax) return;
      toSay.add(word);
      timer ??= setTimeout(() => void sayAll().catch(onError), limits.signalMs).unref();
    },
    listen(hear) {
      listeners.push(hear);
    },
    open() {
      hearing ??= hearOn();
    },
    async close() {
      ending.abort();
      clearTimeout(timer);
      await sayAll().catch(onError);
      await hearing;
    },
  };
}

/** Words behind the name of who says them, a line each; the server takes less than 8,000 bytes at a time. */
function payloadsOf(own: string, words: readonly string[]): string[] {
  const payloads: string[] = [];
  let payload = own;
  for (const word of words) {
    const bytes = Buffer.byteLength(word);
    // What has no room is a mistake of whoever says it; it must not cost the others theirs.
    if (bytes > limits.signalBytesMax || word.includes('\n')) continue;
    if (Buffer.byteLength(payload) + 1 + bytes > limits.signalPayloadBytesMax) {
      payloads.push(payload);
      payload = own;
    }
    payload += `\n${word}`;
  }
  return payload === own ? payloads : [...payloads, payload];
}
