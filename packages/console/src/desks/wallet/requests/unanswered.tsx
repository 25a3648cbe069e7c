/** An answer that was handed in and to which none came: what it shows has left, and is handed in again as it is. */
import { failureWords } from '../../../api/failure.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { useDeskWords } from '../../../words/words.ts';
import type { SentEntry } from '../activity/activity-log.ts';
import { ToldPart } from '../activity/told-part.tsx';
import { AlongNote } from './along-note.tsx';
import type { Answering } from './answering.ts';

interface UnansweredProps extends Pick<Answering, 'sendAgain' | 'decideAnew' | 'isBusy' | 'step' | 'error'> {
  readonly sent: SentEntry;
  /** Of whoever asks. */
  readonly name: string;
}

export function Unanswered({ sent, name, sendAgain, decideAnew, isBusy, step, error }: UnansweredProps) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.requests;
  return (
    <DeskPage title={texts.unanswered} text={<Time at={sent.at} />} isOutcome>
      <Panel className="wallet-narrow-wide">
        <p className="note warn">{texts.unansweredWhy(name)}</p>
        <div className="pad">
          {sent.parts.map((part) => (
            <ToldPart key={part.vcId} part={part} />
          ))}
        </div>
        <div className="consent-foot">
          <AlongNote name={name} />
          {error && <ErrorState failure={failureWords(error, words)} />}
          <div className="consent-acts">
            <Button kind="primary" size="large" disabled={isBusy} onClick={() => sendAgain(sent)}>
              {step === undefined ? texts.sendAgain : texts.steps[step]}
            </Button>
            <Button size="large" disabled={isBusy} onClick={decideAnew}>
              {texts.decideAnew}
            </Button>
          </div>
        </div>
      </Panel>
    </DeskPage>
  );
}
