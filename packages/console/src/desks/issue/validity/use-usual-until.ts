/** Until when credentials of a template are valid unless somebody says otherwise: one rule wherever they are issued. */
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useClients } from '../../../api/api.tsx';
import { issuerKey } from '../../../api/issuer-counts.ts';
import { commonUntil, type UsualUntil, usualUntil } from './read-validity.ts';

/** Undefined until the last one of each template is known, or that it cannot be. */
export function useUsualUntil(templateIds: readonly string[]): UsualUntil | undefined {
  const { service } = useClients();
  const [now] = useState(Date.now);
  const lasts = useQueries({
    queries: [...new Set(templateIds)].map((templateId) => ({
      queryKey: [issuerKey, 'last-validity', templateId],
      queryFn: async () =>
        (await service.listIssued({ templateId, limit: '1' })).issued[0]?.validUntil ?? null,
    })),
  });
  if (lasts.some(({ isLoading }) => isLoading)) return undefined;
  return commonUntil(lasts.map(({ data }) => usualUntil(data ?? null, now)));
}
