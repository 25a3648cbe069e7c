/** The webhooks of the API key that somebody acts with. */
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../../api/api.tsx';
import type { Clients } from '../../api/clients.ts';

export type OwnWebhook = Awaited<ReturnType<Clients['service']['listWebhooks']>>['webhooks'][number];

export const webhooksKey = ['dev', 'webhooks'] as const;

export function useWebhooks() {
  const { service } = useClients();
  const query = useQuery({
    queryKey: webhooksKey,
    queryFn: async () => (await service.listWebhooks()).webhooks,
  });
  return { ...query, rows: query.data };
}
