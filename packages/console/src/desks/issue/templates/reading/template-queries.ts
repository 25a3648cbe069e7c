/** What is asked about templates. What is registered never changes, so a version that was read is kept. */
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { readPages } from '@symbolon/sdk/service/pages';
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../../../../api/api.tsx';
import { useCursorPages } from '../../../../api/cursor-pages.ts';

const forGood = Number.POSITIVE_INFINITY;
const pageItems = '50';

/** Templates of one issuer in their newest versions, by name. */
export function useOwnTemplates(issuer: string, search: string) {
  const { service } = useClients();
  return useCursorPages(['service', 'templates', 'own', issuer, search], async (cursor) => {
    const { templates, nextCursor } = await service.listTemplates({
      issuer,
      limit: pageItems,
      ...(search !== '' && { q: search }),
      ...(cursor !== undefined && { cursor }),
    });
    return { rows: templates, next: nextCursor };
  });
}

/** All of them, to choose one from. */
export function useTemplateChoices(issuer: string) {
  const { service } = useClients();
  return useQuery({
    queryKey: ['service', 'templates', 'choices', issuer],
    queryFn: async () => {
      const pages = readPages({
        ask: (cursor) =>
          service.listTemplates({
            issuer,
            limit: String(credentialRequestLimits.pageItemsMax),
            ...(cursor !== undefined && { cursor }),
          }),
        next: ({ nextCursor }) => nextCursor,
      });
      const all: TemplateReply[] = [];
      for await (const { templates } of pages) all.push(...templates);
      return all;
    },
    // Until it is known who sits here there is nobody to ask for.
    enabled: issuer !== '',
  });
}

/** One version, or the newest. */
export function useTemplate(templateId: string, version?: string) {
  const { service } = useClients();
  return useQuery({
    queryKey: ['service', 'template', templateId, version ?? ''],
    queryFn: () => service.getTemplate({ templateId, ...(version !== undefined && { version }) }),
    enabled: templateId !== '',
    ...(version !== undefined && { staleTime: forGood }),
  });
}

export function useTemplateHistory(templateId: string) {
  const { service } = useClients();
  return useQuery({
    queryKey: ['service', 'template-history', templateId],
    queryFn: () => service.getTemplateHistory({ templateId }),
  });
}

export function useTemplateSchema(templateId: string, version: string) {
  const { service } = useClients();
  return useQuery({
    queryKey: ['service', 'template-schema', templateId, version],
    queryFn: () => service.getTemplateSchema({ templateId, version }),
    staleTime: forGood,
  });
}
