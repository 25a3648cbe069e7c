/**
 * What happens to the issuer's applications and credentials, as the service tells it. Lists are read again when
 * something happened and not all the time, because every reading of a list that names holders is in the audit log.
 */
import type { ServiceEvent } from '@symbolon/wire/events/service-events';
import { useEffect, useRef } from 'react';
import { useChair, useClients, useConnection } from './api.tsx';
import { followStream } from './follow-stream.ts';

export interface IssuerNews {
  /** Left out, or whether anything is to be heard. */
  readonly isWanted?: boolean;
  readonly onEvent: (event: ServiceEvent) => void;
  /** Something may have happened that nobody told. */
  readonly onGap: () => void;
}

/** Tells what happens as long as the part is there. */
export function useIssuerNews(news: IssuerNews): void {
  const { service } = useClients();
  const { signedIn } = useChair();
  const { state } = useConnection();
  const reader = useRef(news);
  reader.current = news;
  const did = state === 'lost' || news.isWanted === false ? undefined : signedIn?.did;
  useEffect(() => {
    if (did === undefined) return undefined;
    return followStream({
      name: `events of ${did}`,
      open: (signal) => service.watchEvents({}, { signal }),
      onEvent: (event) => reader.current.onEvent(event),
      onGap: () => reader.current.onGap(),
    });
  }, [did, service]);
}
