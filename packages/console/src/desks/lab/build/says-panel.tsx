/** What the draft says in one sentence and in its notes, and whether it would succeed: the first thing that anybody reads before signing. */
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import type { ReactNode } from 'react';
import { failureWords } from '../../../api/failure.ts';
import { TransactionSentence } from '../../../ledger/transaction-sentence.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { coinsText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import type { TrialDesk } from '../facts/use-trial.ts';
import { RefusalNote } from './refusal.tsx';
import { SignedNotes } from './signed-notes.tsx';

export interface SaysPanelProps {
  readonly transaction: Transaction | undefined;
  /** What is missing in the draft. */
  readonly problem: ReactNode;
  readonly desk: TrialDesk;
  readonly hasCode: (address: string) => boolean | undefined;
  /** Nobody can fill anything in here. */
  readonly isNarrow: boolean;
  /** Why an account cannot pay it. */
  readonly unpaid: string | undefined;
  /** What it takes away from whoever signs. */
  readonly dangers: readonly string[];
}

export function SaysPanel(props: SaysPanelProps) {
  const { transaction, problem, desk, hasCode, isNarrow, unpaid, dangers } = props;
  const { trial, error } = desk;
  const { words, language } = useDeskWords('lab');
  const { lab } = words;
  const mark =
    trial === undefined && unpaid === undefined ? undefined : trial?.kind === 'succeeds' ? (
      <span className="st ok">
        <Icon name="statusOk" />
        {lab.wouldSucceed}
      </span>
    ) : (
      <span className="st bad">
        <Icon name="statusBad" />
        {lab.wouldFail}
      </span>
    );
  return (
    <Panel title={lab.says} aside={mark} isPadded>
      {transaction ? (
        <>
          <p className="lab-says">
            <TransactionSentence transaction={transaction} hasCode={hasCode} />
          </p>
          <SignedNotes transaction={transaction} />
        </>
      ) : (
        <p className="muted">{isNarrow ? lab.saysNothingNarrow : lab.saysNothing}</p>
      )}
      {dangers.length > 0 && (
        <div className="note warn lab-danger" role="alert">
          <Icon name="statusWarn" />
          <ul>
            {dangers.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
      {problem}
      {trial?.kind === 'succeeds' && (
        <p className="hint" role="status">
          {lab.forFee(coinsText(trial.fee, language))}
        </p>
      )}
      {unpaid !== undefined && (
        <p className="lab-refusal lab-unpaid" role="alert">
          {unpaid}
        </p>
      )}
      {trial?.kind === 'fails' && <RefusalNote error={trial.error} />}
      {error !== undefined && error !== null && <ErrorState failure={failureWords(error, words)} />}
    </Panel>
  );
}
