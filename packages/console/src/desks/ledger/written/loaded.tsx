/** What a query brings, or bones while it is on its way, or why it does not come. What was read before stays. */
import type { ReactNode } from 'react';
import { failureWords } from '../../../api/failure.ts';
import { Bones } from '../../../parts/states/bones.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { useDeskWords } from '../../../words/words.ts';

export interface LoadedProps<Data> {
  readonly query: {
    readonly data: Data | undefined;
    readonly error: unknown;
    readonly isError: boolean;
    readonly refetch: () => unknown;
  };
  readonly rows?: number;
  readonly children: (data: Data) => ReactNode;
}

export function Loaded<Data>({ query, rows = 4, children }: LoadedProps<Data>) {
  const { words } = useDeskWords('ledger');
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError)
    return <ErrorState failure={failureWords(query.error, words)} onAgain={() => void query.refetch()} />;
  return <Bones rows={rows} hasMark={false} />;
}
