/** How far a draft has come, in the words of each step. */
import type { RequiredWeight } from '@symbolon/sdk/transactions/required-weights';
import { coinsText, countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import { operationsOf } from '../draft/draft.ts';
import type { DraftDesk } from './use-draft.ts';
import type { SubmissionDesk } from './use-submission.ts';
import type { TrialDesk } from './use-trial.ts';

export interface Step {
  readonly name: 'build' | 'test' | 'sign' | 'submit';
  readonly text: string;
  readonly isDone: boolean;
}

export interface StepFacts {
  readonly desk: DraftDesk;
  /** Whether the draft is a whole transaction. */
  readonly isWhole: boolean;
  readonly trial: TrialDesk;
  readonly required: readonly RequiredWeight[];
  readonly isReady: boolean;
  /** Fixed for signing, with signatures or without. */
  readonly isSigned: boolean;
  readonly submission: SubmissionDesk;
}

export function useSteps({ desk, isWhole, trial: { trial, isTrying }, ...facts }: StepFacts): {
  readonly steps: readonly Step[];
  readonly current: Step['name'];
} {
  const { required, isReady, isSigned, submission } = facts;
  const { words, language } = useDeskWords('lab');
  const { steps } = words.lab;
  const state = submission.submission;
  const testText = (): string => {
    if (isTrying) return steps.testing;
    if (!trial) return isSigned ? steps.tested : steps.unfinished;
    if (trial.kind !== 'succeeds') return steps.fails;
    return steps.succeeds(coinsText(trial.fee, language));
  };
  const signText = (): string => {
    const given = required.reduce((sum, one) => sum + one.given, 0n);
    const needed = required.reduce((sum, one) => sum + one.needed, 0n);
    return isReady ? steps.signed : steps.weight(String(given), String(needed));
  };
  const submitText = (): string => {
    if (state.state === 'executed')
      return state.receipt.code === 0
        ? steps.inBlock(countText(state.receipt.ledgerSeq, language))
        : steps.failed;
    if (state.state === 'unknown') return steps.silent;
    return state.state === 'absent' ? steps.absent : steps.waits;
  };
  const current = (): Step['name'] => {
    if (state.state !== 'none' || isReady) return 'submit';
    if (isSigned || trial?.kind === 'succeeds') return 'sign';
    return trial || isTrying ? 'test' : 'build';
  };
  const isDone = state.state === 'executed' && state.receipt.code === 0;
  return {
    current: current(),
    steps: [
      {
        name: 'build',
        text: steps.operations(operationsOf(desk.draft).length),
        isDone: isWhole || isSigned,
      },
      { name: 'test', text: testText(), isDone: isSigned || trial?.kind === 'succeeds' },
      { name: 'sign', text: signText(), isDone: isReady || isDone },
      { name: 'submit', text: submitText(), isDone },
    ],
  };
}
