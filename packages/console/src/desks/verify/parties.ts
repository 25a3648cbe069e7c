/** Templates by their ids. Read once and kept. */
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useClients } from '../../api/api.tsx';

const keptMs = 60_000;

export interface ReadTemplates {
  /** By id; what is not read yet, or is not known, is not in it. */
  readonly templates: ReadonlyMap<string, TemplateReply>;
  /** Whether nothing more is to come. */
  readonly isRead: boolean;
  /** Why one of them could not be read, other than that nobody knows it; null where there is nothing to tell. */
  readonly error: Error | null;
}

export function useReadTemplates(ids: readonly string[]): ReadTemplates {
  const { service } = useClients();
  const asked = [...new Set(ids)];
  return useQueries({
    queries: asked.map((templateId) => ({
      queryKey: ['service', 'template', templateId],
      queryFn: () => service.getTemplate({ templateId }),
      staleTime: keptMs,
    })),
    combine: (results) => ({
      templates: new Map(
        results.flatMap(({ data }, at): [string, TemplateReply][] =>
          data ? [[asked[at] as string, data]] : [],
        ),
      ),
      isRead: results.every(({ isPending }) => !isPending),
      error: results.map(({ error }) => error).find((error) => error && !saysUnknown(error)) ?? null,
    }),
  });
}

const saysUnknown = (error: Error): boolean =>
  error instanceof ServiceError && error.code === 'templateUnknown';

export const useTemplatesById = (ids: readonly string[]): ReadTemplates['templates'] =>
  useReadTemplates(ids).templates;

/**
 * A template in the version that a credential was issued under, which never changes; the newest where no version is told.
 * Undefined until it is read, and where nobody knows it.
 */
export function useTemplateVersion(
  templateId: string,
  version: string | undefined,
): TemplateReply | undefined {
  const { service } = useClients();
  return useQuery({
    queryKey: ['service', 'template', templateId, version ?? ''],
    queryFn: () => service.getTemplate({ templateId, ...(version !== undefined && { version }) }),
    staleTime: version === undefined ? keptMs : Number.POSITIVE_INFINITY,
    enabled: templateId !== '',
  }).data;
}
