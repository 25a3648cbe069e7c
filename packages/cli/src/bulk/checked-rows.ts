/**
 * All rows of a table, each checked, and what a first look over them says: how many there are, what is wrong, what an
 * earlier run has done. Rows are looked at one by one and forgotten; of each only a number remains, by which a second
 * row for the same application is noticed.
 */
import { hash } from 'node:crypto';
import type { Mapping } from './column-mapping.ts';
import type { CsvFile } from './csv-rows.ts';
import type { Journal } from './journal.ts';
import type { RowProgress } from './journal-index.ts';
import { type CheckedRow, checkRow, isProblematic, type RowProblem, type RowVerdict } from './row-check.ts';

export async function* checkedRows(csv: CsvFile, mapping: Mapping): AsyncGenerator<RowVerdict> {
  const seen = new Set<number>();
  const { mode, subject } = mapping;
  for await (const row of csv.rows()) {
    const verdict = checkRow(row, mapping);
    if (isProblematic(verdict) || mode === 'keys') {
      yield verdict;
      continue;
    }
    // An application becomes one credential, and a holder has one application that waits.
    const mark = markOf(verdict.subject);
    if (seen.has(mark)) {
      const { line } = row;
      yield { problems: [{ line, column: subject.column, reason: 'stands in an earlier row already' }] };
    } else {
      seen.add(mark);
      yield verdict;
    }
  }
}

/** 48 bits are enough for a million rows, and a number takes a tenth of what its text takes. */
const markOf = (subject: string): number => hash('sha256', subject, 'buffer').readUIntBE(0, 6);

export interface Survey {
  readonly rows: number;
  /** Rows with at least one problem. */
  readonly bad: number;
  /** Issued by an earlier run. */
  readonly done: number;
  /** Still to be issued. */
  readonly open: number;
}

export interface SurveyOrder {
  readonly csv: CsvFile;
  readonly mapping: Mapping;
  readonly journal?: Journal;
  readonly onProblem: (problem: RowProblem) => void;
  /** A row that was begun or issued as it stood then, and reads otherwise now. */
  readonly onChanged: (row: CheckedRow) => void;
}

export async function surveyRows({
  csv,
  mapping,
  journal,
  onProblem,
  onChanged,
}: SurveyOrder): Promise<Survey> {
  const counts = { rows: 0, bad: 0, done: 0, open: 0 };
  for await (const verdict of checkedRows(csv, mapping)) {
    counts.rows += 1;
    if (isProblematic(verdict)) {
      counts.bad += 1;
      for (const problem of verdict.problems) onProblem(problem);
      continue;
    }
    const progress = journal && progressOf(journal, verdict);
    if (progress && isChanged(progress)) onChanged(verdict);
    if (isDone(progress)) counts.done += 1;
    else counts.open += 1;
  }
  return counts;
}

export const progressOf = (journal: Journal, row: CheckedRow): RowProgress | undefined =>
  journal.index.find(row.row, journal.keyOf(row));

export const isDone = (progress: RowProgress | undefined): boolean => progress?.state === 'issued';

/** What was refused may be corrected; what was begun may have become a credential. */
const isChanged = ({ state, isSameRow }: RowProgress): boolean => !isSameRow && state !== 'failed';
