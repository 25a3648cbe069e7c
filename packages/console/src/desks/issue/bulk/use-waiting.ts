/** Which rows of a table have something to issue: an application that waits, found by whose it is or named by the row. */
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
  const { data, error, refetch } = useQuery({
    queryKey: ['service', 'waiting', templateId],
    queryFn: () => waitingByHolder(service, templateId),
    enabled: rows.length > 0,
  });
  const ids = data && new Set(data.values());
  return {
    isReady:
      data &&
      (({ application, holder = '' }) =>
        application === undefined ? data.has(holder) : ids?.has(application) === true),
    error: data ? undefined : error,
    again: () => void refetch(),
  };
}
