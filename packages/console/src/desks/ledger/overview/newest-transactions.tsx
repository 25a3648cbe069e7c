/** The newest transactions, each as one sentence; what failed says why. */
import { transactionOfRecord } from '@symbolon/sdk/transactions/transaction-sentence';
import { Link } from '@tanstack/react-router';
import type { useRecentRecords } from '../../../ledger/recent-transactions.ts';
import { TransactionSentence } from '../../../ledger/transaction-sentence.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { countText } from '../../../text/numbers.ts';
import { shortHash } from '../../../text/short-ids.ts';
import { useDeskWords } from '../../../words/words.ts';
import { transactionPath } from '../written/paths.ts';

type Records = NonNullable<ReturnType<typeof useRecentRecords>['data']>;

export function NewestTransactions({ records }: { readonly records: Records }) {
  const { words, language } = useDeskWords('ledger');
  return (
    <ul className="tl">
      {records.map((record) => {
        const transaction = transactionOfRecord(record);
        const hasFailed = record.error_code !== 0;
        return (
          <li key={record.hash} className={hasFailed ? 'bad' : 'ok'}>
            <Icon name={hasFailed ? 'statusBad' : 'statusOk'} />
            <span className="grow">
              <Link to={transactionPath(record.hash)} className="tl-open">
                <span className="sr">{hasFailed ? words.explorer.failed : words.explorer.executed}: </span>
                {transaction ? (
                  <TransactionSentence transaction={transaction} isExecuted={!hasFailed} isLinked={false} />
                ) : (
                  shortHash(record.hash)
                )}
              </Link>
              <span className="hint row wrap">
                <span className="mono lk">{shortHash(record.hash)}</span>
                <span>{words.shell.block(countText(BigInt(record.ledger_seq), language))}</span>
                <Time at={Number(record.close_time) / 1_000} width="narrow" />
                {hasFailed && <span className="st bad">{words.explorer.failedCode(record.error_code)}</span>}
              </span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
