/** The cards, and one of them in detail. */
import { Link, useParams } from '@tanstack/react-router';
import { useConsoleConfig } from '../../../api/api.tsx';
import { failureWords } from '../../../api/failure.ts';
import type { CodeRequest } from '../../../code/code-request.ts';
import { CredentialCard } from '../../../parts/card/credential-card.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { Bones } from '../../../parts/states/bones.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Status } from '../../../parts/written/status.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { foreignLine } from '../../../text/foreign-text.ts';
import { agoText } from '../../../text/times.ts';
import { useDeskWords } from '../../../words/words.ts';
import { useWallet } from '../frame/wallet-context.ts';
import { WalletGate } from '../frame/wallet-gate.tsx';
import { WalletNote } from '../frame/wallet-note.tsx';
import { CardDetail } from './card-detail.tsx';
import { saysNotGenuine } from './card-intake.ts';
import { cardProps, cardStanding, unknownBecause } from './card-words.ts';
import type { KeptCard } from './kept-cards.ts';
import { useArrivals, useCards } from './use-cards.ts';

export default function CardsPage() {
  return (
    <WalletGate>
      <CardsInside />
    </WalletGate>
  );
}

const requests: readonly CodeRequest[] = [{ act: 'listOwn' }, { act: 'download' }];

function CardsInside() {
  const { vcId } = useParams({ strict: false });
  const { words } = useDeskWords('wallet');
  const { name } = useWallet();
  const query = useCards();
  const texts = words.wallet.cards;
  useShownCode(texts.code, requests);
  const card = query.cards?.find((one) => one.vcId === vcId);
  if (card) return <CardDetail card={card} />;
  return (
    <DeskPage
      title={texts.title(foreignLine(name))}
      acts={
        <Link to="/wallet/apply" className="btn">
          <Icon name="plus" />
          {texts.apply}
        </Link>
      }
    >
      {query.cards === undefined ? (
        <Panel>
          {query.isError ? (
            <ErrorState failure={failureWords(query.error, words)} onAgain={() => void query.refetch()} />
          ) : (
            <Bones rows={3} />
          )}
        </Panel>
      ) : (
        <CardWall cards={query.cards} isUnknown={vcId !== undefined} />
      )}
    </DeskPage>
  );
}

function CardWall({
  cards,
  isUnknown,
}: {
  readonly cards: readonly KeptCard[];
  readonly isUnknown: boolean;
}) {
  const { words, language } = useDeskWords('wallet');
  const now = useNow();
  const arrivals = useArrivals();
  const { isArriving, isLooking, waiting, refused } = arrivals;
  const texts = words.wallet.cards;
  return (
    <div className="stack">
      {isUnknown && !isLooking && <p className="note warn">{texts.unknown}</p>}
      {isArriving && (
        <p className="note" role="status">
          {texts.arriving(waiting.length)}
        </p>
      )}
      {refused.map(({ application, error }) => (
        <Panel key={application.vcId}>
          <ErrorState
            failure={
              saysNotGenuine(error)
                ? {
                    title: texts.notGenuine(application.templateName ?? ''),
                    text: texts.notGenuineWhy,
                    code: error instanceof Error ? error.message : 'notGenuine',
                  }
                : failureWords(error, words)
            }
          />
        </Panel>
      ))}
      {cards.length === 0 && (
        <Panel>
          <NoneHere arrivals={arrivals} />
        </Panel>
      )}
      <ul className="card-wall">
        {cards.map((card) => (
          <li key={card.vcId}>
            <Link to="/wallet/cards/$vcId" params={{ vcId: card.vcId }} className="card-link">
              <CredentialCard {...cardProps(card, { language, now })} />
            </Link>
            <span className="card-under">
              <Status status={cardStanding(card, now)} />
              <span className="hint">{texts.asOf(agoText(card.word.at, now, language))}</span>
            </span>
            <Unknown card={card} />
          </li>
        ))}
      </ul>
      <WalletNote />
    </div>
  );
}

/** Nothing is wrong with a card of which another ledger knows: it is worth nothing here. */
function Unknown({ card }: { readonly card: KeptCard }) {
  const { words } = useDeskWords('wallet');
  const why = unknownBecause(card, useConsoleConfig()?.network);
  return why === undefined ? null : <p className="hint card-unknown">{words.wallet.card.notKnown[why]}</p>;
}

/** That there is no card is said only after it was looked for. */
function NoneHere({ arrivals }: { readonly arrivals: ReturnType<typeof useArrivals> }) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.cards;
  const { isLooking, unasked, lookAgain } = arrivals;
  if (isLooking) return <Bones rows={3} />;
  if (unasked) return <ErrorState failure={failureWords(unasked, words)} onAgain={lookAgain} />;
  return (
    <EmptyState title={texts.empty} text={texts.emptyWhy}>
      <Link to="/wallet/apply" className="btn pri">
        {texts.apply}
      </Link>
    </EmptyState>
  );
}
