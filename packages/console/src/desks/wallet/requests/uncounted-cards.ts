/** Cards of a wallet that are of the kind that is asked for and do not count, each with why. Pure. */
import type { DcqlQuery } from '@symbolon/core/presentation/dcql';
import { cardStanding } from '../cards/card-words.ts';
import type { KeptCard } from '../cards/kept-cards.ts';
import { askedCards } from './asked-cards.ts';
import { countingIssuers } from './counting-issuers.ts';

export type NotCounted = 'revoked' | 'expired' | 'notYet' | 'suspended' | 'unknown' | 'otherIssuer';

export interface UncountedCard {
  readonly card: KeptCard;
  readonly why: NotCounted;
}

const reasons: Readonly<Record<string, NotCounted>> = {
  Revoked: 'revoked',
  Expired: 'expired',
  NotYet: 'notYet',
  Suspended: 'suspended',
  Unknown: 'unknown',
};

/** Of the template of one part of a request; none where the part names no template. */
export function uncountedCards(
  query: DcqlQuery,
  queryId: string,
  { cards, now }: { readonly cards: readonly KeptCard[]; readonly now: number },
): readonly UncountedCard[] {
  const templateId = askedCards(query, [queryId])[0]?.templateId;
  const issuers = countingIssuers(query, queryId);
  return cards
    .filter(({ parsed }) => parsed.credential.credentialSchema.id === templateId)
    .flatMap((card): UncountedCard[] => {
      const isOther = issuers !== undefined && !issuers.includes(card.parsed.credential.issuer);
      const why = reasons[cardStanding(card, now)] ?? (isOther ? 'otherIssuer' : undefined);
      return why === undefined ? [] : [{ card, why }];
    });
}
