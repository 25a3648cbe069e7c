/** One card: its values, who signed it and how, and what the ledger holds of it. */
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useConsoleConfig } from '../../../api/api.tsx';
import { failureWords } from '../../../api/failure.ts';
import { CredentialCard } from '../../../parts/card/credential-card.tsx';
import { CopyButton } from '../../../parts/controls/copy-button.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Block } from '../../../parts/written/block.tsx';
import { Did } from '../../../parts/written/did.tsx';
import { ForeignValue } from '../../../parts/written/foreign-text.tsx';
import { Status } from '../../../parts/written/status.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { Who } from '../../../parts/written/who.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { dayText, lastDayText } from '../../../text/times.ts';
import { useDeskWords } from '../../../words/words.ts';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { useWallet } from '../frame/wallet-context.ts';
import {
  canBeShown,
  cardProps,
  cardStanding,
  cardValues,
  ledgerBlocks,
  unknownBecause,
} from './card-words.ts';
import { type KeptCard, removeCard } from './kept-cards.ts';

export function CardDetail({ card }: { readonly card: KeptCard }) {
  const { words, language } = useDeskWords('wallet');
  const now = useNow();
  const { credential } = card.parsed;
  const texts = words.wallet.card;
  const props = cardProps(card, { language, now });
  const standing = cardStanding(card, now);
  useShownCode(texts.code, [
    {
      server: 'service',
      route: 'getCredentialStatus',
      given: { vcId: credential.id, issuer: credential.issuer },
    },
  ]);
  return (
    <DeskPage
      title={card.names.template}
      text={texts.from(props.issuer.name)}
      acts={
        <Link to="/wallet/cards" className="btn quiet">
          {texts.back}
        </Link>
      }
    >
      <div className="card-page">
        <div className="stack">
          <CredentialCard {...props} />
          {canBeShown(standing) && (
            <Link to="/wallet/requests" className="btn">
              {texts.present}
            </Link>
          )}
          <Removal card={card} />
        </div>
        <div className="stack">
          <Panel title={texts.values} aside={<span className="hint">{texts.valuesHere}</span>}>
            <dl className="facts pad">
              {cardValues(card, language).map(({ key, label, text }) => (
                <Fact key={key} label={label}>
                  <b className="wallet-value">
                    <ForeignValue text={text} />
                  </b>
                </Fact>
              ))}
            </dl>
          </Panel>
          <Panel title={texts.ledger} aside={<Status status={standing} />}>
            <LedgerFacts card={card} />
          </Panel>
          <Panel title={texts.proofs}>
            <ProofFacts card={card} issuerName={props.issuer.name} />
          </Panel>
        </div>
      </div>
    </DeskPage>
  );
}

function ProofFacts({ card, issuerName }: { readonly card: KeptCard; readonly issuerName: string }) {
  const { words } = useDeskWords('wallet');
  const { credential } = card.parsed;
  const texts = words.wallet.card;
  return (
    <dl className="facts pad">
      <Fact label={texts.issuer}>
        <Who id={credential.issuer} name={issuerName} />
      </Fact>
      <Fact label={texts.issuerDid}>
        <Did did={credential.issuer} />
      </Fact>
      <Fact label={texts.template}>
        <span className="row wrap">
          <Did did={credential.credentialSchema.id} />
          <span className="hint">{words.home.version(credential.credentialSchema.version)}</span>
        </span>
      </Fact>
      <Fact label={texts.signed}>{texts.signedHow}</Fact>
      <Fact label={texts.kept}>
        <Time at={card.keptAt} />
      </Fact>
      <Fact label={texts.document}>
        <CopyButton text={JSON.stringify(card.document, undefined, 2)} what={texts.document} isWordy />
      </Fact>
    </dl>
  );
}

function LedgerFacts({ card }: { readonly card: KeptCard }) {
  const { words, language } = useDeskWords('wallet');
  const { credential } = card.parsed;
  const unknown = unknownBecause(card, useConsoleConfig()?.network);
  const texts = words.wallet.card;
  return (
    <dl className="facts pad">
      {ledgerBlocks(card.word).map(({ name, block }) => (
        <Fact key={name} label={texts.blocks[name]}>
          <Block number={block} to={`/ledger/blocks/${block}`} />
        </Fact>
      ))}
      <Fact label={texts.asked}>
        <Time at={card.word.at} />
        {unknown && <span className="muted"> {texts.notKnown[unknown]}</span>}
      </Fact>
      <Fact label={texts.number}>
        <Did did={credential.id} />
      </Fact>
      <Fact label={texts.valid}>
        {dayText(Date.parse(credential.validFrom), language)} –{' '}
        {lastDayText(Date.parse(credential.validUntil), language)}
      </Fact>
      <Fact label={texts.notThere}>{texts.notThereText}</Fact>
    </dl>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Removal({ card }: { readonly card: KeptCard }) {
  const { words } = useDeskWords('wallet');
  const { vault, did } = useWallet();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const texts = words.wallet.card;
  const removing = useSingleMutation({
    mutationFn: () => removeCard(vault, card.vcId),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['wallet', did, 'removed'] });
      await queries.invalidateQueries({ queryKey: ['wallet', did, 'cards'] });
      await navigate({ to: '/wallet/cards' });
    },
  });
  return (
    <>
      {removing.isError && <ErrorState failure={failureWords(removing.error, words)} />}
      <ConfirmButton
        label={texts.remove}
        question={texts.removeQuestion(card.names.template)}
        consequence={texts.removeWhy}
        isDisabled={removing.isPending}
        onConfirm={() => removing.mutate()}
      />
    </>
  );
}
