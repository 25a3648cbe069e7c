/** What is asked about offers. */
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import type { OfferState } from '@symbolon/wire/offers/schemas';
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../../../api/api.tsx';
import { useCursorPages } from '../../../api/cursor-pages.ts';
import { useIssuerNews } from '../../../api/issuer-news.ts';

export type ListedOffer = CredentialReply<'listOffers'>['offers'][number];

export interface OfferFilter {
  readonly state?: OfferState;
  readonly templateId?: string;
}

export const offersQueryKey = ['service', 'offers'] as const;

const pageRows = '50';

/** Newest first: what was just made is looked for first. */
export function useOffers(filter: OfferFilter, limit = pageRows) {
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

export type OfferFate = Pick<ListedOffer, 'state' | 'vcId'>;

/** What becomes of an offer that was just made: it is open until the service tells something else. */
export function useOfferFate({
  offerId,
  templateId,
}: Pick<ListedOffer, 'offerId' | 'templateId'>): OfferFate {
  const { service } = useClients();
  const { data, refetch } = useQuery<OfferFate>({
    queryKey: [...offersQueryKey, 'one', offerId],
    queryFn: async () => {
      let cursor: string | undefined;
      do {
        const page = await service.listOffers({
          ...{ templateId, order: 'newest', limit: pageRows },
          ...(cursor && { cursor }),
        });
        const found = page.offers.find((one) => one.offerId === offerId);
        if (found) return found;
        cursor = page.nextCursor;
      } while (cursor);
      return { state: 'open' };
    },
    initialData: { state: 'open' },
    staleTime: Number.POSITIVE_INFINITY,
  });
  useIssuerNews({
    onEvent: ({ subject }) => {
      if (subject === offerId) void refetch();
    },
    onGap: () => void refetch(),
  });
  return data;
}
