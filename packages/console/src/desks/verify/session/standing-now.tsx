/** That a credential does not stand any more as it did when it was checked, by the ledger's word of now. */
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../../../api/api.tsx';
import { livesWithLedger } from '../../../ledger/live-queries.ts';
import { Icon } from '../../../parts/controls/icon.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { type Changed, changedSince } from './session-facts.ts';

type Identified = { readonly id: string };

export function StandingNow({ credentials }: { readonly credentials: readonly Identified[] }) {
  const { words } = useDeskWords('verify');
  const changed = useChanged(credentials);
  // Where nobody answers, nothing is said: the verdict names the time that it is of.
  if (changed === undefined) return null;
  return (
    <p className="note warn" role="alert">
      <Icon name="statusWarn" />
      {words.verify.result.changedSince[changed]}
    </p>
  );
}

function useChanged(credentials: readonly Identified[]): Changed | undefined {
  const { service } = useClients();
  const ids = credentials.map(({ id }) => id);
  const { data } = useQuery({
    queryKey: ['verify', 'standing', ids],
    queryFn: () => Promise.all(ids.map((vcId) => service.getCredentialStatus({ vcId }))),
    meta: livesWithLedger,
  });
  return data && changedSince(data, Date.now());
}
