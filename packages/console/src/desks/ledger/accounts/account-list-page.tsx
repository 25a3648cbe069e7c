/** All accounts, the youngest first, or contracts alone. */

import { useClients } from '../../../api/api.tsx';
import { useCursorPages } from '../../../api/cursor-pages.ts';
import { Segments } from '../../../parts/controls/segments.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { type Column, Rows } from '../../../parts/frame/rows.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { UnreadFilters } from '../../../parts/states/unread-filters.tsx';
import { Block } from '../../../parts/written/block.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import { AccountRef } from '../written/account-ref.tsx';
import { Loaded } from '../written/loaded.tsx';
import { accountPath } from '../written/paths.ts';
import { useSearchWord } from '../written/search-words.ts';

interface AccountRow {
  readonly address: string;
  readonly createdIn: number;
  readonly isContract: boolean;
  readonly transactions: bigint;
}

const choices = ['accounts', 'contracts'] as const;

function useAccountColumns(): readonly Column<AccountRow>[] {
  const { words, language } = useDeskWords('ledger');
  const { explorer } = words;
  return [
    {
      key: 'account',
      title: explorer.account,
      width: 'minmax(0, 1fr)',
      cell: ({ address }) => <AccountRef address={address} isPlain />,
    },
    {
      key: 'kind',
      title: explorer.kind,
      width: '110px',
      isHiddenOnPhone: true,
      cell: ({ isContract }) => (isContract ? <span className="tag plain">{explorer.contract}</span> : null),
    },
    {
      key: 'address',
      title: explorer.address,
      width: 'minmax(0, 1.4fr)',
      isHiddenOnPhone: true,
      cell: ({ address }) => <span className="mono muted">{address}</span>,
    },
    {
      key: 'transactions',
      title: explorer.txs,
      width: '90px',
      isNumber: true,
      cell: ({ transactions }) => countText(transactions, language),
    },
    {
      key: 'block',
      title: explorer.createdIn,
      width: '120px',
      isNumber: true,
      isHiddenOnPhone: true,
      cell: ({ createdIn }) => <Block number={createdIn} />,
    },
  ];
}

export function AccountListPage() {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const { ledger } = useClients();
  const [which, choose] = useSearchWord('show', [...choices]);
  const asked = { limit: 50, ...(which === 'contracts' && { contracts: true }) };
  const list = useCursorPages<AccountRow>(['ledger', 'accounts', which], async (cursor) => {
    const { result } = await ledger.getAccounts({ ...asked, ...(cursor !== undefined && { cursor }) });
    const rows = (result?.accounts ?? []).map((account) => ({
      address: account.address,
      createdIn: Number(account.created_seq),
      isContract: account.is_contract,
      transactions: BigInt(account.transaction_count),
    }));
    return { rows, next: result?.next_cursor ?? undefined };
  });
  useShownCode(explorer.accounts, [{ server: 'ledger', route: 'getAccounts', given: asked }]);
  const columns = useAccountColumns();
  return (
    <DeskPage
      title={explorer.accounts}
      acts={
        <Segments
          label={explorer.show}
          value={which}
          options={choices.map((value) => ({ value, label: explorer.accountChoices[value] }))}
          onChoose={choose}
        />
      }
    >
      <UnreadFilters rules={{ show: choices }} />
      <Panel>
        <Loaded query={{ ...list, data: list.rows }} rows={10}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState title={explorer.noAccounts} />
            ) : (
              <Rows
                label={explorer.accounts}
                columns={columns}
                rows={rows}
                idOf={({ address }) => address}
                hrefOf={({ address }) => accountPath(address)}
                isLoadingMore={list.isFetchingNextPage}
                {...(list.more && { onMore: list.more })}
              />
            )
          }
        </Loaded>
      </Panel>
    </DeskPage>
  );
}
