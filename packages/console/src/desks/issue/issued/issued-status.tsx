/** How an issued credential stands; one that the ledger does not have is said so. */
import { Icon } from '../../../parts/controls/icon.tsx';
import { Status } from '../../../parts/written/status.tsx';
import { useDeskWords } from '../../../words/words.ts';
import type { ListedCredential } from '../issuer-queries.ts';

export function IssuedStatus({ status }: Pick<ListedCredential, 'status'>) {
  const { words } = useDeskWords('issue');
  if (status !== 'Missing') return <Status status={status} />;
  return (
    <span className="st bad">
      <Icon name="broken" />
      {words.issueInbox.issuedList.missing}
    </span>
  );
}
