/** What somebody types into the form of a template, read by the rules of the template. Pure. */
import { type Complaint, isComplaint, readDeclaredType } from '@symbolon/core/attributes/attribute-formats';
import { readAttributeValue } from '@symbolon/core/attributes/attribute-values';
import type { AttributeType, AttributeValue } from '@symbolon/core/documents/model';
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { readTypedDecimal } from '../../../text/decimals.ts';
import type { Language } from '../../../text/language.ts';
import { readTypedDay } from '../../../text/typed-day.ts';

export type AppliedField = TemplateReply['credentialFormat'][number];

/** By key. */
export type Typed = Readonly<Record<string, string | boolean>>;

/** What a field is of; one that no console knows is read as text. */
export function typeOfField({ type, format }: Pick<AppliedField, 'type' | 'format'>) {
  const kind = readDeclaredType(type, format);
  return isComplaint(kind) ? 'text' : kind.type;
}

/** The value of a field in normal form, nothing where it may be left out, or what is wrong with it. */
export function readField(
  field: Pick<AppliedField, 'key' | 'type' | 'format' | 'mandatory'>,
  typed: string | boolean | undefined,
  language: Language,
): Complaint | { readonly value?: AttributeValue } {
  const kind = readDeclaredType(field.type, field.format);
  if (isComplaint(kind)) return kind;
  const isEmpty = typed === undefined || (typeof typed === 'string' && typed.trim() === '');
  if (isEmpty && kind.type !== 'boolean') return field.mandatory ? { complaint: '' } : {};
  const given = typeof typed === 'string' ? understood(kind.type, typed, language) : typed;
  return readAttributeValue({ key: field.key, ...kind }, given ?? false);
}

/** Days and decimals are written in many ways; what cannot be understood is no value, whatever the rules make of it. */
function understood(type: AttributeType, typed: string, language: Language): string | undefined {
  if (type === 'date') return readTypedDay(typed);
  return type === 'decimal' ? readTypedDecimal(typed, language) : typed;
}

/** All values, or nothing as long as one of them is wrong. */
export function readForm(fields: readonly AppliedField[], typed: Typed, language: Language) {
  const read = fields.map((field) => [field.key, readField(field, typed[field.key], language)] as const);
  if (read.some(([, one]) => isComplaint(one))) return undefined;
  return Object.fromEntries(
    read.flatMap(([key, one]) =>
      'value' in one && one.value !== undefined ? [[key, one.value] as const] : [],
    ),
  );
}
