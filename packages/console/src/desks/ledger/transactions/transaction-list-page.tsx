/** All transactions, newest first; failed ones alone, or with what contracts did on their behalf. */

import { useClients } from '../../../api/api.tsx';
import { useCursorPages } from '../../../api/cursor-pages.ts';
import { useNewestBlock } from '../../../ledger/newest-block.ts';
import { Segments } from '../../../parts/controls/segments.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { UnreadFilters } from '../../../parts/states/unread-filters.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { useLiveList } from '../written/live-list.ts';
import { Loaded } from '../written/loaded.tsx';
import { useSearchWord } from '../written/search-words.ts';
import { type ToldRow, toldRows } from './told-rows.ts';
import { TransactionRows } from './transaction-rows.tsx';

const choices = ['signed', 'failed', 'triggered'] as const;
const pageRows = 50;

export function TransactionListPage() {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const { ledger } = useClients();
  const [which, choose] = useSearchWord('show', [...choices]);
  const asked = { limit: pageRows, ...(which !== 'signed' && { [which]: true }) };
  const queryKey = ['ledger', 'transactions', which];
  const list = useCursorPages<ToldRow>(queryKey, async (cursor) => {
    const [overview, { result }] = [
      cursor === undefined ? await ledger.getExplorerOverview() : undefined,
      await ledger.getTransactions({ ...asked, ...(cursor !== undefined && { cursor }) }),
    ];
    const total = overview?.result?.transaction_count;
    return {
      rows: await toldRows(ledger, result?.transactions ?? []),
      next: result?.next_cursor ?? undefined,
      ...(total !== undefined && { total: Number(total) }),
    };
  });
  const newest = useNewestBlock().block?.transactionCount;
  const read = list.data?.pages[0]?.total;
  const waiting = useLiveList({
    queryKey,
    newCount: newest === undefined || read === undefined ? 0 : Math.max(0, newest - read),
    pageCount: list.data?.pages.length ?? 0,
    refetch: list.refetch,
  });
  useShownCode(explorer.transactions, [{ server: 'ledger', route: 'getTransactions', given: asked }]);
  return (
    <DeskPage
      title={explorer.transactions}
      acts={
        <Segments
          label={explorer.show}
          value={which}
          options={choices.map((value) => ({ value, label: explorer.choices[value] }))}
          onChoose={choose}
        />
      }
    >
      <UnreadFilters rules={{ show: choices }} />
      <Panel>
        <Loaded query={{ ...list, data: list.rows }} rows={10}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState title={which === 'failed' ? explorer.noneFailed : words.home.feedEmpty} />
            ) : (
              <TransactionRows
                label={explorer.transactions}
                rows={rows}
                isLoadingMore={list.isFetchingNextPage}
                {...(list.more && { onMore: list.more })}
                // How many of the new ones failed is not known before they are read.
                {...(which !== 'failed' && { waiting })}
              />
            )
          }
        </Loaded>
      </Panel>
    </DeskPage>
  );
}
