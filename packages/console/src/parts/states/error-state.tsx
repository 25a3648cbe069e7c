/**
 * A failure: what happened, what did not happen, why, what to do, its code, the request's id and where the code is
 * explained. What a reader typed stays: this stands beside a form, never instead of it.
 */
import type { ReactNode } from 'react';
import { useWords } from '../../words/words.tsx';
import { Button } from '../controls/button.tsx';
import { CommandLine } from './command-line.tsx';

export interface FailureWords {
  readonly title: string;
  /** Why, and what did not happen. */
  readonly text: string;
  /** What to do. */
  readonly advice?: string | undefined;
  /** What to type in a terminal. */
  readonly command?: string | undefined;
  readonly code: string;
  readonly requestId?: string | undefined;
  /** Where the code is explained. */
  readonly help?: string | undefined;
}

export interface ErrorStateProps {
  readonly failure: FailureWords;
  readonly onAgain?: () => void;
  readonly children?: ReactNode;
}

export function ErrorState({ failure, onAgain, children }: ErrorStateProps) {
  const { words } = useWords();
  const { title, text, advice, command, code, requestId, help } = failure;
  return (
    <div className="fault" role="alert">
      <b>{title}</b>
      <p className="muted fault-text">{text}</p>
      {advice !== undefined && <p>{advice}</p>}
      {command !== undefined && <CommandLine command={command} />}
      <div className="row fault-foot">
        {onAgain && (
          <Button size="small" icon="again" onClick={onAgain}>
            {words.parts.tryAgain}
          </Button>
        )}
        {children}
        <span className="hint mono cut" title={requestId}>
          {[code, requestId].filter(Boolean).join(' ')}
        </span>
        {help !== undefined && (
          <a className="lk hint" href={help} target="_blank" rel="noreferrer">
            {words.failures.help}
          </a>
        )}
      </div>
    </div>
  );
}
