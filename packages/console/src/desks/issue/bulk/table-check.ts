/**
 * Every row against the template, by the rules of the service; days and decimals as people write them. What is wrong has its line and column;
 * values are never repeated: what is told here is shown and downloaded.
 */
import {
  isComplaint,
  readTypeAndFormat,
  type TypeAndFormat,
} from '@symbolon/core/attributes/attribute-formats';
import { parseLedgerDid } from '@symbolon/core/did/did';
import type { AttributeValue } from '@symbolon/core/documents/model';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { commonPoint } from '../../../text/decimals.ts';
import type { NumberMark } from '../../../text/numbers.ts';
import { readTypedValue, type ValueMisfit } from '../values/typed-value.ts';
import type { ColumnUse } from './column-uses.ts';
import type { CsvTable, TableLine } from './table-text.ts';

export interface CheckedAttribute {
  readonly key: string;
  readonly format: string;
}

/** A row that can be issued. */
export interface FitRow {
  readonly line: number;
  /** DID of whose it is to be; undefined where only the application is named. */
  readonly holder?: string;
  readonly application?: string;
  readonly values: Readonly<Record<string, AttributeValue>>;
}

/** Reasons of the console's own, which have words in every language. */
export type MisfitCode = 'cells' | 'missing' | 'notDid' | 'twice' | 'emptyCell';

export interface Misfit {
  readonly line: number;
  /** As the file spells it; absent where the row as a whole is meant. */
  readonly column?: string;
  readonly reason: { readonly code: MisfitCode } | { readonly misfit: ValueMisfit };
}

export interface LookedOver {
  readonly fit: readonly FitRow[];
  readonly misfits: readonly Misfit[];
  /** How many rows have something wrong. */
  readonly wrongRows: number;
}

export interface LookOrder {
  readonly table: CsvTable;
  readonly uses: readonly ColumnUse[];
  readonly attributes: readonly CheckedAttribute[];
  /** Whether an empty cell leaves what the holder applied with. */
  readonly keepsApplied: boolean;
}

export function checkTable({ table, uses, attributes, keepsApplied }: LookOrder): LookedOver {
  const kinds = new Map<string, TypeAndFormat>();
  for (const { key, format } of attributes) {
    const kind = readTypeAndFormat(undefined, format);
    if (!isComplaint(kind)) kinds.set(key, kind);
  }
  // Who wrote the file is not who reads it: with which point shows in the column itself, or not at all.
  const points = uses.map((_use, at) => commonPoint(table.lines.map(({ cells }) => cells[at] ?? '')));
  const fit: FitRow[] = [];
  const misfits: Misfit[] = [];
  const seen = new Set<string>();
  let wrongRows = 0;
  for (const one of table.lines) {
    const { row, wrong } = checkLine(one, { header: table.header, uses, kinds, points, keepsApplied });
    const subjects = [row.application, row.holder].filter((subject) => subject !== undefined);
    // An application becomes one credential, and a holder has one that waits.
    if (wrong.length === 0 && subjects.some((subject) => seen.has(subject)))
      wrong.push({ line: one.line, reason: { code: 'twice' } });
    for (const subject of subjects) seen.add(subject);
    misfits.push(...wrong);
    if (wrong.length > 0) wrongRows += 1;
    else fit.push(row);
  }
  return { fit, misfits, wrongRows };
}

interface LineTerms {
  readonly header: readonly string[];
  readonly uses: readonly ColumnUse[];
  readonly kinds: ReadonlyMap<string, TypeAndFormat>;
  /** With which point each column is written, where its decimals tell. */
  readonly points: readonly (NumberMark | undefined)[];
  readonly keepsApplied: boolean;
}

function checkLine(
  { line, cells }: TableLine,
  { header, uses, kinds, points, keepsApplied }: LineTerms,
): { readonly row: FitRow; readonly wrong: Misfit[] } {
  const wrong: Misfit[] = [];
  const values: Record<string, AttributeValue> = {};
  const subjects: { holder?: string; application?: string } = {};
  if (cells.length !== header.length)
    return { row: { line, values }, wrong: [{ line, reason: { code: 'cells' } }] };
  for (const [at, use] of uses.entries()) {
    const column = header[at] ?? '';
    const cell = cells[at] ?? '';
    const complain = (reason: Misfit['reason']): void => void wrong.push({ line, column, reason });
    if (use === 'holder' || use === 'application') {
      const subject = cell.trim().toLowerCase();
      if (subject === '') complain({ code: 'missing' });
      // Identifiers of applications look like those of people.
      else if (!parseLedgerDid(subject, zetrixProfile)) complain({ code: 'notDid' });
      else subjects[use] = subject;
    } else if (use !== '') {
      const key = use.slice('attribute:'.length);
      const kind = kinds.get(key);
      if (cell === '') {
        if (!keepsApplied) complain({ code: 'emptyCell' });
      } else if (kind) {
        const read = readTypedValue(kind, cell, points[at]);
        if ('misfit' in read) complain(read);
        else values[key] = read.value;
      }
    }
  }
  return { row: { line, ...subjects, values }, wrong };
}
