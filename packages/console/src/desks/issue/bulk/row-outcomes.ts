/** What became of rows, and the CSV of it. Pure. */
import { csvText } from '../../../text/csv.ts';

/** Reasons of the console's own. */
export type OutcomeCode = 'noneWaits' | 'otherTemplate' | 'otherHolder' | 'rejected';

export type RowOutcomeTold =
  | {
      /** `before`: by an earlier run, or by somebody else. */
      readonly state: 'issued' | 'before';
      readonly vcId: string;
      readonly txHash?: string;
      readonly block?: number;
    }
  | { readonly state: 'failed'; readonly code: OutcomeCode }
  | { readonly state: 'failed'; readonly reason: string };

export interface OutcomeLine {
  readonly line: number;
  readonly subject: string;
  readonly outcome: RowOutcomeTold;
}

/** Rows that are not issued as far as their outcomes say; those that failed can be tried again. */
export function rowsLeft<Row extends { readonly line: number }>(
  rows: readonly Row[],
  lines: readonly OutcomeLine[],
): readonly Row[] {
  const issued = new Set(lines.filter(({ outcome }) => outcome.state !== 'failed').map(({ line }) => line));
  return rows.filter(({ line }) => !issued.has(line));
}

/** What an application is called once it has become a credential. */
export const isIssuedState = (status: string): boolean => /^(Issued|Suspended|Revoked)$/.test(status);

export interface CsvWords {
  readonly states: Readonly<Record<RowOutcomeTold['state'], string>>;
  readonly codes: Readonly<Record<OutcomeCode, string>>;
}

export const reasonOf = (outcome: RowOutcomeTold, codes: CsvWords['codes']): string => {
  if (outcome.state !== 'failed') return '';
  return 'code' in outcome ? codes[outcome.code] : outcome.reason;
};

/** Line, whose it is, what became of it, the credential, its transaction and block, why not. No value of the table. */
export function outcomesCsv(lines: readonly OutcomeLine[], words: CsvWords): string {
  const head = ['line', 'subject', 'outcome', 'credential', 'transaction', 'block', 'reason'];
  const rows = lines
    .toSorted((left, right) => left.line - right.line)
    .map(({ line, subject, outcome }) => [
      line,
      subject,
      words.states[outcome.state],
      ...(outcome.state === 'failed' ? ['', '', ''] : [outcome.vcId, outcome.txHash, outcome.block]),
      reasonOf(outcome, words.codes),
    ]);
  return csvText(head, rows);
}
