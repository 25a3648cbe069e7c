/**
 * A failure: what happened, what did not happen, why, what to do, its code, the request's id and where the code is
 * explained. What a reader typed stays: this stands beside a form, never instead of it.
 */
import type { ReactNode } from 'react';
import { useWords } from '../../words/words.ts';
import { Button } from '../controls/button.tsx';
import { useIsOnline } from '../hooks/use-online.ts';
import { useIsOperator } from '../hooks/use-operator.ts';
import { useOpenSignIn } from '../hooks/use-sign-in.ts';
import { CommandLine } from './command-line.tsx';

export interface FailureWords {
  readonly title: string;
  /** Why, and what did not happen. */
  readonly text: string;
  /** What to do. */
  readonly advice?: string | undefined;
  /** What to type in a terminal. */
  readonly command?: string | undefined;
  /** What whoever runs the service can do, in place of that. */
  readonly operator?: { readonly advice: string; readonly command: string };
  /** By which others can look it up; a state that only this page knows has none. */
  readonly code?: string;
  readonly requestId?: string | undefined;
  /** Where the code is explained. */
  readonly help?: string | undefined;
}

export interface ErrorStateProps {
  readonly failure: FailureWords;
  readonly onAgain?: () => void;
  /** The failure is what the page is headed with. */
  readonly isUnderTitle?: boolean;
  readonly children?: ReactNode;
}

/** That the browser was not connected is said in the past as soon as it is again: the words are of when it was found. */
export function useToldNow(told: FailureWords): FailureWords {
  const { words } = useWords();
  const isOnline = useIsOnline();
  if (told.title !== words.failures.offline || !isOnline) return told;
  return { ...told, title: words.parts.wasOffline, advice: words.parts.wasOfflineDo };
}

export function ErrorState({ failure: told, onAgain, isUnderTitle = false, children }: ErrorStateProps) {
  const { words } = useWords();
  const failure = useToldNow(told);
  const openSignIn = useOpenSignIn();
  const isOperator = useIsOperator();
  const { title, text, code, requestId, help } = failure;
  const { advice, command } = (isOperator ? failure.operator : undefined) ?? failure;
  return (
    <div className="fault" role="alert">
      {!isUnderTitle && <b>{title}</b>}
      <p className="muted fault-text">{text}</p>
      {advice !== undefined && <p>{advice}</p>}
      {command !== undefined && <CommandLine command={command} />}
      <div className="row fault-foot">
        {onAgain && (
          <Button size="small" icon="again" onClick={onAgain}>
            {words.parts.tryAgain}
          </Button>
        )}
        {openSignIn && code === 'notAuthenticated' && (
          <Button size="small" icon="key" onClick={openSignIn}>
            {words.signIn.title}
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
