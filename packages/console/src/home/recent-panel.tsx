/** What just happened on the ledger, live. */
import { useConnection } from '../api/api.tsx';
import { failureWords } from '../api/failure.ts';
import { useKnownNames } from '../ledger/known-names.ts';
import { useRecentTransactions } from '../ledger/recent-transactions.ts';
import { Panel } from '../parts/frame/panel.tsx';
import { Bones } from '../parts/states/bones.tsx';
import { EmptyState } from '../parts/states/empty-state.tsx';
import { ErrorState } from '../parts/states/error-state.tsx';
import { useWords } from '../words/words.ts';
import { FeedList } from './feed.tsx';
import { feedMax } from './feed-max.ts';

export default function RecentPanel() {
  const { words } = useWords();
  const { isPending } = useKnownNames();
  const { data, error, isError, refetch } = useRecentTransactions(feedMax);
  // A sentence that calls somebody by an address first and by name then is read twice.
  const isTold = data !== undefined && !isPending;
  const isLost = useConnection().state === 'lost';
  const live = (
    <>
      <span className="live" />
      <span className="hint">{words.home.live}</span>
    </>
  );
  return (
    <Panel title={words.home.feed} aside={isError || isLost ? undefined : live}>
      {data === undefined && isError && (
        <ErrorState failure={failureWords(error, words)} onAgain={() => void refetch()} />
      )}
      {!isTold && !isError && <Bones rows={5} hasMark={false} />}
      {isTold && data.length === 0 && (
        <EmptyState title={words.home.feedEmpty} text={words.home.feedEmptyWhy} />
      )}
      {isTold && data.length > 0 && <FeedList transactions={data} />}
    </Panel>
  );
}
