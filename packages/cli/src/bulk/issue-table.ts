/**
 * A whole table: looked over first, then issued row by row, with a memory that outlives the command. How one row is
 * issued is handed in; which rows there are, which of them are done and what is told about the others is here.
 */

import { CommandFailure, exitCodes, failureOf } from '../terminal/failure.ts';
import { showProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkedRows, isDone, progressOf, type Survey, surveyRows } from './checked-rows.ts';
import type { Mapping } from './column-mapping.ts';
import type { CsvFile } from './csv-rows.ts';
import type { FailedRows } from './failed-rows.ts';
import type { RowOutcome } from './issue-row.ts';
import type { Journal } from './journal.ts';
import type { RowProgress } from './journal-index.ts';
import { type CheckedRow, isProblematic } from './row-check.ts';
import { runRows } from './run-rows.ts';

export interface TableOrder {
  readonly csv: CsvFile;
  readonly mapping: Mapping;
  readonly journal: Journal;
  readonly failed: FailedRows;
  readonly issue: (row: CheckedRow, progress: RowProgress | undefined) => Promise<RowOutcome>;
  readonly concurrency: number;
  /** So many rows at most, this time. */
  readonly rowsMax?: number;
  readonly isStoppingOnError?: boolean;
  readonly signal?: AbortSignal;
  readonly terminal: Terminal;
}

export interface TableSummary {
  readonly rows: number;
  readonly issued: number;
  readonly failed: number;
  /** Their offers are not accepted yet. */
  readonly waiting: number;
  /** Issued by an earlier run. */
  readonly skipped: number;
  /** Not come to: beyond the limit, or behind what stopped the run. */
  readonly left: number;
}

const changedLinesTold = 10;

export async function issueTable(order: TableOrder): Promise<TableSummary> {
  const survey = await lookOver(order);
  if (order.isStoppingOnError && survey.bad > 0)
    return summaryOf(survey, { issued: 0, failed: survey.bad, waiting: 0 });
  const counts = { issued: 0, failed: survey.bad, waiting: 0 };
  const { mapping, journal, failed, terminal, rowsMax = survey.open } = order;
  const total = Math.min(rowsMax, survey.open);
  const progress = showProgress(terminal, { total, what: 'rows' });
  let isStopped = false;

  async function work({ row, known }: OpenRow): Promise<void> {
    const outcome = await order.issue(row, known);
    if ('isWaiting' in outcome) counts.waiting += 1;
    else if ('vcId' in outcome) counts.issued += 1;
    else {
      counts.failed += 1;
      const column = outcome.isAboutSubject ? { column: mapping.subject.column } : {};
      failed.add({ line: row.line, ...column, reason: outcome.reason });
      isStopped ||= order.isStoppingOnError === true;
    }
    progress.advance(counts.issued + counts.waiting + counts.failed - survey.bad);
  }

  try {
    await runRows(openRows(order, total), {
      concurrency: order.concurrency,
      work,
      turnOf: ({ row }) => (mapping.mode === 'keys' ? row.subject : undefined),
      isStopped: () => isStopped || order.signal?.aborted === true,
    });
  } catch (error) {
    throw brokenOff(error, { summary: summaryOf(survey, counts), journal });
  } finally {
    progress.end();
  }
  return summaryOf(survey, counts);
}

const summaryOf = (
  survey: Survey,
  { issued, failed, waiting }: Pick<TableSummary, 'issued' | 'failed' | 'waiting'>,
): TableSummary => ({
  rows: survey.rows,
  issued,
  failed,
  waiting,
  skipped: survey.done,
  left: survey.open - issued - waiting - (failed - survey.bad),
});

async function lookOver({ csv, mapping, journal, failed }: TableOrder): Promise<Survey> {
  const changed: number[] = [];
  let changedCount = 0;
  const survey = await surveyRows({
    csv,
    mapping,
    journal,
    onProblem: failed.add,
    onChanged: ({ line }) => {
      changedCount += 1;
      if (changed.length < changedLinesTold) changed.push(line);
    },
  });
  if (changedCount === 0) return survey;
  const more = changedCount > changed.length ? ` and ${changedCount - changed.length} more` : '';
  throw new CommandFailure(
    [
      'The table was changed since it was issued from. Nothing was issued now.',
      `By the journal ${journal.file}, these lines were begun or issued with other content: ${changed.join(', ')}${more}.`,
      'Put these lines back as they were, and new rows at the end or in another file: else rows could be issued twice.',
    ].join('\n'),
    exitCodes.failed,
    { changedRows: changedCount },
  );
}

interface OpenRow {
  readonly row: CheckedRow;
  readonly known: RowProgress | undefined;
}

async function* openRows({ csv, mapping, journal }: TableOrder, rowsMax: number): AsyncGenerator<OpenRow> {
  let taken = 0;
  if (rowsMax === 0) return;
  for await (const row of checkedRows(csv, mapping)) {
    if (isProblematic(row)) continue;
    const known = progressOf(journal, row);
    if (isDone(known)) continue;
    yield { row, known };
    taken += 1;
    if (taken === rowsMax) return;
  }
}

/** What stopped the run, in its own words, and that nothing of what was done is lost. */
function brokenOff(
  error: unknown,
  { summary, journal }: { summary: TableSummary; journal: Journal },
): CommandFailure {
  const { message, exitCode, facts } = failureOf(error);
  const { issued, skipped, left } = summary;
  const state = `Issued so far: ${issued + skipped}; still to do: ${left}. The journal ${journal.file} keeps count.`;
  const advice = 'When this is mended, run the same command again: it goes on where it stopped.';
  return new CommandFailure([message, state, advice].join('\n'), exitCode, { ...facts, ...summary });
}
