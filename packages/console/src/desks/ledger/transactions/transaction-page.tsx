/** One transaction: a sentence first, then what it is made of. A hash that no block has says where it is instead. */
import { LedgerError, unlessNotFound } from '@symbolon/sdk/errors/errors';
import { transactionOfRecord } from '@symbolon/sdk/transactions/transaction-sentence';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClients } from '../../../api/api.tsx';
import { livesWithLedger } from '../../../ledger/live-queries.ts';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { Loaded } from '../written/loaded.tsx';
import { LastBlock } from './last-block.tsx';
import type { ExecutedRecord, WaitingRecord } from './records.ts';
import { TransactionHead } from './transaction-head.tsx';
import { TransactionInBlock } from './transaction-in-block.tsx';

type Sighting =
  | { readonly place: 'block'; readonly record: ExecutedRecord }
  | { readonly place: 'queue'; readonly record: WaitingRecord }
  | { readonly place: 'left'; readonly code: number; readonly description: string }
  | { readonly place: 'nowhere' };

function useSighting(hash: string) {
  const { ledger } = useClients();
  return useQuery({
    queryKey: ['ledger', 'transaction', hash],
    queryFn: async (): Promise<Sighting> => {
      const history = await unlessNotFound(ledger.getTransactionHistory({ hash }));
      const record = history?.result?.transactions[0];
      if (record) return { place: 'block', record };
      try {
        const cache = await unlessNotFound(ledger.getTransactionCache({ hash }));
        const waiting = cache?.result?.transactions[0];
        return waiting ? { place: 'queue', record: waiting } : { place: 'nowhere' };
      } catch (error) {
        // What left the queue is told with the code of its reason.
        if (error instanceof LedgerError)
          return { place: 'left', code: error.code, description: error.description };
        throw error;
      }
    },
    // What is in no block may come into one.
    meta: livesWithLedger,
    refetchInterval: ({ state }) => (state.data?.place === 'queue' ? 1_000 : false),
  });
}

const hashForm = /^[0-9a-f]{64}$/;

export function TransactionPage({ hash: given }: { readonly hash: string }) {
  const { words } = useDeskWords('ledger');
  const hash = given.toLowerCase();
  return hashForm.test(hash) ? (
    <SoughtTransaction key={hash} hash={hash} />
  ) : (
    <Nowhere title={words.explorer.noHash} text={words.explorer.noHashWhy} />
  );
}

function SoughtTransaction({ hash }: { readonly hash: string }) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const query = useSighting(hash);
  useShownCode(explorer.transaction, [
    { server: 'ledger', route: 'getTransactionHistory', given: { hash } },
    { server: 'ledger', route: 'getTransactionEffects', given: { hash } },
  ]);
  if (query.data === undefined)
    return (
      <DeskPage title={explorer.transaction}>
        <Panel>
          <Loaded query={query}>{() => null}</Loaded>
        </Panel>
      </DeskPage>
    );
  const sighting = query.data;
  if (sighting.place === 'block') return <TransactionInBlock record={sighting.record} />;
  if (sighting.place === 'queue') return <WaitingTransaction record={sighting.record} />;
  if (sighting.place === 'left')
    return (
      <Nowhere title={explorer.leftQueue} text={explorer.leftQueueWhy(sighting.description, sighting.code)} />
    );
  return <Nowhere title={explorer.unknownHash} text={explorer.unknownHashWhy} />;
}

function WaitingTransaction({ record }: { readonly record: WaitingRecord }) {
  const { words } = useDeskWords('ledger');
  return (
    <div className="page">
      <TransactionHead
        state="waits"
        hash={record.hash}
        transaction={transactionOfRecord(record)}
        at={Number(record.incoming_time) / 1_000}
      >
        <p className="muted">
          {words.explorer.mayWait}: <LastBlock ceiling={record.transaction.ceil_ledger_seq} />
        </p>
      </TransactionHead>
      <Panel>
        <EmptyState title={words.explorer.waits} text={words.explorer.waitsWhy}>
          <Link to="/ledger/pending" className="btn sm">
            {words.shell.places.pending}
          </Link>
        </EmptyState>
      </Panel>
    </div>
  );
}

function Nowhere({ title, text }: { readonly title: string; readonly text: string }) {
  const { words } = useDeskWords('ledger');
  return (
    <DeskPage title={title}>
      <Panel>
        <EmptyState title={title} text={text}>
          <Link to="/ledger/tx" className="btn sm">
            {words.explorer.transactions}
          </Link>
        </EmptyState>
      </Panel>
    </DeskPage>
  );
}
