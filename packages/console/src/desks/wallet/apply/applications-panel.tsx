/** What was applied for: where it stands, and why it was turned down. */
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { failureWords } from '../../../api/failure.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { Icon, type IconName } from '../../../parts/controls/icon.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { Bones } from '../../../parts/states/bones.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { type ApplicationStanding, applicationStanding, isToFetch } from '../cards/application-states.ts';
import type { OwnApplication } from '../cards/card-intake.ts';
import { wantAgain } from '../cards/kept-cards.ts';
import { useApplications, useArrivals, useKeptCards, useRemovedCards } from '../cards/use-cards.ts';
import { useWallet } from '../frame/wallet-context.ts';

const looks: Readonly<Record<ApplicationStanding, { readonly tone: string; readonly icon: IconName }>> = {
  waiting: { tone: 'warn', icon: 'statusWarn' },
  rejected: { tone: 'bad', icon: 'statusBad' },
  issued: { tone: 'ok', icon: 'statusOk' },
  suspended: { tone: 'idle', icon: 'statusIdle' },
  revoked: { tone: 'bad', icon: 'statusBad' },
};

export function ApplicationsPanel() {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.apply;
  const query = useApplications();
  const kept = useKeptCards();
  const removed = useRemovedCards();
  useArrivals();
  return (
    <Panel title={texts.applications}>
      {!query.data &&
        (query.isError ? (
          <ErrorState failure={failureWords(query.error, words)} onAgain={() => void query.refetch()} />
        ) : (
          <Bones rows={2} hasMark={false} />
        ))}
      {query.data?.length === 0 && <EmptyState title={texts.noApplications} />}
      <ul className="wallet-list">
        {query.data?.map((application) => (
          <li key={application.vcId} className="wallet-row">
            <Application
              application={application}
              isHere={kept.data?.some(({ vcId }) => vcId === application.vcId.toLowerCase()) ?? false}
              isRemoved={removed.data?.includes(application.vcId.toLowerCase()) ?? false}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface ApplicationProps {
  readonly application: OwnApplication;
  /** Whether the card that it has become is in this wallet. */
  readonly isHere: boolean;
  /** Whether its owner has removed it. */
  readonly isRemoved: boolean;
}

function Application({ application, isHere, isRemoved }: ApplicationProps) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.apply;
  const { vcId, status, templateName, reason, updatedAt } = application;
  const state = applicationStanding(status);
  const { tone, icon } = looks[state];
  const name = templateName ?? texts.unnamed;
  return (
    <>
      <span className="grow">
        {isHere ? (
          <Link to="/wallet/cards/$vcId" params={{ vcId: vcId.toLowerCase() }} className="lk">
            {name}
          </Link>
        ) : (
          <b>{name}</b>
        )}
        {reason !== undefined && (
          <span className="hint wallet-reason">
            {texts.reason}{' '}
            <q>
              <ForeignText text={reason} />
            </q>
          </span>
        )}
        <span className="hint wallet-reason">
          <Time at={Date.parse(updatedAt)} />
        </span>
        {isRemoved && isToFetch(application, [], Date.now()) && <WantAgain vcId={vcId.toLowerCase()} />}
      </span>
      <span className={`st ${tone}`}>
        <Icon name={icon} />
        {texts.states[state]}
      </span>
    </>
  );
}

/** A card that was removed comes again only to whoever says so. */
function WantAgain({ vcId }: { readonly vcId: string }) {
  const { words } = useDeskWords('wallet');
  const { vault, did } = useWallet();
  const queries = useQueryClient();
  const wanting = useSingleMutation({
    mutationFn: () => wantAgain(vault, vcId),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['wallet', did, 'removed'] }),
  });
  return (
    <span className="wallet-reason">
      <Button size="small" icon="again" disabled={wanting.isPending} onClick={() => wanting.mutate()}>
        {words.wallet.apply.fetchAgain}
      </Button>
    </span>
  );
}
