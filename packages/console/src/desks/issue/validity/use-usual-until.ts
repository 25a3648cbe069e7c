/** Until when credentials of a template are valid unless somebody says otherwise: one rule wherever they are issued. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClients } from '../../../api/api.tsx';
import { issuerKey } from '../../../api/issuer-counts.ts';
import { type UsualUntil, usualUntil } from './read-validity.ts';

/** `templateId`: undefined where they are of several. Undefined until the last one is known. */
export function useUsualUntil(templateId: string | undefined): UsualUntil | undefined {
  const { service } = useClients();
  const [now] = useState(Date.now);
  const { data, isLoading } = useQuery({
    queryKey: [issuerKey, 'last-validity', templateId],
    queryFn: async () =>
      (await service.listIssued({ templateId: templateId ?? '', limit: '1' })).issued[0]?.validUntil ?? null,
    enabled: templateId !== undefined,
  });
  return isLoading ? undefined : usualUntil(data ?? null, now);
}
