/** `/issue/offers`: every offer and what became of it, and making one. */

import { type OfferState, offerStates } from '@symbolon/wire/offers/schemas';
import { Link, useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useKeys } from '../../../keys/keys.tsx';
import { ChoiceField } from '../../../parts/controls/fields.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { UnreadFilters } from '../../../parts/states/unread-filters.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import type { FilterRules } from '../../../text/unread-filters.ts';
import { useDeskWords } from '../../../words/words.ts';
import { issuerPage, useIssuer } from '../acting/issuer-page.tsx';
import '../issue-templates.css';
import { useTemplateChoices } from '../templates/reading/template-queries.ts';
import { OfferMaking } from './new-offer.tsx';
import { OfferList } from './offer-list.tsx';
import type { ListedOffer, OfferFilter } from './offer-queries.ts';
import { WithdrawOffer } from './withdraw-offer.tsx';

const offersPath = '/issue/offers';
const newPath = `${offersPath}/new`;

const isState = (value: unknown): value is OfferState => offerStates.some((state) => state === value);

const isTemplateId = (value: string): boolean => /^did:[a-z0-9]+:[0-9a-f]{64}$/.test(value);

const offerRules: FilterRules = { state: offerStates, template: isTemplateId };

/** Filters as the address has them; what is none of them is none. */
function readOfferFilter(search: { readonly state?: unknown; readonly template?: unknown }): OfferFilter {
  const { state, template } = search;
  return {
    ...(isState(state) && { state }),
    ...(typeof template === 'string' && isTemplateId(template) && { templateId: template }),
  };
}

function OffersPage() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return path === newPath ? <OfferMaking /> : <AllOffers />;
}

export default issuerPage(OffersPage);

function AllOffers() {
  const { words } = useDeskWords('issue');
  const { did } = useIssuer();
  const navigate = useNavigate();
  const filter = readOfferFilter(useSearch({ strict: false }));
  const templates = useTemplateChoices(did).data ?? [];
  const [withdrawing, setWithdrawing] = useState<ListedOffer>();
  useShownCode(words.shell.places.offers, [
    { server: 'service', route: 'listOffers', given: { ...filter } },
    ...(withdrawing
      ? [{ server: 'service', route: 'withdrawOffer', given: { offerId: withdrawing.offerId } } as const]
      : []),
  ]);
  useKeys([
    { keys: 'n', title: words.offers.make, group: 'page', act: () => void navigate({ to: newPath }) },
  ]);
  const put = (next: { readonly state?: string; readonly template?: string }): void => {
    const search = { ...(filter.state && { state: filter.state }), template: filter.templateId, ...next };
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ to: offersPath, search: Object.fromEntries(given), replace: true });
  };
  return (
    <DeskPage
      title={words.offers.title}
      text={words.offers.text}
      acts={
        <Link to={newPath} className="btn pri">
          <Icon name="plus" />
          {words.offers.make}
        </Link>
      }
    >
      <UnreadFilters rules={offerRules} />
      <div className="list-filters">
        <ChoiceField
          label={words.offers.state}
          value={filter.state ?? ''}
          options={[
            { value: '', label: words.offers.anyState },
            ...offerStates.map((state) => ({ value: state, label: words.offers.states[state] })),
          ]}
          onChange={(state) => put({ state })}
        />
        <ChoiceField
          label={words.offers.template}
          value={filter.templateId ?? ''}
          options={[
            { value: '', label: words.offers.anyTemplate },
            ...templates.map(({ templateId, templateName }) => ({ value: templateId, label: templateName })),
          ]}
          onChange={(template) => put({ template })}
        />
      </div>
      <Panel>
        <OfferList filter={filter} templates={templates} onWithdraw={setWithdrawing} />
      </Panel>
      {withdrawing && <WithdrawOffer offer={withdrawing} onClose={() => setWithdrawing(undefined)} />}
    </DeskPage>
  );
}
