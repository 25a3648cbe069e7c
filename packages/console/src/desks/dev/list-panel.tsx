/** A list of this desk in all its states: on its way, failed, empty, or there. What was read stays when reading fails. */
import type { ReactNode } from 'react';
import { failureWords } from '../../api/failure.ts';
import { Panel } from '../../parts/frame/panel.tsx';
import { Rows, type RowsProps } from '../../parts/frame/rows.tsx';
import { Bones } from '../../parts/states/bones.tsx';
import { EmptyState } from '../../parts/states/empty-state.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { useDeskWords } from '../../words/words.ts';

interface ReadList<Row> {
  readonly rows: readonly Row[] | undefined;
  readonly more?: (() => void) | undefined;
  readonly isFetchingNextPage?: boolean;
  readonly error: unknown;
  readonly isError: boolean;
  readonly refetch: () => unknown;
}

export interface ListPanelProps<Row>
  extends Omit<RowsProps<Row>, 'rows' | 'onMore' | 'isLoadingMore' | 'waiting'> {
  readonly query: ReadList<Row>;
  readonly title?: string;
  readonly aside?: ReactNode;
  /** In which words it says what went wrong; the usual ones, if left out. */
  readonly failureOf?: typeof failureWords;
  readonly empty: { readonly title: string; readonly text?: string; readonly act?: ReactNode };
}

export function ListPanel<Row>(props: ListPanelProps<Row>) {
  const { query, title, aside, failureOf = failureWords, empty, ...rows } = props;
  const { words } = useDeskWords('dev');
  const { rows: read, more, isFetchingNextPage = false, error, isError, refetch } = query;
  return (
    <Panel {...(title !== undefined && { title })} {...(aside !== undefined && { aside })}>
      {read === undefined && isError && (
        <ErrorState failure={failureOf(error, words)} onAgain={() => void refetch()} />
      )}
      {read === undefined && !isError && <Bones rows={4} hasMark={false} />}
      {read?.length === 0 && (
        <EmptyState title={empty.title} {...(empty.text !== undefined && { text: empty.text })}>
          {empty.act}
        </EmptyState>
      )}
      {read !== undefined && read.length > 0 && (
        <Rows {...rows} rows={read} {...(more && { onMore: more })} isLoadingMore={isFetchingNextPage} />
      )}
    </Panel>
  );
}
