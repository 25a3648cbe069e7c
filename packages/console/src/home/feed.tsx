/** What just happened, newest first, as sentences. */
import type { ReactNode } from 'react';
import type { ToldTransaction } from '../ledger/recent-transactions.ts';
import { TransactionSentence } from '../ledger/transaction-sentence.tsx';
import { useBuiltPlaces } from '../navigation/built-places.tsx';
import { Block } from '../parts/written/block.tsx';
import { Time } from '../parts/written/time.tsx';
import { useWords } from '../words/words.ts';

export function FeedList({ transactions }: { readonly transactions: readonly ToldTransaction[] }) {
  const { words } = useWords();
  return (
    <ul className="feed">
      {transactions.map(({ hash, transaction, block, at, hasFailed }) => (
        <FeedLine key={hash} at={at} block={block}>
          {transaction ? <TransactionSentence transaction={transaction} isExecuted={!hasFailed} /> : hash}{' '}
          {hasFailed && <span className="st bad">{words.home.failed}</span>}
        </FeedLine>
      ))}
    </ul>
  );
}

export function FeedLine({
  at,
  block,
  children,
}: {
  readonly at: number;
  readonly block?: number;
  readonly children: ReactNode;
}) {
  const hasExplorer = useBuiltPlaces().has('explorer');
  return (
    <li>
      <span className="ag">
        <Time at={at} width="narrow" />
      </span>
      <span className="grow">{children}</span>
      {block !== undefined && (
        <Block number={block} {...(hasExplorer && { to: `/ledger/blocks/${block}` })} />
      )}
    </li>
  );
}
