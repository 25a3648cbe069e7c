/**
 * What goes on for a session and ends with it: streams learn at once that their reader has signed out, at this process
 * or at another replica that says so. What is not heard they find out by looking (`stream-reader.ts`).
 */
import type { DatabaseSignals } from '@symbolon/host/database/common/database';

export interface SessionEnds {
  /** Aborted when the session ends; forgotten when `signal` says that nobody listens any more. */
  signalOf(session: string, signal: AbortSignal): AbortSignal;
  tell(session: string): void;
}

const word = 'signedOut ';

export function createSessionEnds(signals?: DatabaseSignals): SessionEnds {
  const waiting = new Map<string, Set<AbortController>>();
  const endAll = (session: string): void => {
    for (const end of waiting.get(session) ?? []) end.abort();
  };
  signals?.listen((said) => {
    if (said.startsWith(word)) endAll(said.slice(word.length));
  });
  return {
    signalOf(session, signal) {
      const end = new AbortController();
      const own = waiting.get(session) ?? new Set();
      waiting.set(session, own.add(end));
      const forget = (): void => {
        own.delete(end);
        if (own.size === 0 && waiting.get(session) === own) waiting.delete(session);
      };
      if (signal.aborted) forget();
      else signal.addEventListener('abort', forget, { once: true });
      return end.signal;
    },
    tell(session) {
      if (signals) signals.say(`${word}${session}`);
      else endAll(session);
    },
  };
}
