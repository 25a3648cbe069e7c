/** What parties are called, out of what a service tells of them. Pure. */
import type { NameWord } from '@symbolon/wire/directory/requests';
import { shortDid } from '../text/short-ids.ts';

export interface PartyName {
  readonly name: string;
  readonly word: NameWord;
}

/** As far as a profile is read here. */
export interface ToldProfile extends PartyName {
  readonly did: string;
  readonly looksLikeAnothers?: boolean | undefined;
}

export interface PartyNames {
  /** Undefined for whoever has no name, or one that looks like another's; for everybody as long as it is pending. */
  readonly get: (did: string) => PartyName | undefined;
  /** Names are on their way: nobody is without one yet. */
  readonly isPending: boolean;
  /** In a line of text: the name, else a piece of the DID; neither until it is known which. */
  readonly textOf: (did: string) => string;
}

export function toldNames(profiles: readonly ToldProfile[], isPending: boolean): PartyNames {
  const names = new Map(
    profiles
      .filter(({ looksLikeAnothers }) => !looksLikeAnothers)
      .map(({ did, name, word }) => [did, { name, word }] as const),
  );
  return {
    get: (did) => names.get(did),
    isPending,
    textOf: (did) => names.get(did)?.name ?? (isPending ? '…' : shortDid(did).id),
  };
}
