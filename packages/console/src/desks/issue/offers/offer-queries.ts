/** What is asked about offers. */
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import type { OfferState } from '@symbolon/wire/offers/schemas';
import { useClients } from '../../../api/api.tsx';
import { useCursorPages } from '../../../api/cursor-pages.ts';

export type ListedOffer = CredentialReply<'listOffers'>['offers'][number];

export interface OfferFilter {
  readonly state?: OfferState;
  readonly templateId?: string;
}

export const offersQueryKey = ['service', 'offers'] as const;

/** Newest first: what was just made is looked for first. */
export function useOffers(filter: OfferFilter, limit = '50') {
  const { service } = useClients();
  return useCursorPages<ListedOffer>([...offersQueryKey, filter, limit], async (cursor) => {
    const { offers, nextCursor } = await service.listOffers({
      ...filter,
      order: 'newest',
      limit,
      ...(cursor !== undefined && { cursor }),
    });
    return { rows: offers, next: nextCursor };
  });
}
