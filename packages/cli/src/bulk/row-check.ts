/**
 * A row against the template: its values in normal form, by the very checks that the service makes, or everything that
 * is wrong with it, by line and column. Values are never repeated: problems are printed and kept in files.
 */
import { isComplaint } from '@symbolon/core/credential/attribute-formats';
import { readAttributeValue } from '@symbolon/core/credential/attribute-values';
import type { AttributeValue } from '@symbolon/core/credential/model';
import { parseLedgerDid } from '@symbolon/core/did';
import { zetrixProfile } from '@symbolon/core/profile';
import type { Mapping } from './column-mapping.ts';
import type { CsvRow } from './csv-rows.ts';

/** A row that can be issued. */
export interface CheckedRow {
  readonly row: number;
  readonly line: number;
  /** The holder's DID, or the application's identifier. */
  readonly subject: string;
  /** Sorted by name, so that the same row says the same whatever the order of the columns. */
  readonly values: Readonly<Record<string, AttributeValue>>;
}

export interface RowProblem {
  readonly line: number;
  /** Absent where the row as a whole is meant. */
  readonly column?: string;
  readonly reason: string;
}

export type RowVerdict = CheckedRow | { readonly problems: readonly RowProblem[] };
export const isProblematic = (verdict: RowVerdict): verdict is { readonly problems: readonly RowProblem[] } =>
  'problems' in verdict;

export function checkRow({ row, line, cells }: CsvRow, mapping: Mapping): RowVerdict {
  const { width, subject: whose } = mapping;
  if (cells.length !== width)
    return { problems: [{ line, reason: `has ${cells.length} cells, and there are ${width} columns` }] };
  const problems: RowProblem[] = [];
  const subject = cells[whose.index].trim().toLowerCase();
  const wanted = subjectProblem(subject, mapping);
  if (wanted !== undefined) problems.push({ line, column: whose.column, reason: wanted });
  const values = new Map<string, AttributeValue>();
  for (const { index, column, attribute } of mapping.columns) {
    const cell = cells[index];
    if (cell === '') {
      if (attribute.mandatory && mapping.mode === 'keys')
        problems.push({ line, column, reason: `${attribute.key} is missing` });
      continue;
    }
    const read = readAttributeValue(attribute, cell);
    if (isComplaint(read)) problems.push({ line, column, reason: `${attribute.key} ${read.complaint}` });
    else values.set(attribute.key, read.value);
  }
  return problems.length > 0 ? { problems } : { row, line, subject, values: sorted(values) };
}

function subjectProblem(subject: string, { mode }: Mapping): string | undefined {
  if (subject === '') return 'is missing';
  // Identifiers of applications look like those of people.
  if (parseLedgerDid(subject, zetrixProfile)) return undefined;
  const what = mode === 'application' ? 'the identifier of an application' : "a holder's identifier";
  return `must be ${what}: did:${zetrixProfile.didMethod}: and 64 hex digits`;
}

const sorted = (values: ReadonlyMap<string, AttributeValue>): CheckedRow['values'] =>
  Object.fromEntries([...values].sort(([left], [right]) => (left < right ? -1 : 1)));
