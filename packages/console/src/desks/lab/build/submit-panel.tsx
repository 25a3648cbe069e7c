/** Handing it in, and what became of it. */
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { Link } from '@tanstack/react-router';
import { failureWords } from '../../../api/failure.ts';
import { useBuiltPlaces } from '../../../navigation/built-places.tsx';
import { Button } from '../../../parts/controls/button.tsx';
import { ActOutcome } from '../../../parts/frame/act-outcome.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Block } from '../../../parts/written/block.tsx';
import { Hash } from '../../../parts/written/hash.tsx';
import { amountText, countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import type { SubmissionDesk } from '../facts/use-submission.ts';

export interface SubmitPanelProps {
  readonly signed: SignedTransaction | undefined;
  /** Whether signatures have the weight that is needed. */
  readonly isReady: boolean;
  readonly desk: SubmissionDesk;
  /** Goes back to the draft, without signatures. */
  readonly onThaw: () => void;
  readonly onNext: () => void;
}

export function SubmitPanel({ signed, isReady, desk, onThaw, onNext }: SubmitPanelProps) {
  const { words } = useDeskWords('lab');
  const { lab } = words;
  const { submission, submit } = desk;
  if (!signed) return null;
  if (submission.state === 'none')
    return (
      <Button
        kind={isReady ? 'primary' : 'plain'}
        size="large"
        icon="out"
        className="lab-submit"
        disabled={!isReady}
        onClick={() => void submit(signed)}
      >
        {lab.submit}
      </Button>
    );
  if (submission.state === 'submitting' || submission.state === 'waiting')
    return (
      <Panel isPadded>
        <ActOutcome>{submission.state === 'waiting' ? lab.waiting : lab.submitting}</ActOutcome>
        {submission.state === 'waiting' && <Hash hash={submission.hash} isOwnPage />}
      </Panel>
    );
  if (submission.state === 'unknown' || submission.state === 'absent')
    return (
      <Panel isPadded className="lab-unknown">
        <p role="alert">{lab[submission.state]}</p>
        <Hash hash={submission.hash} isOwnPage />
        {submission.state === 'absent' && (
          <Button icon="out" onClick={() => void submit(signed)}>
            {lab.submitAgain}
          </Button>
        )}
      </Panel>
    );
  if (submission.state === 'refused')
    return (
      <Panel title={lab.notSubmitted}>
        <ErrorState failure={failureWords(submission.error, words)} onAgain={() => void submit(signed)} />
        <p className="pad">
          <Button onClick={onThaw}>{lab.thaw}</Button>
        </p>
      </Panel>
    );
  return <Executed submission={submission} onNext={onNext} />;
}

function Executed({
  submission: { hash, receipt },
  onNext,
}: {
  readonly submission: Extract<SubmissionDesk['submission'], { readonly state: 'executed' }>;
  readonly onNext: () => void;
}) {
  const { words, language } = useDeskWords('lab');
  const { lab } = words;
  const hasExplorer = useBuiltPlaces().has('explorer');
  const block = Number(receipt.ledgerSeq);
  const told = receipt.code === 0 ? lab.executed : lab.failed;
  const { figure, unit } = amountText(receipt.actualFee, language);
  return (
    <Panel isPadded className={receipt.code === 0 ? 'lab-done' : 'lab-done bad'}>
      <ActOutcome className="lab-says">{told(countText(block, language))}</ActOutcome>
      {receipt.code !== 0 && <p>{receipt.description}</p>}
      <p className="hint">{lab.paid(`${figure} ${unit}`)}</p>
      <div className="row wrap">
        <Hash hash={hash} isOwnPage {...(hasExplorer && { to: `/ledger/tx/${hash}` })} />
        <Block number={block} {...(hasExplorer && { to: `/ledger/blocks/${block}` })} />
      </div>
      <div className="row lab-sign">
        {hasExplorer && (
          <Link to={`/ledger/tx/${hash}`} className="btn">
            {lab.decoded.openLedger}
          </Link>
        )}
        <Button onClick={onNext}>{lab.next}</Button>
      </div>
    </Panel>
  );
}
