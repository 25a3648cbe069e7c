/** Offers of one template, on its page. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { OfferList } from './offer-list.tsx';
import type { ListedOffer } from './offer-queries.ts';
import { WithdrawOffer } from './withdraw-offer.tsx';

const shownMax = '5';

export function TemplateOffers({
  templateId,
  templateName,
}: {
  readonly templateId: string;
  readonly templateName: string;
}) {
  const { words } = useDeskWords('issue');
  const [withdrawing, setWithdrawing] = useState<ListedOffer>();
  return (
    <Panel
      title={words.offers.openOffers}
      aside={
        <Link to="/issue/offers" search={{ template: templateId }} className="lk">
          {words.offers.all}
        </Link>
      }
    >
      <OfferList
        filter={{ templateId, state: 'open' }}
        templates={[{ templateId, templateName }]}
        onWithdraw={setWithdrawing}
        limit={shownMax}
      />
      {withdrawing && <WithdrawOffer offer={withdrawing} onClose={() => setWithdrawing(undefined)} />}
    </Panel>
  );
}
