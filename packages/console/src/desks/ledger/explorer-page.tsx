/** The explorer: which of its pages is open says the address. */
import { useParams, useRouterState } from '@tanstack/react-router';
import { AccountListPage } from './accounts/account-list-page.tsx';
import { AccountPage } from './accounts/account-page.tsx';
import { BlockListPage } from './blocks/block-list-page.tsx';
import { BlockPage } from './blocks/block-page.tsx';
import './ledger.css';
import { OverviewPage } from './overview/overview-page.tsx';
import { TransactionListPage } from './transactions/transaction-list-page.tsx';
import { TransactionPage } from './transactions/transaction-page.tsx';

export default function ExplorerPage() {
  const { seq, hash, address } = useParams({ strict: false }) as Readonly<Record<string, string | undefined>>;
  const path = useRouterState({ select: ({ location }) => location.pathname });
  if (seq !== undefined) return <BlockPage seq={seq} />;
  if (hash !== undefined) return <TransactionPage hash={hash} />;
  if (address !== undefined) return <AccountPage address={address} />;
  if (path.startsWith('/ledger/blocks')) return <BlockListPage />;
  if (path.startsWith('/ledger/tx')) return <TransactionListPage />;
  if (path.startsWith('/ledger/accounts')) return <AccountListPage />;
  return <OverviewPage />;
}
