/** Templates by their ids. Read once and kept. */
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { useQueries } from '@tanstack/react-query';
import { useClients } from '../../api/api.tsx';

const keptMs = 60_000;

/** By id; what is not read yet, or is not known, is not in it. */
export function useTemplatesById(ids: readonly string[]): ReadonlyMap<string, TemplateReply> {
  const { service } = useClients();
  const asked = [...new Set(ids)];
  return useQueries({
    queries: asked.map((templateId) => ({
      queryKey: ['service', 'template', templateId],
      queryFn: () => service.getTemplate({ templateId }),
      staleTime: keptMs,
    })),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }, at): [string, TemplateReply][] =>
          data ? [[asked[at] as string, data]] : [],
        ),
      ),
  });
}
