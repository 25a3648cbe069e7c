/** What waits for a block. */

import { unlessNotFound } from '@symbolon/sdk/errors/errors';
import { transactionOfRecord } from '@symbolon/sdk/transactions/transaction-sentence';
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../../../api/api.tsx';
import { livesWithLedger } from '../../../ledger/live-queries.ts';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { type Column, Rows } from '../../../parts/frame/rows.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { Amount } from '../../../parts/written/amount.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { countText } from '../../../text/numbers.ts';
import { shortHash } from '../../../text/short-ids.ts';
import { useDeskWords } from '../../../words/words.ts';
import { transactionPath } from '../written/paths.ts';
import '../ledger.css';
import { TransactionSentence } from '../../../ledger/transaction-sentence.tsx';
import type { WaitingRecord } from '../transactions/records.ts';
import { Loaded } from '../written/loaded.tsx';

const shownMax = 200;

export default function PendingPage() {
  const { words, language } = useDeskWords('ledger');
  const { explorer } = words;
  const { ledger } = useClients();
  const query = useQuery({
    queryKey: ['ledger', 'pending'],
    queryFn: async () => {
      const reply = await unlessNotFound(ledger.getTransactionCache({ limit: shownMax }));
      return { total: reply?.result?.total_count ?? 0, records: reply?.result?.transactions ?? [] };
    },
    meta: livesWithLedger,
    refetchInterval: 1_000,
  });
  useShownCode(words.shell.places.pending, [
    { server: 'ledger', route: 'getTransactionCache', given: { limit: shownMax } },
  ]);
  const columns: readonly Column<WaitingRecord>[] = [
    {
      key: 'sentence',
      title: explorer.whatWaits,
      width: 'minmax(0, 1fr)',
      cell: (record) => {
        const transaction = transactionOfRecord(record);
        return transaction ? (
          <span className="told-clip">
            <TransactionSentence transaction={transaction} isLinked={false} />
          </span>
        ) : (
          shortHash(record.hash)
        );
      },
    },
    {
      key: 'nonce',
      title: explorer.nonce,
      width: '90px',
      isNumber: true,
      isHiddenOnPhone: true,
      cell: ({ transaction }) => countText(BigInt(transaction.nonce ?? 0), language),
    },
    {
      key: 'fee',
      title: explorer.atMost,
      width: '130px',
      isNumber: true,
      isHiddenOnPhone: true,
      cell: ({ transaction }) => <Amount amount={BigInt(transaction.fee_limit ?? 0)} />,
    },
    {
      key: 'since',
      title: explorer.waitsSince,
      width: '110px',
      isNumber: true,
      cell: ({ incoming_time: since }) => <Time at={Number(since) / 1_000} width="narrow" />,
    },
  ];
  return (
    <DeskPage
      title={words.shell.places.pending}
      {...(query.data && { text: explorer.waitingNow(query.data.total) })}
    >
      <Panel>
        <Loaded query={query}>
          {({ records, total }) =>
            records.length === 0 ? (
              <EmptyState title={explorer.nothingWaits} text={explorer.nothingWaitsWhy} />
            ) : (
              <>
                <Rows
                  label={words.shell.places.pending}
                  columns={columns}
                  rows={records}
                  idOf={({ hash }) => hash}
                  hrefOf={({ hash }) => transactionPath(hash)}
                />
                {total > records.length && (
                  <p className="hint pad">{explorer.leftOut(total - records.length)}</p>
                )}
              </>
            )
          }
        </Loaded>
      </Panel>
    </DeskPage>
  );
}
