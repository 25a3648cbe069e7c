/**
 * What will be signed, row by row: what the holder applied with, what the issuer makes of it, and whether it fits the
 * template. Values are texts here; what they become is the rule of `core`.
 */
import { escapeUnsafe } from '@symbolon/core/basics/plain-text';
import {
  type AttributeType,
  type AttributeTypeCode,
  attributeTypeCodes,
} from '@symbolon/core/documents/model';
import { attributeText, type WrittenValue } from '../../../parts/card/card-values.ts';
import type { Language } from '../../../text/language.ts';
import { type NumberMark, numberMarks } from '../../../text/numbers.ts';
import { readerSpelling } from '../../../text/typed-spelling.ts';
import { readTypedValue, type ValueMisfit } from '../values/typed-value.ts';

/** An attribute as the service tells it of a template. */
export interface ToldAttribute {
  readonly key: string;
  readonly attribute: string;
  readonly format: string;
  readonly mandatory: boolean;
  readonly type: AttributeTypeCode;
}

export type TypedValues = Readonly<Record<string, string>>;
export type AppliedValues = Readonly<Record<string, string | number | boolean>>;

export interface ValueRow {
  readonly key: string;
  readonly label: string;
  readonly type: AttributeType;
  readonly format: string;
  readonly isMandatory: boolean;
  /** As the holder wrote it; empty where they said nothing. */
  readonly applied: string;
  readonly typed: string;
  /** What is signed: as typed, in the one spelling that its kind has. */
  readonly signed: string;
  readonly isChanged: boolean;
  /** Why it does not fit. */
  readonly misfit: ValueMisfit | undefined;
}

const typeOf = (code: AttributeTypeCode): AttributeType =>
  (Object.keys(attributeTypeCodes) as AttributeType[]).find((name) => attributeTypeCodes[name] === code) ??
  'text';

/** Values are kept with it. */
const keptPoint = '.';

export const typedOf = (applied: AppliedValues): TypedValues =>
  Object.fromEntries(Object.entries(applied).map(([key, value]) => [key, String(value)]));

/**
 * Kept values as their reader would type them: decimals with the mark of the language. What stands as it was typed before
 * stays, or what is refused would become a number by being looked at as JSON.
 */
export function typedByReader(
  format: readonly ToldAttribute[],
  kept: TypedValues,
  { language, typed = {} }: { readonly language: Language; readonly typed?: TypedValues },
): TypedValues {
  const decimals = new Set(format.filter(({ type }) => typeOf(type) === 'decimal').map(({ key }) => key));
  return Object.fromEntries(
    Object.entries(kept).map(([key, value]) => [
      key,
      decimals.has(key) && value !== typed[key] ? readerSpelling(value, language) : value,
    ]),
  );
}

/** `applied` is as the service keeps it, `typed` as somebody of the language types. */
export function valueRows(
  format: readonly ToldAttribute[],
  applied: TypedValues,
  typed: TypedValues,
  language: Language,
): readonly ValueRow[] {
  const { point } = numberMarks[language];
  return format.map(({ key, attribute, format: form, mandatory, type }) => {
    const kind = { type: typeOf(type), format: form };
    const before = applied[key] ?? '';
    const now = readRow(kind, { typed: typed[key] ?? '', point }, mandatory);
    return {
      key,
      ...kind,
      label: attribute,
      isMandatory: mandatory,
      applied: before,
      typed: typed[key] ?? '',
      ...now,
      isChanged: now.signed !== readRow(kind, { typed: before, point: keptPoint }, false).signed,
    };
  });
}

function readRow(
  kind: Pick<ValueRow, 'type' | 'format'>,
  { typed, point }: { readonly typed: string; readonly point: NumberMark },
  isMandatory: boolean,
): Pick<ValueRow, 'signed' | 'misfit'> {
  if (typed === '') return { signed: '', misfit: isMandatory ? { ...kind, why: 'missing' } : undefined };
  const read = readTypedValue(kind, typed, point);
  return 'misfit' in read
    ? { signed: typed, misfit: read.misfit }
    : { signed: String(read.value), misfit: undefined };
}

/** As they stand on a card. */
export const writtenValues = (rows: readonly ValueRow[], language: Language): readonly WrittenValue[] =>
  rows
    .filter(({ signed }) => signed !== '')
    .map(({ key, type, signed }) => ({ key, type, text: attributeText({ type }, signed, language) }));

/** What is ordered: everything that was filled in. */
export const orderedValues = (rows: readonly ValueRow[]): Record<string, string> =>
  Object.fromEntries(rows.filter(({ signed }) => signed !== '').map(({ key, signed }) => [key, signed]));

/** The same as a text of JSON, in which everything is seen, and back; undefined for what is no flat object of values. */
export const jsonOfValues = (rows: readonly ValueRow[]): string =>
  JSON.stringify(orderedValues(rows), undefined, 2).split('\n').map(escapeUnsafe).join('\n');

export function valuesOfJson(text: string): TypedValues | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const entries = Object.entries(value);
    const isFlat = entries.every(([, one]) => ['string', 'number', 'boolean'].includes(typeof one));
    return isFlat ? typedOf(Object.fromEntries(entries) as AppliedValues) : undefined;
  } catch {
    return undefined;
  }
}
