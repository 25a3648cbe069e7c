/** What was asked for: bones until it is there, what went wrong, or what was read. What was read before stays. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { failureWords } from '../../../api/failure.ts';
import { Bones } from '../../../parts/states/bones.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { useDeskWords } from '../../../words/words.ts';

export interface QueryPartProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isError' | 'refetch'>;
  readonly rows?: number;
  readonly children: (data: Data) => ReactNode;
}

export function QueryPart<Data>({ query, rows = 3, children }: QueryPartProps<Data>) {
  const { words } = useDeskWords('issue');
  if (query.data !== undefined) return children(query.data);
  if (query.isError)
    return <ErrorState failure={failureWords(query.error, words)} onAgain={() => void query.refetch()} />;
  return <Bones rows={rows} hasMark={false} />;
}
