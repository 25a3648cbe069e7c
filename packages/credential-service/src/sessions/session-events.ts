/**
 * Who waits for what happens in verification sessions: bounded in number, woken when this process changes a session,
 * and looking by themselves from time to time for what another replica did.
 */
import { Fault } from '@symbolon/core/faults/faults';
import { sessionLimits as limits } from '@symbolon/core/limits/waiting';

export interface SessionEvents {
  /** Wakes whoever waits for this session. */
  changed(sessionId: string): void;
  /** Until the session changes, the time is over or the signal says so. */
  wait(sessionId: string, ms: number, signal?: AbortSignal): Promise<void>;
  /** A place for one stream; throws `tooManyRequests`. What it answers gives the place back, once. */
  enter(keyId: string): () => void;
}

export function createSessionEvents(): SessionEvents {
  const waiting = new Map<string, Set<() => void>>();
  const streamsByKey = new Map<string, number>();
  let streams = 0;

  return {
    changed(sessionId) {
      for (const wake of waiting.get(sessionId) ?? []) wake();
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
    enter(keyId) {
      const own = streamsByKey.get(keyId) ?? 0;
      if (streams >= limits.streamsMax || own >= limits.streamsPerKeyMax)
        throw new Fault('tooManyRequests', { detail: 'There are too many streams', retryAfterSeconds: 5 });
      streams += 1;
      streamsByKey.set(keyId, own + 1);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        streams -= 1;
        const left = (streamsByKey.get(keyId) ?? 1) - 1;
        if (left === 0) streamsByKey.delete(keyId);
        else streamsByKey.set(keyId, left);
      };
    },
  };
}
