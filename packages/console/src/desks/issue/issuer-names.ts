/** What the issuer in this chair is called, for cards and certificates: its name here, else a piece of its DID, once it is known which. */
import type { NameWord } from '@symbolon/wire/directory/requests';
import { useQuery } from '@tanstack/react-query';
import { useChair, useClients, useConsoleConfig } from '../../api/api.tsx';
import { usePartyNames } from '../../api/party-names.ts';
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

/** A row about a holder: the name is what the values say, where they say one. */
export interface NamedHolder {
  readonly label?: string | undefined;
  readonly holder: string;
}

/** What a holder is called by the values alone, else a piece of their DID: for papers. */
export const holderName = ({ label, holder }: NamedHolder): string => label ?? shortDid(holder).id;

export interface HolderNames {
  /** As the values say; else as the DID is called here; else a piece of the DID. */
  readonly nameOf: (row: NamedHolder) => string;
  /** On whose word the DID is called so; undefined where the name is another one, or none. */
  readonly wordOf: (row: NamedHolder) => NameWord | undefined;
}

/** Names of holders, of all rows of a list at once. */
export function useHolderNames(rows: readonly (NamedHolder | undefined)[]): HolderNames {
  const nameless = rows.flatMap((row) => (row && row.label === undefined ? [row.holder] : []));
  const names = usePartyNames(nameless);
  const people = useConsoleConfig()?.people ?? [];
  const personOf = (did: string) => people.find((one) => one.did === did);
  return {
    nameOf: ({ label, holder }) => label ?? personOf(holder)?.name ?? names.textOf(holder),
    wordOf({ label, holder }) {
      if (label !== undefined) return undefined;
      // People of a demo are named by whoever runs it.
      return personOf(holder) ? 'operator' : names.get(holder)?.word;
    },
  };
}
