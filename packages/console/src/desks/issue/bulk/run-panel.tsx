/** Issuing: one button, progress as it is, each row's outcome, a way to stop, and a CSV of it all. */
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { useEffect, useState } from 'react';
import { useConnection } from '../../../api/api.tsx';
import { Button } from '../../../parts/controls/button.tsx';
import { saveFile } from '../../../parts/controls/save-file.ts';
import { ActOutcome } from '../../../parts/frame/act-outcome.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { csvType } from '../../../text/csv.ts';
import { useDeskWords } from '../../../words/words.ts';
import { readUntil } from '../validity/read-validity.ts';
import { useUsualUntil } from '../validity/use-usual-until.ts';
import { UntilField } from '../validity/validity.tsx';
import { OutcomeList } from './outcome-list.tsx';
import { outcomesCsv } from './row-outcomes.ts';
import type { FitRow } from './table-check.ts';
import type { BulkRun } from './use-bulk-run.ts';
import type { WaitingRows } from './use-waiting.ts';

export interface RunPanelProps {
  readonly template: TemplateReply;
  readonly fit: readonly FitRow[];
  readonly waiting: WaitingRows;
  readonly run: BulkRun;
}

/** Whoever closes the tab while rows are under way is asked first. */
function useAskBeforeLeaving(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isRunning]);
}

export function RunPanel({ template, fit, waiting, run }: RunPanelProps) {
  const { words } = useDeskWords('issue');
  const now = useNow();
  const usual = useUsualUntil([template.templateId]);
  const [chosen, setChosen] = useState<string>();
  const until = chosen ?? usual?.day ?? '';
  const end = readUntil(until, now);
  const validUntil = 'wrong' in end ? undefined : end.validUntil;
  const { act, lines, left, stop } = run;
  useAskBeforeLeaving(act.isBusy);
  const csv = (): void =>
    saveFile({
      name: 'outcomes.csv',
      type: csvType,
      contents: outcomesCsv(lines, { states: words.bulk.states, codes: words.bulk.outcomeCodes }),
    });
  return (
    <Panel title={words.bulk.issueTitle} isPadded>
      <div className="stack tight">
        {usual && left.length > 0 && (
          <UntilField typed={until} usual={usual} isLocked={act.isBusy} onType={setChosen} />
        )}
        {(act.isBusy || lines.length > 0) && <Progress done={lines.length} all={fit.length} />}
        {act.failure && (
          <ErrorState failure={act.failure}>
            <span className="hint">{words.bulk.brokenOff}</span>
          </ErrorState>
        )}
        <div className="row wrap">
          <IssueButton run={run} waiting={waiting} validUntil={validUntil} />
          {act.isBusy && <Button onClick={stop}>{words.bulk.stop}</Button>}
          {!act.isBusy && lines.length > 0 && (
            <Button icon="save" onClick={csv}>
              {words.bulk.csv}
            </Button>
          )}
        </div>
      </div>
      <OutcomeList lines={lines} />
    </Panel>
  );
}

interface IssueButtonProps extends Pick<RunPanelProps, 'run' | 'waiting'> {
  /** Undefined as long as it cannot be read. */
  readonly validUntil: string | undefined;
}

/** Says how many it would issue. Where nothing waits, what an earlier run has issued can still be seen. */
function IssueButton({ run: { act, lines, left }, waiting, validUntil }: IssueButtonProps) {
  const { words } = useDeskWords('issue');
  const { state } = useConnection();
  const ready = waiting.isReady && left.filter(waiting.isReady).length;
  if (act.isBusy)
    return (
      <Button kind="primary" disabled>
        {words.templates.underWay}
      </Button>
    );
  if (lines.length > 0 && left.length === 0) return <p>{words.bulk.allIssued(lines.length)}</p>;
  const isLook = ready === 0;
  if (isLook && (lines.length > 0 || left.length === 0)) return null;
  return (
    <Button
      kind={isLook ? 'plain' : 'primary'}
      onClick={() => validUntil !== undefined && act.run({ validUntil, isLook })}
      disabled={ready === undefined || validUntil === undefined || state === 'lost'}
    >
      {isLook ? words.bulk.seeBefore : words.bulk.issue(ready ?? left.length)}
    </Button>
  );
}

function Progress({ done, all }: { readonly done: number; readonly all: number }) {
  const { words } = useDeskWords('issue');
  return (
    <div className="bulk-progress">
      <progress value={done} max={all} aria-label={words.bulk.progress(done, all)} />
      <ActOutcome className="num">{words.bulk.progress(done, all)}</ActOutcome>
    </div>
  );
}
