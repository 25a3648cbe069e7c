/** What of a credential's values stands on its card: the same for whoever issues it and whoever holds it. Pure. */
import type { AttributeValue, SignedAttribute } from '@symbolon/core/documents/model';
import type { Language } from '../../text/language.ts';
import { decimalText, withoutEndZeros } from '../../text/numbers.ts';
import { dayText } from '../../text/times.ts';

/** A value as people read it. */
export interface WrittenValue {
  readonly key: string;
  readonly type: SignedAttribute['type'];
  readonly text: string;
}

/** As people write it; a decimal without the zeros at its end. */
export function attributeText(
  attribute: Pick<SignedAttribute, 'type'>,
  value: AttributeValue,
  language: Language,
): string {
  const text = String(value);
  if (attribute.type === 'date' && /^\d{4}-\d\d-\d\d$/.test(text)) return dayText(Date.parse(text), language);
  if (attribute.type === 'decimal') return decimalText(withoutEndZeros(text), language);
  return text;
}

const nameKeys = /^(full)?_?name$/i;

/** The first text that is neither a name nor a number of somebody: the degree, the city. */
export function tellingOf(values: readonly WrittenValue[]): string | undefined {
  const texts = values.filter(({ type, key }) => type === 'text' && !nameKeys.test(key));
  return (texts.find(({ text }) => !/\d/.test(text)) ?? texts[0] ?? values[0])?.text;
}

/** Whose it is, where a value says so. */
export const holderOf = (values: readonly WrittenValue[]): string | undefined =>
  values.find(({ key }) => nameKeys.test(key))?.text;
