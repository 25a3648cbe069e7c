/** Getting a card: from a template, from an offer, and what became of what was applied for. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { failureWords } from '../../../api/failure.ts';
import { usePartyNames } from '../../../api/party-names.ts';
import { CredentialCard } from '../../../parts/card/credential-card.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Bones } from '../../../parts/states/bones.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { priceText } from '../../../text/price.ts';
import { useDeskWords } from '../../../words/words.ts';
import { useWallet } from '../frame/wallet-context.ts';
import { WalletGate } from '../frame/wallet-gate.tsx';
import { ApplicationsPanel } from './applications-panel.tsx';
import { ApplyForm } from './apply-form.tsx';
import { OfferPanel } from './offer-panel.tsx';
import { PurchasesNote } from './purchases-note.tsx';

export default function ApplyPage() {
  return (
    <WalletGate>
      <ApplyInside />
    </WalletGate>
  );
}

function ApplyInside() {
  const { templateId } = useParams({ strict: false });
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.apply;
  useShownCode(texts.code, [
    templateId === undefined
      ? { server: 'service', route: 'listTemplates', given: { limit: templatesMax } }
      : { server: 'service', route: 'getTemplate', given: { templateId } },
  ]);
  if (templateId !== undefined) return <ApplyForm key={templateId} templateId={templateId} />;
  return (
    <DeskPage title={texts.title} text={texts.text}>
      <div className="wallet-two">
        <div className="stack">
          <PurchasesNote />
          <TemplatesPanel />
        </div>
        <div className="stack">
          <OfferPanel />
          <ApplicationsPanel />
        </div>
      </div>
    </DeskPage>
  );
}

const templatesMax = 100;

function TemplatesPanel() {
  const { words, language } = useDeskWords('wallet');
  const { client } = useWallet();
  const texts = words.wallet.apply;
  const query = useQuery({
    queryKey: ['service', 'templates', templatesMax],
    queryFn: () => client.listTemplates({ limit: String(templatesMax) }),
  });
  const templates = query.data?.templates;
  const { textOf: nameOf } = usePartyNames(templates?.map(({ issuerDid }) => issuerDid) ?? []);
  return (
    <Panel title={texts.templates}>
      {!templates &&
        (query.isError ? (
          <ErrorState failure={failureWords(query.error, words)} onAgain={() => void query.refetch()} />
        ) : (
          <Bones rows={3} />
        ))}
      {templates?.length === 0 && <EmptyState title={texts.noTemplates} text={texts.noTemplatesWhy} />}
      <ul className="wallet-list">
        {templates?.map(({ templateId, templateName, issuerDid, credentialFormat, price }) => {
          const issuer = nameOf(issuerDid);
          return (
            <li key={templateId}>
              <Link to="/wallet/apply/$templateId" params={{ templateId }} className="wallet-row">
                <CredentialCard
                  templateId={templateId}
                  templateName={templateName}
                  issuer={{ did: issuerDid, name: issuer }}
                  detail="thumb"
                />
                <span className="grow">
                  <b className="cut">{templateName}</b>
                  <span className="hint cut">
                    {issuer}, {words.home.attributes(credentialFormat.length)}
                  </span>
                </span>
                {price && <span className="num nowrap">{priceText(price, language)}</span>}
              </Link>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
