/**
 * An act that somebody began: whether it is under way, and what went wrong. Whoever would not say their key has done
 * nothing, and nothing failed.
 */
import { useCallback, useRef, useState } from 'react';
import type { FailureWords } from '../../../parts/states/error-state.tsx';
import { NotSigned } from '../../../signing/signing.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { actFailureWords } from './lost-answer.ts';

export interface Act<Given extends readonly unknown[]> {
  readonly isBusy: boolean;
  readonly failure: FailureWords | undefined;
  readonly run: (...given: Given) => void;
  readonly forget: () => void;
}

export function useAct<Given extends readonly unknown[]>(
  work: (...given: Given) => Promise<void>,
  /** What a failure is called. */
  say: typeof actFailureWords = actFailureWords,
): Act<Given> {
  const { words } = useDeskWords('issue');
  const [isBusy, setBusy] = useState(false);
  const [failed, setFailed] = useState<unknown>();
  const current = useRef(work);
  current.current = work;
  const isRunning = useRef(false);
  const run = useCallback((...given: Given) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setFailed(undefined);
    current
      .current(...given)
      .catch((error: unknown) => {
        if (!(error instanceof NotSigned)) setFailed(error);
      })
      .finally(() => {
        isRunning.current = false;
        setBusy(false);
      });
  }, []);
  return {
    isBusy,
    failure: failed === undefined ? undefined : say(failed, words),
    run,
    forget: () => setFailed(undefined),
  };
}
