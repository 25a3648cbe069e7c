/** A new offer: which template, what it will say, whom it is for, how long; then its link and QR code, told once. */
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useClients, useConnection } from '../../../api/api.tsx';
import { openPlace } from '../../../code/fill-ins.ts';
import { CredentialCard } from '../../../parts/card/credential-card.tsx';
import { Button } from '../../../parts/controls/button.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { useIssuer } from '../acting/issuer-page.tsx';
import { QueryPart } from '../acting/query-part.tsx';
import { useAct } from '../acting/use-act.ts';
import { NoTemplates } from '../templates/reading/no-templates.tsx';
import { useTemplate, useTemplateChoices } from '../templates/reading/template-queries.ts';
import { MadeOffer } from './made-offer.tsx';
import { askForOffer, offerFailureWords } from './offer-attempt.ts';
import { offerCard } from './offer-card.ts';
import { blankOffer, offerOrderOf } from './offer-draft.ts';
import { OfferTerms, OfferValues } from './offer-fields.tsx';
import { offersQueryKey } from './offer-queries.ts';
import { useOfferDraft } from './use-offer-draft.ts';

export function OfferMaking() {
  const { words } = useDeskWords('issue');
  const { did } = useIssuer();
  const navigate = useNavigate();
  const given = useSearch({ strict: false }) as { readonly template?: unknown };
  const choices = useTemplateChoices(did);
  const own = choices.data;
  const first = own?.[0]?.templateId ?? '';
  const templateId = typeof given.template === 'string' ? given.template : first;
  const template = useTemplate(templateId);
  return (
    <DeskPage title={words.offers.newTitle} text={words.offers.newText}>
      <NoTemplates choices={choices} />
      {template.data ? (
        <OfferForm
          key={templateId}
          template={template.data}
          choices={own ?? []}
          onChoose={(id) =>
            void navigate({ to: '/issue/offers/new', search: { template: id }, replace: true })
          }
        />
      ) : (
        templateId !== '' && (
          <Panel>
            <QueryPart query={template}>{() => null}</QueryPart>
          </Panel>
        )
      )}
    </DeskPage>
  );
}

interface OfferFormProps {
  readonly template: TemplateReply;
  readonly choices: readonly TemplateReply[];
  readonly onChoose: (templateId: string) => void;
}

function OfferForm({ template, choices, onChoose }: OfferFormProps) {
  const { words, language } = useDeskWords('issue');
  const issuer = useIssuer();
  const { service } = useClients();
  const queries = useQueryClient();
  const [isTouched, setTouched] = useState(false);
  const [made, setMade] = useState<CredentialReply<'makeOffer'>>();
  const { templateId, templateName } = template;
  const { draft, attempt, type, forget, discard } = useOfferDraft(templateId);
  const { order, values, wrong } = offerOrderOf(template, draft, language);
  const left = [...wrong.keys()].map((key) => ({ key, value: openPlace(key) }));
  useShownCode(words.offers.newTitle, [
    { server: 'service', route: 'makeOffer', given: { ...order, metadata: [...order.metadata, ...left] } },
  ]);
  const act = useAct(async () => {
    const { read, keep, forget: settled } = attempt;
    const offer = await askForOffer({ service, unknown: read(), keep, forget: settled }, order);
    await queries.invalidateQueries({ queryKey: offersQueryKey });
    forget();
    setMade(offer);
  }, offerFailureWords);
  const reference = draft.reference.trim();
  if (made)
    return (
      <MadeOffer
        offer={made}
        templateId={templateId}
        name={templateName}
        reference={reference}
        onAnother={() => {
          setMade(undefined);
          type({ ...draft, typed: {}, reference: '' });
          setTouched(false);
        }}
      />
    );
  const { telling, holder } = offerCard(template, { values, wrong }, language);
  const startOver = (): void => {
    discard();
    setTouched(false);
  };
  return (
    <form
      className="with-side"
      onSubmit={(event) => {
        event.preventDefault();
        setTouched(true);
        if (wrong.size === 0) act.run();
      }}
    >
      <div className="stack">
        <OfferValues {...{ template, draft, choices, wrong, isTouched, onChoose }} onChange={type} />
        <OfferTerms template={template} draft={draft} onChange={type} />
        {act.failure && (
          <Panel>
            <ErrorState failure={act.failure} />
          </Panel>
        )}
        <OfferActs isBusy={act.isBusy} onDiscard={draft === blankOffer ? undefined : startOver} />
      </div>
      <div className="side-stack">
        <CredentialCard
          {...{ templateId, templateName, issuer }}
          telling={telling ?? words.templates.telling}
          holder={holder ?? words.templates.holderName}
        />
        <p className="hint card-hint">{words.offers.cardHint}</p>
      </div>
    </form>
  );
}

interface OfferActsProps {
  readonly isBusy: boolean;
  /** Left out where nothing is typed. */
  readonly onDiscard: (() => void) | undefined;
}

function OfferActs({ isBusy, onDiscard }: OfferActsProps) {
  const { words } = useDeskWords('issue');
  const { state } = useConnection();
  return (
    <div className="form-acts">
      <Button type="submit" kind="primary" icon="qr" disabled={isBusy || state === 'lost'}>
        {isBusy ? words.templates.underWay : words.offers.make}
      </Button>
      {onDiscard && !isBusy && (
        <Button kind="quiet" onClick={onDiscard}>
          {words.offers.discard}
        </Button>
      )}
    </div>
  );
}
