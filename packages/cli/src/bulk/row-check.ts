/**
 * A row against the template: its values in normal form, by the very checks that the service makes, or everything that
 * is wrong with it, by line and column. Values are never repeated: problems are printed and kept in files.
 */
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { readAttributeValue } from '@symbolon/core/attributes/attribute-values';
import { parseLedgerDid } from '@symbolon/core/did/did';
import type { AttributeValue, TemplateAttribute } from '@symbolon/core/documents/model';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { offerLimits } from '@symbolon/core/limits/waiting';
import { type Mapping, saysEverything } from './column-mapping.ts';
import type { CsvRow } from './csv-rows.ts';

/** A row that can be issued. */
export interface CheckedRow {
  readonly row: number;
  readonly line: number;
  /** The holder's DID, the application's identifier, or the reference of an offer. */
  readonly subject: string;
  /** Whose the application must be, where the row says both. */
  readonly holder?: string;
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
  const cell = cells[whose.index].trim();
  const subject = mapping.mode === 'reference' ? composed(cell) : cell.toLowerCase();
  const wanted = subjectProblem(subject, mapping);
  if (wanted !== undefined) problems.push({ line, column: whose.column, reason: wanted });
  const holder = mapping.holder && cells[mapping.holder.index].trim().toLowerCase();
  const unlike = holder === undefined ? undefined : subjectProblem(holder, { mode: 'holder' });
  if (unlike !== undefined) problems.push({ line, column: mapping.holder?.column, reason: unlike });
  const values = new Map<string, AttributeValue>();
  for (const { index, column, attribute } of mapping.columns) {
    const cell = cells[index];
    if (cell === '') {
      const reason = emptyProblem(attribute, mapping);
      if (reason !== undefined) problems.push({ line, column, reason });
      continue;
    }
    const read = readAttributeValue(attribute, cell);
    if (isComplaint(read)) problems.push({ line, column, reason: `${attribute.key} ${read.complaint}` });
    else values.set(attribute.key, read.value);
  }
  if (problems.length > 0) return { problems };
  return { row, line, subject, ...(holder !== undefined && { holder }), values: sorted(values) };
}

/** References are the same whether their accents are a letter's own or signs of their own, as they are to the service. */
export const composed = (reference: string): string => reference.normalize('NFC');

/** Where the holder applied already, nothing in the table would mean: whatever the holder says. */
function emptyProblem(
  { key, mandatory }: TemplateAttribute,
  { mode, keepsApplied }: Mapping,
): string | undefined {
  if (saysEverything(mode)) return mandatory ? `${key} is missing` : undefined;
  return keepsApplied ? undefined : `${key} is empty, and --keep-applied does not leave it to the holder`;
}

function subjectProblem(subject: string, { mode }: Pick<Mapping, 'mode'>): string | undefined {
  if (subject === '') return 'is missing';
  if (mode === 'reference')
    return subject.length <= offerLimits.referenceCharsMax
      ? undefined
      : `must have at most ${offerLimits.referenceCharsMax} characters`;
  // Identifiers of applications look like those of people.
  if (parseLedgerDid(subject, zetrixProfile)) return undefined;
  const what = mode === 'application' ? 'the identifier of an application' : "a holder's identifier";
  return `must be ${what}: did:${zetrixProfile.didMethod}: and 64 hex digits`;
}

const sorted = (values: ReadonlyMap<string, AttributeValue>): CheckedRow['values'] =>
  Object.fromEntries([...values].sort(([left], [right]) => (left < right ? -1 : 1)));
