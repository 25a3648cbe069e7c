/** The ledger at a glance: a box to search, six numbers, charts of the last blocks, and what just came. */
import { Link } from '@tanstack/react-router';
import { useConnection } from '../../../api/api.tsx';
import type { CodeRequest } from '../../../code/code-request.ts';
import { useRecentRecords } from '../../../ledger/recent-transactions.ts';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import { useLastFigures, useOverview } from '../blocks/ledger-figures.ts';
import { chartRanges } from '../charts/ranges.ts';
import { Loaded } from '../written/loaded.tsx';
import { useSearchWord } from '../written/search-words.ts';
import { BlockCharts } from './block-charts.tsx';
import { NewestBlocks } from './newest-blocks.tsx';
import { NewestTransactions } from './newest-transactions.tsx';
import { SearchBox } from './search-box.tsx';
import { Tape } from './tape.tsx';

const newestMax = 7;
const toldMax = 6;

export function OverviewPage() {
  const { words, language } = useDeskWords('ledger');
  const { explorer } = words;
  const [range, setRange] = useSearchWord('blocks', [...chartRanges]);
  const overview = useOverview();
  const figures = useLastFigures(Number(range));
  const recent = useRecentRecords(toldMax);
  const requests: readonly CodeRequest[] = [
    { server: 'ledger', route: 'getExplorerOverview' },
    { server: 'ledger', route: 'getLedgerFigures', given: { limit: Math.min(200, Number(range)) } },
    { server: 'ledger', route: 'getTransactionHistory', given: { limit: toldMax } },
    { server: 'service', route: 'watchBlocks' },
  ];
  useShownCode(words.shell.places.explorer, requests);
  const index = overview.data?.index;
  const isBehind = index && overview.data && Number(index.indexed_seq) < Number(overview.data.head_seq);
  return (
    <DeskPage title={words.shell.places.explorer} acts={<LedgerPlaces />}>
      <SearchBox />
      <Loaded query={overview} rows={1}>
        {(data) => (
          <>
            <Tape overview={data} blockTimeMs={Number(data.block_time) / 1_000} />
            {data.index === null && <p className="note">{explorer.noIndex}</p>}
            {isBehind && (
              <p className="note">
                {explorer.indexBehind(
                  countText(BigInt(data.index?.indexed_seq ?? 0), language),
                  countText(BigInt(data.head_seq), language),
                )}
              </p>
            )}
          </>
        )}
      </Loaded>
      <Loaded query={figures} rows={5}>
        {(blocks) => (
          <BlockCharts
            figures={blocks}
            range={range}
            onRange={setRange}
            waiting={overview.data?.waiting_lately ?? []}
            waitingCount={overview.data?.waiting_count ?? 0}
          />
        )}
      </Loaded>
      <div className="grid ledger-two">
        <Panel title={explorer.blocks} aside={<LiveAside to="/ledger/blocks" isRead={!figures.isError} />}>
          <Loaded query={figures} rows={newestMax}>
            {(blocks) => <NewestBlocks blocks={blocks.slice(-newestMax).reverse()} />}
          </Loaded>
        </Panel>
        <Panel title={explorer.transactions} aside={<LiveAside to="/ledger/tx" isRead={!recent.isError} />}>
          <Loaded query={recent} rows={toldMax}>
            {(records) =>
              records.length === 0 ? (
                <EmptyState title={words.home.feedEmpty} text={words.home.feedEmptyWhy} />
              ) : (
                <NewestTransactions records={records} />
              )
            }
          </Loaded>
        </Panel>
      </div>
    </DeskPage>
  );
}

function LedgerPlaces() {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  return (
    <nav className="row wrap" aria-label={explorer.places}>
      <Link to="/ledger/blocks" className="btn sm">
        {explorer.blocks}
      </Link>
      <Link to="/ledger/tx" className="btn sm">
        {explorer.transactions}
      </Link>
      <Link to="/ledger/accounts" className="btn sm">
        {explorer.accounts}
      </Link>
    </nav>
  );
}

function LiveAside({ to, isRead }: { readonly to: string; readonly isRead: boolean }) {
  const { words } = useDeskWords('ledger');
  const isLive = useConnection().state !== 'lost' && isRead;
  return (
    <>
      <span className={isLive ? 'live' : 'live off'} />
      <span className="hint">{isLive ? words.home.live : words.explorer.notLive}</span>
      <Link to={to} className="lk">
        {words.explorer.all}
      </Link>
    </>
  );
}
