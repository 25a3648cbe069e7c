/** Transactions in rows: what each does, what it cost, its block and its age. */

import { TransactionSentence } from '../../../ledger/transaction-sentence.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { type Column, Rows, type RowsProps } from '../../../parts/frame/rows.tsx';
import { Amount } from '../../../parts/written/amount.tsx';
import { Block } from '../../../parts/written/block.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { shortHash } from '../../../text/short-ids.ts';
import type { DeskSections } from '../../../words/desk-words.ts';
import { useDeskWords } from '../../../words/words.ts';
import { transactionPath } from '../written/paths.ts';
import type { ToldRow } from './told-rows.ts';

type Role = keyof DeskSections['explorer']['roles'];

export interface TransactionRowsProps extends Omit<RowsProps<ToldRow>, 'columns' | 'idOf' | 'hrefOf'> {
  /** Which part an account had in each, in place of what it cost. */
  readonly hasRoles?: boolean;
  /** Left out where all are of one block. */
  readonly hasBlock?: boolean;
}

export function TransactionRows({ hasRoles = false, hasBlock = true, ...rows }: TransactionRowsProps) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const roleText = (role: string): string =>
    Object.hasOwn(explorer.roles, role) ? explorer.roles[role as Role] : role;
  const columns: readonly Column<ToldRow>[] = [
    {
      key: 'sentence',
      title: explorer.whatHappened,
      width: 'minmax(0, 1fr)',
      cell: (row) => <Sentence row={row} />,
    },
    hasRoles
      ? {
          key: 'roles',
          title: explorer.part,
          width: '92px',
          isHiddenOnPhone: true,
          cell: ({ roles }) => <span className="muted">{roles.map(roleText).join(', ')}</span>,
        }
      : {
          key: 'fee',
          title: explorer.fee,
          width: '120px',
          isNumber: true,
          isHiddenOnPhone: true,
          cell: ({ fee }) => <Amount amount={fee} />,
        },
    ...(hasBlock ? [blockColumn(explorer.block), ageColumn(explorer.age)] : []),
  ];
  return (
    <Rows
      {...rows}
      columns={columns}
      idOf={({ hash }) => hash}
      hrefOf={({ hash }) => transactionPath(hash)}
    />
  );
}

const blockColumn = (title: string): Column<ToldRow> => ({
  key: 'block',
  title,
  width: '84px',
  isNumber: true,
  cell: ({ block }) => <Block number={block} />,
});

const ageColumn = (title: string): Column<ToldRow> => ({
  key: 'age',
  title,
  width: '76px',
  isNumber: true,
  isHiddenOnPhone: true,
  cell: ({ at }) => <Time at={at} width="narrow" />,
});

function Sentence({ row }: { readonly row: ToldRow }) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const hasFailed = row.code !== 0;
  return (
    <span className={`told-line ${hasFailed ? 'bad' : 'ok'}`}>
      <Icon name={hasFailed ? 'statusBad' : row.isTriggered ? 'bolt' : 'statusOk'} size={14} />
      <span className="sr">{hasFailed ? explorer.failed : explorer.executed}: </span>
      <span className="told-clip">
        {row.transaction ? (
          <TransactionSentence transaction={row.transaction} isExecuted={!hasFailed} isLinked={false} />
        ) : (
          shortHash(row.hash)
        )}
        {hasFailed && <span className="st bad"> {explorer.failedCode(row.code)}</span>}
        {row.triggered > 0 && <span className="faint"> {explorer.triggeredCount(row.triggered)}</span>}
      </span>
    </span>
  );
}
