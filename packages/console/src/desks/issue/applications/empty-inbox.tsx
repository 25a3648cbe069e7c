/** No application waits: what brings one, which is an offer, or in a demo its holder. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useChair } from '../../../api/api.tsx';
import type { ShownPerson } from '../../../api/console-config.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { useAct } from '../acting/use-act.ts';

export function EmptyInbox() {
  const { words } = useDeskWords('issue');
  const { people, take } = useChair();
  const navigate = useNavigate();
  const holder = people.find(({ person }) => person === 'holder');
  const applying = useAct(async (person: ShownPerson) => {
    await take(person, () => navigate({ to: '/wallet/apply' }));
  });
  const texts = words.issueInbox;
  return (
    <>
      <EmptyState title={texts.empty} text={texts.emptyWhy}>
        {holder && (
          <Button size="small" disabled={applying.isBusy} onClick={() => applying.run(holder)}>
            {texts.applyAs(holder.name)}
          </Button>
        )}
        <Link to="/issue/offers/new" className="btn sm quiet">
          {words.offers.make}
        </Link>
      </EmptyState>
      {applying.failure && <ErrorState failure={applying.failure} />}
    </>
  );
}
