/** The sentence of a transaction, how it ended, where and when. */
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import type { ReactNode } from 'react';
import { TransactionSentence } from '../../../ledger/transaction-sentence.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { usePageTitle } from '../../../parts/frame/page-title.ts';
import { Block } from '../../../parts/written/block.tsx';
import { Hash } from '../../../parts/written/hash.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { shortHash } from '../../../text/short-ids.ts';
import { useDeskWords } from '../../../words/words.ts';
import { blockPath } from '../written/paths.ts';

const looks = {
  executed: { tone: 'ok', icon: 'check', status: 'statusOk' },
  failed: { tone: 'bad', icon: 'cross', status: 'statusBad' },
  waits: { tone: 'warn', icon: 'clock', status: 'statusWarn' },
} as const;

export interface TransactionHeadProps {
  readonly state: keyof typeof looks;
  readonly hash: string;
  readonly transaction: Transaction | undefined;
  readonly at: number;
  readonly block?: number;
  readonly children?: ReactNode;
}

export function TransactionHead({ state, hash, transaction, at, block, children }: TransactionHeadProps) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const { tone, icon, status } = looks[state];
  usePageTitle(`${explorer.transaction} ${shortHash(hash)}`);
  return (
    <div className="sentence">
      <span className={`ico ${tone}`} aria-hidden="true">
        <Icon name={icon} size={20} />
      </span>
      <div className="grow">
        {state === 'failed' && <p className="sentence-failed">{explorer.didNothing}</p>}
        <h1 className="told">
          {transaction ? (
            <TransactionSentence transaction={transaction} isExecuted={state === 'executed'} />
          ) : (
            explorer.unreadable
          )}
        </h1>
        <div className="meta">
          <span className={`st ${tone}`}>
            <Icon name={status} />
            {explorer[state]}
          </span>
          {block !== undefined && <Block number={block} to={blockPath(block)} />}
          <span className="muted">
            <Time at={at} />, {new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC
          </span>
          <Hash hash={hash} isOwnPage />
        </div>
        {children}
      </div>
    </div>
  );
}
