/** What the issuer in this chair is called, for cards and certificates: its name here, else a piece of its DID, once it is known which. */
import { useQuery } from '@tanstack/react-query';
import { useChair, useClients } from '../../api/api.tsx';
import { shortDid } from '../../text/short-ids.ts';

export interface NamedIssuer {
  readonly did: string;
  readonly name: string;
}

export function useOwnIssuer(): NamedIssuer {
  const { service } = useClients();
  const { signedIn, person } = useChair();
  const did = signedIn?.did ?? '';
  const { data, isLoading } = useQuery({
    queryKey: ['service', 'profile', did],
    queryFn: async () => (await service.listProfiles({ dids: did })).profiles[0]?.name ?? null,
    enabled: did !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { did, name: data ?? person?.name ?? (isLoading ? '…' : shortDid(did).id) };
}

/** What a holder is called in a list: the first text of what they applied with, else a piece of their DID. */
export const holderName = ({
  label,
  holder,
}: {
  readonly label?: string | undefined;
  readonly holder: string;
}): string => label ?? shortDid(holder).id;
