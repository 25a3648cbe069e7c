/** What waits for whoever sits here, by the place where it does. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { calm } from '../api/calm.ts';
import { issuerCountsKey, useIssuerCounts } from '../api/issuer-counts.ts';
import { useIssuerNews } from '../api/issuer-news.ts';
import type { PlaceName } from '../navigation/places.ts';

export type PlaceCounts = Partial<Readonly<Record<PlaceName, number>>>;

export function usePlaceCounts(): PlaceCounts {
  const { data } = useIssuerCounts();
  return data ? { applications: data.applications.Pending } : {};
}

/** A table may be issued at many rows a second. */
const oftenMs = 1_000;

/** Keeps it true, by what the service tells. Called once, by the sidebar. */
export function usePlaceNews(): void {
  const queries = useQueryClient();
  const { isEnabled } = useIssuerCounts();
  const renewal = useMemo(
    () => calm(() => void queries.invalidateQueries({ queryKey: issuerCountsKey }), oftenMs),
    [queries],
  );
  useEffect(() => renewal.end, [renewal]);
  useIssuerNews({
    isWanted: isEnabled,
    onEvent: ({ event }) => {
      if (/^(application|credential)\./.test(event)) renewal.want();
    },
    onGap: renewal.want,
  });
}
