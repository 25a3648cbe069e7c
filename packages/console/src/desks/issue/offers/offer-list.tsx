/** Offers as rows: whom each is for, where it stands, until when; an open one can be ended. */
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { Link } from '@tanstack/react-router';
import { failureWords } from '../../../api/failure.ts';
import { useBuiltPlaces } from '../../../navigation/built-places.tsx';
import { Button } from '../../../parts/controls/button.tsx';
import { type Column, Rows } from '../../../parts/frame/rows.tsx';
import { Bones } from '../../../parts/states/bones.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Did } from '../../../parts/written/did.tsx';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { shortDid } from '../../../text/short-ids.ts';
import { useDeskWords } from '../../../words/words.ts';
import { type ListedOffer, type OfferFilter, useOffers } from './offer-queries.ts';
import { OfferStatus } from './offer-states.tsx';

export interface OfferListProps {
  readonly filter: OfferFilter;
  /** By which templates are named. */
  readonly templates: readonly Pick<TemplateReply, 'templateId' | 'templateName'>[];
  readonly onWithdraw: (offer: ListedOffer) => void;
  readonly limit?: string;
}

export function OfferList({ filter, templates, onWithdraw, limit }: OfferListProps) {
  const { words } = useDeskWords('issue');
  const { rows, more, isError, error, refetch, isFetchingNextPage } = useOffers(filter, limit);
  const columns = useColumns({ templates, onWithdraw });
  if (rows === undefined)
    return isError ? (
      <ErrorState failure={failureWords(error, words)} onAgain={() => void refetch()} />
    ) : (
      <Bones rows={3} hasMark={false} />
    );
  const isPlain = filter.state === undefined || filter.state === 'open';
  if (rows.length === 0)
    return (
      <EmptyState
        title={isPlain ? words.offers.none : words.offers.noneSuch}
        text={isPlain ? words.offers.noneWhy : words.offers.noneSuchWhy}
      >
        {isPlain ? (
          <Link
            to="/issue/offers/new"
            search={filter.templateId ? { template: filter.templateId } : {}}
            className="btn sm"
          >
            {words.offers.make}
          </Link>
        ) : (
          <Link to="/issue/offers" className="btn sm">
            {words.offers.showAll}
          </Link>
        )}
      </EmptyState>
    );
  return (
    <Rows
      label={words.shell.places.offers}
      columns={columns}
      rows={rows}
      idOf={({ offerId }) => offerId}
      isLoadingMore={isFetchingNextPage}
      {...(more && { onMore: more })}
    />
  );
}

function useColumns({
  templates,
  onWithdraw,
}: Pick<OfferListProps, 'templates' | 'onWithdraw'>): readonly Column<ListedOffer>[] {
  const { words } = useDeskWords('issue');
  const hasInbox = useBuiltPlaces().has('applications');
  const nameOf = (id: string): string =>
    templates.find(({ templateId }) => templateId === id)?.templateName ?? shortDid(id).id;
  return [
    {
      key: 'for',
      title: words.offers.reference,
      width: 'minmax(0, 1.6fr)',
      cell: ({ reference, offerId }) =>
        reference === undefined ? (
          <span className="faint mono">{offerId.slice(0, 8)}</span>
        ) : (
          <b className="cut">
            <ForeignText text={reference} />
          </b>
        ),
    },
    {
      key: 'state',
      title: words.offers.state,
      width: '120px',
      cell: ({ state }) => <OfferStatus state={state} />,
    },
    {
      key: 'template',
      title: words.offers.template,
      width: 'minmax(0, 1.4fr)',
      isHiddenOnPhone: true,
      cell: ({ templateId, templateVersion }) => `${nameOf(templateId)} ${templateVersion}`,
    },
    {
      key: 'holder',
      title: words.offers.holder,
      width: '140px',
      isHiddenOnPhone: true,
      cell: ({ holder }) => (holder === undefined ? <span className="faint">–</span> : <Did did={holder} />),
    },
    {
      key: 'until',
      title: words.offers.until,
      width: '110px',
      isHiddenOnPhone: true,
      cell: ({ expiresAt }) => <Time at={Date.parse(expiresAt)} />,
    },
    {
      key: 'act',
      title: words.offers.act,
      width: '104px',
      isNumber: true,
      cell: (offer) => {
        if (offer.state === 'open' || offer.state === 'locked')
          return (
            <Button size="small" onClick={() => onWithdraw(offer)}>
              {words.offers.withdraw}
            </Button>
          );
        return offer.state === 'accepted' && offer.vcId !== undefined && hasInbox ? (
          <Link to={`/issue/applications/${offer.vcId}`} className="btn sm">
            {words.offers.review}
          </Link>
        ) : null;
      },
    },
  ];
}
