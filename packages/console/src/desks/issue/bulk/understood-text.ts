/** Values of rows as their reader writes them, by column. Pure. */
import { isComplaint, readTypeAndFormat } from '@symbolon/core/attributes/attribute-formats';
import { attributeText } from '../../../parts/card/card-values.ts';
import type { Language } from '../../../text/language.ts';
import type { CheckedAttribute, FitRow } from './table-check.ts';

export interface NamedAttribute extends CheckedAttribute {
  /** What people call it. */
  readonly attribute: string;
}

export interface Understood {
  readonly columns: readonly { readonly key: string; readonly label: string }[];
  readonly rows: readonly { readonly line: number; readonly texts: readonly string[] }[];
}

/** Only what the rows say: the rest is as the holder applied. */
export function understoodRows(
  fit: readonly FitRow[],
  attributes: readonly NamedAttribute[],
  language: Language,
): Understood {
  const said = attributes.filter(({ key }) => fit.some(({ values }) => Object.hasOwn(values, key)));
  const textOf = ({ key, format }: CheckedAttribute, { values }: FitRow): string => {
    const value = values[key];
    if (value === undefined) return '';
    const kind = readTypeAndFormat(undefined, format);
    return isComplaint(kind) ? String(value) : attributeText(kind, value, language);
  };
  return {
    columns: said.map(({ key, attribute }) => ({ key, label: attribute })),
    rows: fit.map((row) => ({ line: row.line, texts: said.map((attribute) => textOf(attribute, row)) })),
  };
}
