/** What just happened on the ledger, live. */
import { failureWords } from '../api/failure.ts';
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
  const { data, error, isError, refetch } = useRecentTransactions(feedMax);
  const live = (
    <>
      <span className={isError ? 'live off' : 'live'} />
      <span className="hint">{words.home.live}</span>
    </>
  );
  return (
    <Panel title={words.home.feed} aside={isError ? undefined : live}>
      {data === undefined && isError && (
        <ErrorState failure={failureWords(error, words)} onAgain={() => void refetch()} />
      )}
      {data === undefined && !isError && <Bones rows={5} hasMark={false} />}
      {data?.length === 0 && <EmptyState title={words.home.feedEmpty} text={words.home.feedEmptyWhy} />}
      {data !== undefined && data.length > 0 && <FeedList transactions={data} />}
    </Panel>
  );
}
