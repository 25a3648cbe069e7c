/**
 * Who waits for what happens in verification sessions: bounded in number, woken when this process changes a session or
 * another replica says that it has, and looking by themselves from time to time for what nobody was heard to say.
 */
import { sessionLimits as limits } from '@symbolon/core/limits/waiting';
import type { DatabaseSignals } from '@symbolon/host/database/common/database';
import { createStreamPlaces, type StreamPlaces } from './stream-places.ts';

export interface SessionEvents extends StreamPlaces {
  /** Wakes whoever waits for this session. */
  changed(sessionId: string): void;
  /** Until the session changes, the time is over or the signal says so. */
  wait(sessionId: string, ms: number, signal?: AbortSignal): Promise<void>;
}

const word = 'session ';

export function createSessionEvents(signals?: DatabaseSignals): SessionEvents {
  const waiting = new Map<string, Set<() => void>>();
  const wakeAll = (sessionId: string): void => {
    for (const wake of waiting.get(sessionId) ?? []) wake();
  };
  signals?.listen((said) => {
    if (said.startsWith(word)) wakeAll(said.slice(word.length));
  });

  return {
    ...createStreamPlaces(limits),
    changed(sessionId) {
      if (signals) signals.say(`${word}${sessionId}`);
      else wakeAll(sessionId);
    },
    wait: (sessionId, ms, signal) =>
      new Promise((resolve) => {
        const wakers = waiting.get(sessionId) ?? new Set();
        waiting.set(sessionId, wakers);
        const wake = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', wake);
          wakers.delete(wake);
          if (wakers.size === 0 && waiting.get(sessionId) === wakers) waiting.delete(sessionId);
          resolve();
        };
        const timer = setTimeout(wake, ms).unref();
        wakers.add(wake);
        signal?.addEventListener('abort', wake, { once: true });
        if (signal?.aborted) wake();
      }),
  };
}
