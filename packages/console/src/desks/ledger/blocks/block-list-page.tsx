/** All blocks, newest first. */
import { useClients } from '../../../api/api.tsx';
import { useCursorPages } from '../../../api/cursor-pages.ts';
import { useNewestBlock } from '../../../ledger/newest-block.ts';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { type Column, Rows } from '../../../parts/frame/rows.tsx';
import { Amount } from '../../../parts/written/amount.tsx';
import { Block } from '../../../parts/written/block.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { countText } from '../../../text/numbers.ts';
import { shortHash } from '../../../text/short-ids.ts';
import { useDeskWords } from '../../../words/words.ts';
import { useLiveList } from '../written/live-list.ts';
import { Loaded } from '../written/loaded.tsx';
import { blockPath } from '../written/paths.ts';
import { type ShownFigures, shownFigures } from './ledger-figures.ts';

const queryKey = ['ledger', 'blocks'];
const asked = { limit: 50 };

function useBlockColumns(): readonly Column<ShownFigures>[] {
  const { words, language } = useDeskWords('ledger');
  const { explorer } = words;
  return [
    { key: 'seq', title: explorer.block, width: '110px', cell: ({ seq }) => <Block number={seq} /> },
    {
      key: 'hash',
      title: explorer.hash,
      width: 'minmax(0, 1fr)',
      isHiddenOnPhone: true,
      cell: ({ hash }) => <span className="mono muted">{shortHash(hash, true)}</span>,
    },
    {
      key: 'transactions',
      title: explorer.txs,
      width: '110px',
      isNumber: true,
      isHiddenOnPhone: true,
      cell: ({ transactions, failed }) => (
        <>
          {countText(transactions, language)}
          {failed > 0 && <span className="st bad"> {explorer.failedOf(failed)}</span>}
        </>
      ),
    },
    {
      key: 'fees',
      title: explorer.fees,
      width: '130px',
      isNumber: true,
      isHiddenOnPhone: true,
      cell: ({ fees }) => <Amount amount={fees} />,
    },
    {
      key: 'size',
      title: explorer.size,
      width: '110px',
      isNumber: true,
      isHiddenOnPhone: true,
      cell: ({ bytes }) => explorer.bytes(bytes),
    },
    {
      key: 'age',
      title: explorer.age,
      width: '110px',
      isNumber: true,
      cell: ({ closedAt, seq }) => (seq === 1 ? explorer.first : <Time at={closedAt} width="narrow" />),
    },
  ];
}

export function BlockListPage() {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const { ledger } = useClients();
  const list = useCursorPages<ShownFigures>(queryKey, async (cursor) => {
    const { result } = await ledger.getLedgerFigures({ ...asked, ...(cursor !== undefined && { cursor }) });
    return { rows: (result?.ledgers ?? []).map(shownFigures), next: result?.next_cursor ?? undefined };
  });
  const newest = useNewestBlock().block?.number;
  const first = list.rows?.[0]?.seq;
  const waiting = useLiveList({
    queryKey,
    newCount: newest === undefined || first === undefined ? 0 : Math.max(0, newest - first),
    pageCount: list.data?.pages.length ?? 0,
    refetch: list.refetch,
  });
  useShownCode(explorer.blocks, [{ server: 'ledger', route: 'getLedgerFigures', given: asked }]);
  const columns = useBlockColumns();
  return (
    <DeskPage title={explorer.blocks}>
      <Panel>
        <Loaded query={{ ...list, data: list.rows }} rows={10}>
          {(rows) => (
            <Rows
              label={explorer.blocks}
              columns={columns}
              rows={rows}
              idOf={({ hash }) => hash}
              hrefOf={({ seq }) => blockPath(seq)}
              isLoadingMore={list.isFetchingNextPage}
              waiting={waiting}
              {...(list.more && { onMore: list.more })}
            />
          )}
        </Loaded>
      </Panel>
    </DeskPage>
  );
}
