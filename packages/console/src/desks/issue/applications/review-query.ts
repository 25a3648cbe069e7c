/** All that a reviewer has to know of one application, with what can be found out about it. */
import { verifyApplication } from '@symbolon/sdk/verification/applications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useClients } from '../../../api/api.tsx';
import { askConfig } from '../../../api/console-config.ts';
import { issuerKey } from '../../../api/issuer-counts.ts';
import { typedOf } from './value-rows.ts';

/** Reading one is in the audit log, so it is not read again merely because somebody comes back to the window. */
const reviewFreshMs = 60_000;

/** Undefined for none. */
export function useReview(vcId: string | undefined) {
  const { service } = useClients();
  const queries = useQueryClient();
  return useQuery({
    queryKey: [issuerKey, 'application', vcId ?? ''],
    enabled: vcId !== undefined,
    staleTime: reviewFreshMs,
    refetchOnWindowFocus: false,
    queryFn: async () => {
      const shown = await service.getApplication({ vcId: vcId ?? '' });
      const { templateId, templateVersion, holder } = shown;
      const [template, held, config] = await Promise.all([
        service.getTemplate({ templateId, version: templateVersion }),
        service.listIssued({ holder, templateId, status: 'Active', limit: '1' }),
        askConfig(queries, service),
      ]);
      const applied = typedOf(
        Object.fromEntries((shown.metadata ?? []).map(({ key, value }) => [key, value])),
      );
      const signed = await verifyApplication(shown, { audience: config.publicUrl }).then(
        (read) => ({ isGood: true, read }) as const,
        (error: unknown) => ({ isGood: false, error }) as const,
      );
      return { shown, template, applied, signed, held: held.issued[0] };
    },
  });
}

export type ReviewedApplication = NonNullable<ReturnType<typeof useReview>['data']>;
