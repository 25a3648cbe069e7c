/** Which rows of a table have something to issue: an application that waits, or one that the row names itself. */
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../../../api/api.tsx';
import { waitingByHolder } from './bulk-run.ts';
import type { FitRow } from './table-check.ts';

export interface WaitingRows {
  /** Undefined until it is known. */
  readonly isReady: ((row: FitRow) => boolean) | undefined;
  readonly error: unknown;
  readonly again: () => void;
}

export function useWaiting(templateId: string, rows: readonly FitRow[]): WaitingRows {
  const { service } = useClients();
  const isAsked = rows.some(({ application }) => application === undefined);
  const { data, error, refetch } = useQuery({
    queryKey: ['service', 'waiting', templateId],
    queryFn: () => waitingByHolder(service, templateId),
    enabled: isAsked,
  });
  const isKnown = !isAsked || data !== undefined;
  return {
    isReady: isKnown
      ? ({ application, holder = '' }) => application !== undefined || data?.has(holder) === true
      : undefined,
    error: isKnown ? undefined : error,
    again: () => void refetch(),
  };
}
