/** What was answered to calls with an API key, as the service keeps it. */
import { useClients } from '../../api/api.tsx';
import type { Clients } from '../../api/clients.ts';
import { useCursorPages } from '../../api/cursor-pages.ts';

export type OwnRequest = Awaited<ReturnType<Clients['service']['listRequests']>>['requests'][number];

/** All that is kept of a key, so that a filter leaves nothing out. */
export const requestRows = 200;

export function useLoggedRequests(key: string | undefined) {
  const { service } = useClients();
  return useCursorPages<OwnRequest>(['dev', 'requests', key ?? ''], async (cursor) => {
    const { requests, nextCursor } = await service.listRequests({
      limit: String(requestRows),
      ...(key !== undefined && { key }),
      ...(cursor !== undefined && { cursor }),
    });
    return { rows: requests, next: nextCursor };
  });
}
