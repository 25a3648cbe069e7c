/** A page of a desk: its title says what is there in words; one primary act at most. */
import { type ReactNode, useEffect } from 'react';
import { useWords } from '../../words/words.tsx';

export interface DeskPageProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly acts?: ReactNode;
  readonly children: ReactNode;
}

export function DeskPage({ title, text, acts, children }: DeskPageProps) {
  const { words } = useWords();
  useEffect(() => {
    document.title = `${title} · ${words.shell.name}`;
  }, [title, words]);
  return (
    <div className="page">
      <div className="ph">
        <div>
          <h1>{title}</h1>
          {text !== undefined && <p>{text}</p>}
        </div>
        {acts !== undefined && <div className="acts">{acts}</div>}
      </div>
      {children}
    </div>
  );
}
