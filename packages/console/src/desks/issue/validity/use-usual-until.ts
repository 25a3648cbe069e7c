/** Until when credentials of a template are valid unless somebody says otherwise: one rule wherever they are issued. */
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useClients } from '../../../api/api.tsx';
import { issuerKey } from '../../../api/issuer-counts.ts';
import { commonUntil, type UsualUntil, usualUntil } from './read-validity.ts';

/**
 * Undefined until the last one of each template is known, or that it cannot be. What was shown stays: others issue
 * meanwhile, and nobody signs another day than the one that was read.
 */
export function useUsualUntil(templateIds: readonly string[]): UsualUntil | undefined {
  const { service } = useClients();
  const [now] = useState(Date.now);
  const [shown, show] = useState<{ readonly of: string; readonly usual: UsualUntil }>();
  const lasts = useQueries({
    queries: [...new Set(templateIds)].map((templateId) => ({
      queryKey: [issuerKey, 'last-validity', templateId],
      queryFn: async () =>
        (await service.listIssued({ templateId, limit: '1' })).issued[0]?.validUntil ?? null,
    })),
  });
  const of = [...new Set(templateIds)].sort().join(' ');
  if (shown?.of === of) return shown.usual;
  // What was kept from before may be of long ago.
  if (lasts.some(({ isFetching }) => isFetching)) return undefined;
  const usual = commonUntil(lasts.map(({ data }) => usualUntil(data ?? null, now)));
  show({ of, usual });
  return usual;
}
