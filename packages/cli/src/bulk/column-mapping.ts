/**
 * Which column of a table is which attribute of a template, and which one says whose credential a row is. Everything
 * that does not fit is said at once, before any row is read: a column that nobody asked for may be one that is spelled
 * wrongly.
 */

import type { TemplateAttribute } from '@symbolon/core/documents/model';
import { z } from 'zod';
import { bulkLimits } from '../limits/command-limits.ts';
import { readSmallText } from '../machine/files.ts';
import { type CommandFailure, usageFailure } from '../terminal/failure.ts';

/**
 * How the credential of a row comes about: by an application that the row names, by the one that waits for the holder
 * the row names, by one made with the holder's own key, or by an offer with the reference that the row names.
 */
export type BulkMode = 'application' | 'holder' | 'keys' | 'reference';

/** Whether the table says all there is of a credential: then nothing of it is left to the holder. */
export const saysEverything = (mode: BulkMode): boolean => mode === 'keys' || mode === 'reference';

export interface MappingOrder {
  readonly header: readonly string[];
  readonly attributes: readonly TemplateAttribute[];
  /** Column to attribute; an empty attribute leaves the column out. */
  readonly map: ReadonlyMap<string, string>;
  readonly holderColumn: string;
  readonly applicationColumn: string;
  /** Whom an offer is for, in the issuer's own words; it may be an attribute, too. */
  readonly referenceColumn?: string;
  /** Whether there are holders' keys to apply with. */
  readonly hasHolderKeys: boolean;
  /** Whether an empty cell leaves what the holder applied with. */
  readonly keepsApplied?: boolean;
}

export interface MappedColumn {
  readonly index: number;
  /** As the file spells it. */
  readonly column: string;
  readonly attribute: TemplateAttribute;
}

export interface Mapping {
  readonly mode: BulkMode;
  /** The column that says whose credential it is. */
  readonly subject: { readonly index: number; readonly column: string };
  /** Beside a column of applications, the one that says whose they must be. */
  readonly holder?: { readonly index: number; readonly column: string };
  readonly columns: readonly MappedColumn[];
  /** Whether an empty cell leaves what the holder applied with: the issuer signs it unseen. */
  readonly keepsApplied: boolean;
  /** So many cells a row has. */
  readonly width: number;
}

const tidied = (name: string): string => name.trim().toLowerCase();

export function mapColumns(order: MappingOrder): Mapping {
  const { header, attributes } = order;
  const complaints: string[] = doubled(header).map((name) => `The column ${name} stands there twice.`);
  const map = new Map([...order.map].map(([column, attribute]) => [tidied(column), attribute.trim()]));
  const subject = findSubject(order, complaints);
  const columns = findColumns(order, { map, subject: subject?.index, complaints });
  for (const column of map.keys())
    if (!header.some((name) => tidied(name) === column))
      complaints.push(`There is no column ${column} to map.`);
  const given = new Set(columns.map(({ attribute }) => attribute.key));
  // Where the holder applied already, what is not in the table is as the holder said.
  if (subject && saysEverything(subject.mode))
    for (const { key, mandatory } of attributes)
      if (mandatory && !given.has(key))
        complaints.push(`The attribute ${key} has no column, and is mandatory.`);
  if (complaints.length > 0 || !subject) throw unfit(complaints, order);
  const { mode, index } = subject;
  const holder = mode === 'application' ? holderIndex(order, map) : -1;
  return {
    mode,
    subject: { index, column: header[index] },
    ...(holder >= 0 && { holder: { index: holder, column: header[holder] } }),
    columns,
    keepsApplied: order.keepsApplied ?? false,
    width: header.length,
  };
}

const doubled = (header: readonly string[]): string[] => [
  ...new Set(
    header.filter((name, index) => header.findIndex((other) => tidied(other) === tidied(name)) < index),
  ),
];

/** Where holders stand, unless the column is mapped to something else. */
const holderIndex = ({ header, holderColumn }: MappingOrder, map: ReadonlyMap<string, string>): number =>
  map.has(tidied(holderColumn)) ? -1 : header.findIndex((name) => tidied(name) === tidied(holderColumn));

function findSubject(order: MappingOrder, complaints: string[]) {
  const { header, hasHolderKeys, holderColumn, applicationColumn, referenceColumn } = order;
  const indexOf = (column: string) => header.findIndex((name) => tidied(name) === tidied(column));
  if (referenceColumn !== undefined) {
    const index = indexOf(referenceColumn);
    if (index >= 0) return { mode: 'reference', index } as const;
    complaints.push(`There is no column ${referenceColumn} with references.`);
    return undefined;
  }
  const application = indexOf(applicationColumn);
  const holder = indexOf(holderColumn);
  if (application >= 0 && hasHolderKeys)
    complaints.push(`Rows with ${applicationColumn} were applied for already: leave --holder-keys away.`);
  if (application >= 0) return { mode: 'application', index: application } as const;
  if (holder >= 0) return { mode: hasHolderKeys ? 'keys' : 'holder', index: holder } as const;
  complaints.push(
    `Nothing says whose credential a row is: neither a column ${holderColumn} nor a column ${applicationColumn}.`,
  );
  return undefined;
}

interface Finding {
  readonly map: ReadonlyMap<string, string>;
  readonly subject: number | undefined;
  readonly complaints: string[];
}

function findColumns(order: MappingOrder, { map, subject, complaints }: Finding): MappedColumn[] {
  const { header, attributes, holderColumn, referenceColumn } = order;
  const taken = new Set<string>();
  const isAttribute = (name: string) => attributes.some(({ key }) => tidied(key) === tidied(name));
  return header.flatMap((column, index) => {
    const isReference = index === subject && referenceColumn !== undefined;
    if (isReference && !isAttribute(map.get(tidied(column)) ?? column)) return [];
    // Beside applications the holder's column is held against them; it is no attribute.
    const isHolder = tidied(column) === tidied(holderColumn) && referenceColumn === undefined;
    if ((index === subject && !isReference) || (isHolder && !map.has(tidied(column)))) return [];
    const wanted = map.get(tidied(column));
    if (wanted === '') return [];
    const name = tidied(wanted ?? column);
    const attribute = attributes.find(({ key }) => tidied(key) === name);
    if (!attribute) {
      complaints.push(
        wanted === undefined
          ? `The column ${column} is no attribute of the template.`
          : `The column ${column} is mapped to ${wanted}, which is no attribute of the template.`,
      );
      return [];
    }
    if (taken.has(attribute.key)) complaints.push(`Two columns are the attribute ${attribute.key}.`);
    taken.add(attribute.key);
    return [{ index, column, attribute }];
  });
}

function unfit(complaints: readonly string[], { header, attributes }: MappingOrder): CommandFailure {
  const [only, ...others] = header;
  const other = others.length === 0 ? [';', '\t', '|'].find((mark) => only?.includes(mark)) : undefined;
  const advice =
    other === undefined
      ? 'Map a column with --map column=attribute, or leave it out with --map column= (nothing behind the sign).'
      : `There is one column only: perhaps they are separated by another sign. Try --delimiter '${other === '\t' ? '\\t' : other}'.`;
  const known = `The template has: ${attributes.map(({ key, mandatory }) => (mandatory ? key : `${key} (optional)`)).join(', ')}.`;
  return usageFailure(
    [
      'The columns do not fit the template. Nothing was issued.',
      ...complaints.map((text) => `  ${text}`),
      known,
      advice,
    ].join('\n'),
    { complaints: [...complaints] },
  );
}

/** `column=attribute`, as often as it is given, over those of a file. */
export async function readMap(
  pairs: readonly string[],
  file: string | undefined,
): Promise<Map<string, string>> {
  const map = file === undefined ? new Map<string, string>() : await readMapFile(file);
  for (const pair of pairs) {
    const sign = pair.lastIndexOf('=');
    if (sign < 1)
      throw usageFailure('--map needs column=attribute.\nFor example: --map "Date of birth=birthDate"');
    map.set(pair.slice(0, sign), pair.slice(sign + 1));
  }
  return map;
}

const mapSchema = z.record(z.string(), z.string());

async function readMapFile(file: string): Promise<Map<string, string>> {
  try {
    const text = await readSmallText(file, bulkLimits.mapFileBytesMax);
    return new Map(Object.entries(mapSchema.parse(JSON.parse(text ?? ''))));
  } catch {
    throw usageFailure(
      `${file} is not a map of columns.\nIt must be JSON such as {"Date of birth": "birthDate"}.`,
    );
  }
}
