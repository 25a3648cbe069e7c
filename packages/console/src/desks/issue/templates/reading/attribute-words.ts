/** What attributes are called: kinds in the reader's language, and what a verifier can ask of each. Pure. */
import { attributeTypeOfFormat, decimalScale } from '@symbolon/core/attributes/attribute-formats';
import { tellingOf } from '../../../../parts/card/card-values.ts';
import type { DeskSections } from '../../../../words/desk-words.ts';
import type { ComparedAttribute } from './version-changes.ts';

type TemplateWords = DeskSections['templates'];

/** The kinds that a form offers, in its order. Others that a template has are kept. */
const offeredFormats = [
  'string',
  'date',
  'integer',
  'decimal',
  'boolean',
  'email',
  'phone',
  'uri',
  'date-time',
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
] as const;

const decimalFormats = Array.from({ length: 10 }, (_, digits) => `decimal(${digits})`);

export function kindText(format: string, { kinds, decimalKind }: TemplateWords): string {
  const digits = decimalScale(format);
  if (digits !== undefined) return decimalKind(digits);
  return Object.hasOwn(kinds, format) ? kinds[format as keyof typeof kinds] : format;
}

/** All kinds to choose from, and the one that is chosen even where it is none. */
export function kindOptions(
  chosen: string,
  words: TemplateWords,
): readonly { readonly value: string; readonly label: string }[] {
  const formats: string[] = [...offeredFormats, ...decimalFormats.filter((one) => one !== 'decimal(2)')];
  if (!formats.includes(chosen)) formats.push(chosen);
  return formats.map((format) => ({ value: format, label: kindText(format, words) }));
}

const rangeFormats = /^(integer|decimal(\([0-9]\))?|date|date-time)$/;

/** Whether a value of this kind can be proved to lie in a range without being shown. */
export const canBeProved = (format: string): boolean => rangeFormats.test(format);

/** What a verifier can have proved of an attribute, as one would ask it. */
export function provableText({ key, label, format }: ComparedAttribute, { provable }: TemplateWords): string {
  const name = label === '' ? key : label;
  if (format.startsWith('date')) return /birth|geburt/i.test(key) ? provable.age : provable.date(name);
  return provable.number(name);
}

/** What a card will say first, by the name of its attribute: the rule of the card, before there is any value. */
export const cardLabel = (
  attributes: readonly Pick<ComparedAttribute, 'key' | 'label' | 'format'>[],
): string | undefined =>
  tellingOf(
    attributes.map(({ key, label, format }) => ({
      key,
      type: decimalScale(format) === undefined ? (attributeTypeOfFormat[format] ?? 'text') : 'decimal',
      text: label,
    })),
  ) || undefined;
