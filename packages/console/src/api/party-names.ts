/** What parties are called, and on whose word, as far as this service knows it. Read once and kept. */
import { partyNameLimits } from '@symbolon/core/limits/directory';
import { useQuery } from '@tanstack/react-query';
import { useClients } from './api.tsx';
import { type PartyNames, toldNames } from './told-names.ts';

const keptMs = 60_000;

export function usePartyNames(dids: readonly string[]): PartyNames {
  const { service } = useClients();
  const asked = [...new Set(dids)].toSorted().slice(0, partyNameLimits.readMax);
  const { data, isLoading } = useQuery({
    queryKey: ['service', 'profiles', ...asked],
    queryFn: () => service.listProfiles({ dids: asked.join(',') }),
    enabled: asked.length > 0,
    staleTime: keptMs,
  });
  return toldNames(data?.profiles ?? [], isLoading);
}
