/** A form of one dialog: what is typed stays when it fails, and the failure stands below it in words. */
import { type ReactNode, useState } from 'react';
import { failureWords } from '../../api/failure.ts';
import type { FrameWords } from '../../words/catalogue.ts';
import { useWords } from '../../words/words.ts';
import { Button } from '../controls/button.tsx';
import { ErrorState, type FailureWords } from '../states/error-state.tsx';

export interface ActFormProps {
  readonly submit: string;
  readonly hint?: ReactNode;
  readonly isReady: boolean;
  readonly onSubmit: () => Promise<void>;
  /** Words for failures of its own kind. */
  readonly failureOf?: (error: unknown, words: FrameWords) => FailureWords;
  readonly children: ReactNode;
}

export function ActForm({
  submit,
  hint,
  isReady,
  onSubmit,
  failureOf = failureWords,
  children,
}: ActFormProps) {
  const { words } = useWords();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<FailureWords>();
  const run = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await onSubmit();
    } catch (error) {
      setFailure(failureOf(error, words));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isBusy) void run();
      }}
    >
      {children}
      {failure && <ErrorState failure={failure} />}
      <div className="row between">
        <span className="hint">{hint}</span>
        <Button type="submit" kind="primary" disabled={!isReady || isBusy}>
          {isBusy ? words.parts.busy : submit}
        </Button>
      </div>
    </form>
  );
}
