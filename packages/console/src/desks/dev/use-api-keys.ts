/** The API keys of one's own party, a page at a time. */
import { useClients } from '../../api/api.tsx';
import type { Clients } from '../../api/clients.ts';
import { useCursorPages } from '../../api/cursor-pages.ts';

export type OwnApiKey = Awaited<ReturnType<Clients['service']['listApiKeys']>>['keys'][number];

/** Of a page. */
export const keyRows = 50;

export function useApiKeys() {
  const { service } = useClients();
  return useCursorPages<OwnApiKey>(['dev', 'keys'], async (cursor) => {
    const { keys, nextCursor } = await service.listApiKeys({
      limit: String(keyRows),
      ...(cursor !== undefined && { cursor }),
    });
    return { rows: keys, next: nextCursor };
  });
}
