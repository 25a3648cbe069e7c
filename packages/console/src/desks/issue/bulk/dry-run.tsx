/** What a look over the whole table says. Nothing is sent but the question which applications wait. */
import { failureWords } from '../../../api/failure.ts';
import { Panel } from '../../../parts/frame/panel.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { misfitText } from '../values/typed-value.ts';
import { tableLimits } from './bulk-limits.ts';
import type { LookedOver, Misfit } from './table-check.ts';
import { UnderstoodRows, type UnderstoodRowsProps } from './understood-rows.tsx';
import type { WaitingRows } from './use-waiting.ts';

export interface DryRunProps extends Pick<UnderstoodRowsProps, 'attributes'> {
  readonly check: LookedOver;
  readonly waiting: WaitingRows;
  /** Whether rows were issued since: then it says nothing any longer of what waits and of what was sent. */
  readonly hasBegun: boolean;
}

export function DryRun({ check: { fit, misfits, wrongRows }, attributes, waiting, hasBegun }: DryRunProps) {
  const { words } = useDeskWords('issue');
  const found = waiting.isReady && fit.filter(waiting.isReady).length;
  const reasonText = ({ reason }: Misfit): string =>
    'code' in reason ? words.bulk.misfits[reason.code] : misfitText(reason.misfit, words);
  return (
    <Panel
      title={words.bulk.dryRun}
      aside={!hasBegun && <span className="hint">{words.bulk.nothingSent}</span>}
    >
      <div className="pad" role="status">
        <p>
          <b>{words.bulk.fit(fit.length)}</b> {wrongRows > 0 && words.bulk.wrong(wrongRows)}
        </p>
        {!hasBegun && found !== undefined && fit.length > 0 && (
          <p className="muted">
            {words.bulk.waiting(found, fit.length)} {found === 0 && words.bulk.nothingToIssue}
          </p>
        )}
        {waiting.error !== undefined && waiting.error !== null && (
          <ErrorState failure={failureWords(waiting.error, words)} onAgain={waiting.again} />
        )}
      </div>
      <UnderstoodRows fit={fit} attributes={attributes} />
      {misfits.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className="bulk-scroll" tabIndex={0} aria-label={words.bulk.whatIsWrong}>
          <table className="tbl">
            <thead>
              <tr>
                <th className="right">{words.bulk.lineTitle}</th>
                <th>{words.bulk.columnTitle}</th>
                <th>{words.bulk.whatIsWrong}</th>
              </tr>
            </thead>
            <tbody>
              {misfits.slice(0, tableLimits.problemsShownMax).map((misfit) => (
                <tr key={`${misfit.line} ${misfit.column ?? ''}`}>
                  <td className="right num">{misfit.line}</td>
                  <td>{misfit.column ?? '–'}</td>
                  <td>{reasonText(misfit)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {misfits.length > tableLimits.problemsShownMax && (
        <p className="hint pad">{words.bulk.andMore(misfits.length - tableLimits.problemsShownMax)}</p>
      )}
    </Panel>
  );
}
