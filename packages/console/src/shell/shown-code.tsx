/** What "Show as code" shows: the requests of the page that is open, or of the act that somebody is about to do. */
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import type { CodeRequest } from '../code/code-request.ts';

export interface ShownCode {
  readonly title: string;
  readonly requests: readonly CodeRequest[];
}

interface CodeBoard {
  readonly shown: ShownCode | undefined;
  readonly show: (code: ShownCode | undefined) => void;
}

const CodeContext = createContext<CodeBoard | undefined>(undefined);

export function ShownCodeProvider({ children }: { readonly children: ReactNode }) {
  const [shown, show] = useState<ShownCode>();
  const board = useMemo(() => ({ shown, show }), [shown]);
  return <CodeContext value={board}>{children}</CodeContext>;
}

export function useCodeBoard(): CodeBoard {
  const board = use(CodeContext);
  if (!board) throw new Error('ShownCodeProvider is missing');
  return board;
}

/** A page says which requests it makes, as long as it is there. */
export function useShownCode(title: string, requests: readonly CodeRequest[]): void {
  const { show } = useCodeBoard();
  const text = JSON.stringify(requests);
  useEffect(() => {
    show({ title, requests: JSON.parse(text) as CodeRequest[] });
    return () => show(undefined);
  }, [show, title, text]);
}
