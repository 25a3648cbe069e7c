/** What parties are called, and on whose word, as far as this service knows it. Read once and kept. */
import { partyNameLimits } from '@symbolon/core/limits/directory';
import type { NameWord } from '@symbolon/wire/directory/requests';
import { useQuery } from '@tanstack/react-query';
import { useClients } from './api.tsx';

export interface PartyName {
  readonly name: string;
  readonly word: NameWord;
}

const keptMs = 60_000;

/** By DID; whoever has no name, or one that looks like another's, is not in it. */
export function usePartyNames(dids: readonly string[]): ReadonlyMap<string, PartyName> {
  const { service } = useClients();
  const asked = [...new Set(dids)].toSorted().slice(0, partyNameLimits.readMax);
  const { data } = useQuery({
    queryKey: ['service', 'profiles', ...asked],
    queryFn: () => service.listProfiles({ dids: asked.join(',') }),
    enabled: asked.length > 0,
    staleTime: keptMs,
  });
  return new Map(
    (data?.profiles ?? [])
      .filter(({ looksLikeAnothers }) => !looksLikeAnothers)
      .map(({ did, name, word }) => [did, { name, word }]),
  );
}
