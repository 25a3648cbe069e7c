/** How an issued credential stands; one that the ledger does not have is said so. */
import type { CardState } from '../../parts/card/credential-card.tsx';
import { standingAt } from '../../parts/card/credential-standing.ts';
import { Icon } from '../../parts/controls/icon.tsx';
import { Status } from '../../parts/written/status.tsx';
import { useDeskWords } from '../../words/words.ts';
import type { ListedCredential } from './issuer-queries.ts';

type Standing = Pick<ListedCredential, 'status' | 'validFrom' | 'validUntil'>;

/** As its card is drawn: what the ledger does not have stands nowhere yet. */
export function cardStateOf(one: Standing): CardState {
  const standing = standingAt(one, Date.now());
  return standing === 'Missing' ? 'Pending' : standing;
}

export function IssuedStatus({ one }: { readonly one: Standing }) {
  const { words } = useDeskWords('issue');
  const standing = standingAt(one, Date.now());
  if (standing !== 'Missing') return <Status status={standing} />;
  return (
    <span className="st bad">
      <Icon name="broken" />
      {words.issueInbox.issuedList.missing}
    </span>
  );
}
