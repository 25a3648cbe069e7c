/** What an issuer has set for its templates, read back: prices and who gets credentials at once. */

import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { readPages } from '@symbolon/sdk/service/pages';
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../../../../api/api.tsx';

const limit = String(credentialRequestLimits.pageItemsMax);
/** Pages that are read for one template's row: more rows than any issuer has. */
const pagesMax = 20;

interface SettingsPage<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor?: string | undefined;
}

/** The row of one template; null where there is none. */
async function rowOf<Row extends { readonly templateId: string }>(
  templateId: string,
  ask: (page: { readonly limit: string; readonly cursor?: string }) => Promise<SettingsPage<Row>>,
): Promise<Row | null> {
  const pages = readPages({
    ask: (cursor) => ask({ limit, ...(cursor !== undefined && { cursor }) }),
    next: ({ nextCursor }) => nextCursor,
    pagesMax,
  });
  for await (const { rows } of pages) {
    const found = rows.find((row) => row.templateId === templateId);
    if (found) return found;
  }
  return null;
}

export const priceQueryKey = (templateId: string) => ['service', 'price', templateId] as const;
export const autoIssueQueryKey = (templateId: string) => ['service', 'auto-issue', templateId] as const;

export function usePrice(templateId: string) {
  const { service } = useClients();
  return useQuery({
    queryKey: priceQueryKey(templateId),
    queryFn: () =>
      rowOf(templateId, async (page) => {
        const { prices, nextCursor } = await service.listPrices(page);
        return { rows: prices, nextCursor };
      }),
  });
}

export function useAutoIssue(templateId: string) {
  const { service } = useClients();
  return useQuery({
    queryKey: autoIssueQueryKey(templateId),
    queryFn: () =>
      rowOf(templateId, async (page) => {
        const { policies, nextCursor } = await service.listAutoIssue(page);
        return { rows: policies, nextCursor };
      }),
  });
}
