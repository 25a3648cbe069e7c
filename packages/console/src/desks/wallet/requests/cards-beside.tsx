/** The cards as a fan beside a request, those in use in front; where there is room. */
import { Link } from '@tanstack/react-router';
import { CredentialCard } from '../../../parts/card/credential-card.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { useDeskWords } from '../../../words/words.ts';
import { cardProps, cardStanding } from '../cards/card-words.ts';
import type { KeptCard } from '../cards/kept-cards.ts';
import { WalletNote } from '../frame/wallet-note.tsx';

const fanMax = 4;

export interface CardsBesideProps {
  readonly cards: readonly KeptCard[];
  readonly inUse: readonly KeptCard[];
}

export function CardsBeside({ cards, inUse }: CardsBesideProps) {
  const { words, language } = useDeskWords('wallet');
  const now = useNow();
  const used = new Set(inUse.map(({ vcId }) => vcId));
  const fan = cards.toSorted((left, right) => Number(used.has(left.vcId)) - Number(used.has(right.vcId)));
  return (
    <div className="consent-cards">
      <h2 className="h2">
        {words.shell.places.cards} <span className="faint">{cards.length}</span>
      </h2>
      <div className="fan">
        {fan.slice(-fanMax).map((card) => (
          <CredentialCard
            key={card.vcId}
            {...cardProps(card, { language, now })}
            {...(used.has(card.vcId) && { badge: words.wallet.requests.inUse })}
          />
        ))}
      </div>
      <div className="row between consent-standing">
        <Link to="/wallet/apply" className="btn sm">
          <Icon name="plus" />
          {words.wallet.cards.apply}
        </Link>
        {cards.length > 0 && <CardsStanding cards={cards} />}
      </div>
      <WalletNote />
    </div>
  );
}

/** How many of the cards the ledger calls active. */
function CardsStanding({ cards }: Pick<CardsBesideProps, 'cards'>) {
  const { words } = useDeskWords('wallet');
  const now = useNow();
  const texts = words.wallet.requests;
  const active = cards.filter((card) => cardStanding(card, now) === 'Active').length;
  const isEach = active === cards.length;
  return (
    <span className={isEach ? 'st ok' : 'st idle'}>
      <Icon name={isEach ? 'statusOk' : 'statusWarn'} />
      {isEach ? texts.allActive : texts.someActive(active, cards.length)}
    </span>
  );
}
