/** One block: what it says of itself, and its transactions in the order in which they were executed. */
import { unlessNotFound } from '@symbolon/sdk/errors/errors';
import type { LedgerReply } from '@symbolon/sdk/ledger/ledger-client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClients } from '../../../api/api.tsx';
import { useCursorPages } from '../../../api/cursor-pages.ts';
import { useNewestBlock } from '../../../ledger/newest-block.ts';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { Block } from '../../../parts/written/block.tsx';
import { Hash } from '../../../parts/written/hash.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import { type ToldRow, toldRows } from '../transactions/told-rows.ts';
import { TransactionRows } from '../transactions/transaction-rows.tsx';
import { Loaded } from '../written/loaded.tsx';
import { blockPath } from '../written/paths.ts';

const blockNumber = /^[1-9][0-9]{0,15}$/;

export function BlockPage({ seq: given }: { readonly seq: string }) {
  const { words } = useDeskWords('ledger');
  return blockNumber.test(given) ? (
    <KnownBlock key={given} seq={given} />
  ) : (
    <NoBlock title={words.explorer.noBlock} text={words.explorer.noBlockNumber} />
  );
}

function NoBlock({ title, text }: { readonly title: string; readonly text: string }) {
  const { words } = useDeskWords('ledger');
  return (
    <DeskPage title={title}>
      <Panel>
        <EmptyState title={title} text={text}>
          <Link to="/ledger/blocks" className="btn sm">
            {words.explorer.blocks}
          </Link>
        </EmptyState>
      </Panel>
    </DeskPage>
  );
}

function KnownBlock({ seq }: { readonly seq: string }) {
  const { words, language } = useDeskWords('ledger');
  const { explorer } = words;
  const { ledger } = useClients();
  const newest = useNewestBlock().block?.number;
  const block = useQuery({
    queryKey: ['ledger', 'block', seq],
    queryFn: async () => {
      const reply = await unlessNotFound(ledger.getLedger({ seq, with_validator: true, with_fee: true }));
      return reply?.result ?? null;
    },
    // A block that is not there yet may come.
    refetchInterval: ({ state }) => (state.data === null ? 3_000 : false),
  });
  useShownCode(words.shell.block(seq), [
    { server: 'ledger', route: 'getLedger', given: { seq, with_validator: true } },
    { server: 'ledger', route: 'getTransactions', given: { ledger_seq: seq } },
  ]);
  const title = words.shell.block(countText(BigInt(seq), language));
  if (block.data === null) return <NoBlock title={explorer.noBlock} text={explorer.noBlockYet(title)} />;
  const number = Number(seq);
  return (
    <DeskPage
      title={title}
      acts={
        <>
          {number > 1 && (
            <Link to={blockPath(number - 1)} className="btn sm">
              {explorer.blockBefore}
            </Link>
          )}
          {newest !== undefined && number < newest && (
            <Link to={blockPath(number + 1)} className="btn sm">
              {explorer.blockAfter}
            </Link>
          )}
        </>
      }
    >
      <div className="ledger-cols">
        <Panel title={explorer.transactions}>
          <BlockTransactions seq={seq} />
        </Panel>
        <Panel className="sum">
          <Loaded query={{ ...block, data: block.data }} rows={6}>
            {({ header, validators = [] }) => (
              <BlockFacts number={number} header={header} validatorCount={validators.length} />
            )}
          </Loaded>
        </Panel>
      </div>
    </DeskPage>
  );
}

interface BlockFactsProps {
  readonly number: number;
  readonly header: NonNullable<LedgerReply<'getLedger'>['result']>['header'];
  readonly validatorCount: number;
}

function BlockFacts({ number, header, validatorCount }: BlockFactsProps) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  return (
    <dl className="facts">
      <dt>{explorer.closed}</dt>
      <dd>{number === 1 ? explorer.first : <Time at={Number(header.close_time) / 1_000} />}</dd>
      <dt>{explorer.hash}</dt>
      <dd>
        <Hash hash={header.hash ?? ''} isOwnPage />
      </dd>
      <dt>{explorer.before}</dt>
      <dd>
        {number > 1 ? (
          <Block number={number - 1} to={blockPath(number - 1)} />
        ) : (
          <span className="muted">{explorer.nothing}</span>
        )}
      </dd>
      <dt>{explorer.stateRoot}</dt>
      <dd>
        <Hash hash={header.account_tree_hash ?? ''} isOwnPage />
      </dd>
      <dt>{explorer.since}</dt>
      <dd className="num">{explorer.sinceFirst(Number(header.tx_count ?? 0))}</dd>
      <dt>{words.shell.places.validators}</dt>
      <dd>
        <Link to="/ledger/validators" className="lk">
          {explorer.validators(validatorCount)}
        </Link>
      </dd>
      <dt>{explorer.version}</dt>
      <dd className="num">{String(header.version ?? '')}</dd>
    </dl>
  );
}

function BlockTransactions({ seq }: { readonly seq: string }) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const { ledger } = useClients();
  const list = useCursorPages<ToldRow>(['ledger', 'block-transactions', seq], async (cursor) => {
    const { result } = await ledger.getTransactions({
      ledger_seq: seq,
      limit: 50,
      ...(cursor !== undefined && { cursor }),
    });
    return {
      rows: await toldRows(ledger, result?.transactions ?? []),
      next: result?.next_cursor ?? undefined,
    };
  });
  return (
    <Loaded query={{ ...list, data: list.rows }} rows={5}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState title={explorer.emptyBlock} />
        ) : (
          <TransactionRows
            label={explorer.transactions}
            hasBlock={false}
            rows={rows}
            isLoadingMore={list.isFetchingNextPage}
            {...(list.more && { onMore: list.more })}
          />
        )
      }
    </Loaded>
  );
}
