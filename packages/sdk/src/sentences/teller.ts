/** How one reader is told of things: by the names that the reader gives, shortened where there is none. */
import type { NetworkProfile } from '@symbolon/core/keys/profile';
import { plainText } from '../arguments/foreign-texts.ts';
import type { Saying, SentencePart } from './sentence-parts.ts';

/** Addresses of the registries of credentials, as the reader knows them: what other contracts are told is not theirs. */
export interface KnownRegistries {
  readonly templates: string;
  readonly credentials: string;
}

/** A token, as the reader knows it. */
export interface KnownToken {
  /** What it calls itself: it may call itself like another one, so it is told in quotation marks. */
  readonly symbol: string;
  /** An amount of its smallest units. */
  readonly amountText: (units: bigint) => string;
}

/** A name, or nothing where the reader has none. */
export type NameGiver = (id: string) => string | undefined;

export interface Teller {
  readonly profile: NetworkProfile;
  readonly registries: KnownRegistries | undefined;
  /** Whether an account has a contract; undefined where the reader does not know. */
  readonly hasCode: (address: string) => boolean | undefined;
  readonly token: (
    address: string,
  ) => (Pick<KnownToken, 'amountText'> & { readonly called: Saying }) | undefined;
  readonly account: (address: string) => SentencePart;
  readonly template: (did: string, claimedName?: string) => SentencePart | Saying;
  readonly credential: (did: string) => SentencePart;
  readonly amount: (amount: bigint) => SentencePart;
}

export interface TellerOrder extends Pick<Teller, 'profile' | 'registries' | 'hasCode'> {
  readonly tokenOf: (address: string) => KnownToken | undefined;
  readonly nameOf: NameGiver;
  readonly nameOfTemplate: NameGiver;
  readonly nameOfCredential: NameGiver;
  readonly amountText: (amount: bigint) => string;
}

export function createTeller(order: TellerOrder): Teller {
  const { profile, registries, hasCode, tokenOf, nameOf, nameOfTemplate, nameOfCredential, amountText } =
    order;
  const named = (
    kind: 'account' | 'template' | 'credential',
    id: string,
    [name, short]: readonly [name: string | undefined, short: string],
  ): SentencePart => ({ kind, id, text: name ?? short, isNamed: name !== undefined });
  return {
    profile,
    registries,
    hasCode,
    token(address) {
      const known = tokenOf(address);
      const text = plainText(known?.symbol ?? '');
      return (
        known && { ...known, called: quotedPart({ kind: 'account', id: address, text, isNamed: false }) }
      );
    },
    account: (address) => named('account', address, [nameOf(address), shortAddress(address)]),
    template(did, claimedName) {
      const name = nameOfTemplate(did);
      if (name !== undefined || claimedName === undefined)
        return named('template', did, [name, shortDidEnd(did)]);
      return quotedPart({ kind: 'template', id: did, text: plainText(claimedName), isNamed: false });
    },
    credential: (did) => named('credential', did, [nameOfCredential(did), shortDidEnd(did)]),
    amount: (amount) => ({ kind: 'amount', amount, text: amountText(amount) }),
  };
}

const quotedPart = (text: SentencePart): Saying => ({ says: 'quoted', with: { text } });

/** A text that somebody else has chosen. */
export const foreignText = (text: string): Saying => quotedPart({ kind: 'foreign', text: plainText(text) });

const shortAddress = (address: string): string =>
  address.length <= 16
    ? plainText(address)
    : `${plainText(address.slice(0, 8))}…${plainText(address.slice(-6))}`;

/** Both ends of what identifies a DID among those of its method. */
const shortDidEnd = (did: string): string => {
  const id = plainText(did.slice(did.lastIndexOf(':') + 1), 128);
  return id.length <= 9 ? id : `${id.slice(0, 4)}…${id.slice(-4)}`;
};
