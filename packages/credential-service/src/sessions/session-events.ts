/**
 * Who waits for what happens in verification sessions: bounded in number, woken when this process changes a session,
 * and looking by themselves from time to time for what another replica did.
 */
import { sessionLimits as limits } from '@symbolon/core/limits/waiting';
import { createStreamPlaces, type StreamPlaces } from './stream-places.ts';

export interface SessionEvents extends StreamPlaces {
  /** Wakes whoever waits for this session. */
  changed(sessionId: string): void;
  /** Until the session changes, the time is over or the signal says so. */
  wait(sessionId: string, ms: number, signal?: AbortSignal): Promise<void>;
}

export function createSessionEvents(): SessionEvents {
  const waiting = new Map<string, Set<() => void>>();

  return {
    ...createStreamPlaces(limits),
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
  };
}
