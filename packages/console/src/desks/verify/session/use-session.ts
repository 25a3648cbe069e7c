/** A session as it stands, and what happens in it as it happens: the stream says when to read it again. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClients } from '../../../api/api.tsx';
import { withStreamPlace } from '../../../api/shared-stream.ts';

export interface HeardEvent {
  readonly status: string;
  /** When this browser heard of it, in milliseconds since 1970. */
  readonly at: number;
}

export interface HeardEvents {
  readonly heard: readonly HeardEvent[];
  readonly line: 'connecting' | 'connected' | 'lost';
}

export const sessionKey = (id: string): readonly string[] => ['verify', 'session', id];

export function useSession(id: string) {
  const { service } = useClients();
  return useQuery({ queryKey: sessionKey(id), queryFn: () => service.getVerification({ id }) });
}

/** Where too many tabs of this browser listen already. */
const askedAgainMs = 2_000;

const silent: HeardEvents = { heard: [], line: 'connecting' };

/** Listens while the session is open. */
export function useSessionEvents(id: string, isListening: boolean): HeardEvents {
  const { service } = useClients();
  const queries = useQueryClient();
  const [events, setEvents] = useState(silent);
  useEffect(() => {
    if (!isListening) return undefined;
    const stop = new AbortController();
    const hear = (status: string): void => {
      setEvents(({ heard }) => ({
        line: 'connected',
        heard: withHeard(heard, { status, at: Date.now() }),
      }));
      void queries.invalidateQueries({ queryKey: sessionKey(id) });
    };
    const follow = async (): Promise<void> => {
      for await (const { status } of service.watchVerification({ id }, { signal: stop.signal })) hear(status);
    };
    const listen = async (): Promise<void> => {
      while (!(await withStreamPlace(follow))) {
        hear((await service.getVerification({ id }, { signal: stop.signal })).status);
        await new Promise((resolve) => setTimeout(resolve, askedAgainMs));
        stop.signal.throwIfAborted();
      }
    };
    listen().catch(() => {
      // Whoever stopped it knows. A lost stream is said, and the session is read again when somebody asks.
      if (!stop.signal.aborted) setEvents(({ heard }) => ({ heard, line: 'lost' }));
    });
    return () => stop.abort();
  }, [id, isListening, queries, service]);
  return events;
}

const withHeard = (heard: readonly HeardEvent[], event: HeardEvent): readonly HeardEvent[] =>
  heard.some(({ status }) => status === event.status) ? heard : [...heard, event];
