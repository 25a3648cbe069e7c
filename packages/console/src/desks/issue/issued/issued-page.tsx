/** What is issued: a table with the ledger's word on each, and one of it on its own page. */
import { useParams } from '@tanstack/react-router';
import '../issue.css';
import { IssuedDetail } from './issued-detail.tsx';
import { IssuedTable } from './issued-table.tsx';

export default function IssuedPage() {
  const { vcId } = useParams({ strict: false });
  return vcId === undefined ? <IssuedTable /> : <IssuedDetail key={vcId} vcId={vcId} />;
}
