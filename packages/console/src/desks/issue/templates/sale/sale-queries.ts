/** What an issuer has set for its templates, read back: prices and who gets credentials at once; units of prices. */

import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { LedgerError } from '@symbolon/sdk/errors/errors';
import { usualKeyFormat } from '@symbolon/sdk/keys/usual-keys';
import { readPages } from '@symbolon/sdk/service/pages';
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../../../../api/api.tsx';
import { readTokenUnit, type TokenUnit } from './token-unit.ts';

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

/** The number of `query` in `callContract`. */
const queryEntry = 2;

/** Undefined as long as it is not known; null where there is no token at the address. */
export function useTokenUnit(address: string): TokenUnit | null | undefined {
  const { ledger } = useClients();
  const isAddress = usualKeyFormat.isAddress(address);
  const { data } = useQuery({
    queryKey: ['ledger', 'token-unit', address],
    queryFn: async () => {
      try {
        const asked = { contract_address: address, opt_type: queryEntry, input: '{"method":"contractInfo"}' };
        return readTokenUnit(await ledger.callContract(asked));
      } catch (error) {
        // No contract, or one that throws: not a token. Whoever does not answer has said neither.
        if (error instanceof LedgerError) return null;
        throw error;
      }
    },
    enabled: isAddress,
  });
  return isAddress || address === '' ? data : null;
}
