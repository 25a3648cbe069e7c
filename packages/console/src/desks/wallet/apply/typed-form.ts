/** What somebody types into the form of a template, read by the rules of the template. Pure. */
import { type Complaint, isComplaint, readDeclaredType } from '@symbolon/core/attributes/attribute-formats';
import { readAttributeValue } from '@symbolon/core/attributes/attribute-values';
import type { AttributeValue } from '@symbolon/core/documents/model';
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import type { Language } from '../../../text/language.ts';
import { numberMarks } from '../../../text/numbers.ts';
import { isMisspelt, type Misspelt, plainSpelling } from '../../../text/typed-spelling.ts';

export type AppliedField = TemplateReply['credentialFormat'][number];

/** By key. */
export type Typed = Readonly<Record<string, string | boolean>>;

/** What a field is of; one that no console knows is read as text. */
export function typeOfField({ type, format }: Pick<AppliedField, 'type' | 'format'>) {
  const kind = readDeclaredType(type, format);
  return isComplaint(kind) ? 'text' : kind.type;
}

/** What is wrong with a value, empty where it is missing; and why nothing can be meant by it. */
export type Misread = Complaint & Partial<Misspelt>;

/** The value of a field in normal form, nothing where it may be left out, or what is wrong with it. */
export function readField(
  field: Pick<AppliedField, 'key' | 'type' | 'format' | 'mandatory'>,
  typed: string | boolean | undefined,
  language: Language,
): Misread | { readonly value?: AttributeValue } {
  const kind = readDeclaredType(field.type, field.format);
  if (isComplaint(kind)) return kind;
  const isEmpty = typed === undefined || (typeof typed === 'string' && typed.trim() === '');
  if (isEmpty && kind.type !== 'boolean') return field.mandatory ? { complaint: '' } : {};
  if (typeof typed !== 'string') return readAttributeValue({ key: field.key, ...kind }, typed ?? false);
  const spelled = plainSpelling(kind.type, typed, numberMarks[language].point);
  if (isMisspelt(spelled)) return { complaint: spelled.why, ...spelled };
  return readAttributeValue({ key: field.key, ...kind }, spelled);
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
