/** What of a credential's values stands on its card: the same for whoever issues it and whoever holds it. Pure. */
import { isNameKey } from '@symbolon/core/credential/telling-label';
import type { AttributeValue, SignedAttribute } from '@symbolon/core/documents/model';
import { decimalText } from '../../text/decimals.ts';
import type { Language } from '../../text/language.ts';
import { dayText } from '../../text/times.ts';

/** A value as people read it. */
export interface WrittenValue {
  readonly key: string;
  readonly type: SignedAttribute['type'];
  readonly text: string;
}

/** As people write it. */
export function attributeText(
  attribute: Pick<SignedAttribute, 'type'>,
  value: AttributeValue,
  language: Language,
): string {
  const text = String(value);
  if (attribute.type === 'date' && /^\d{4}-\d\d-\d\d$/.test(text)) return dayText(Date.parse(text), language);
  if (attribute.type === 'decimal') return decimalText(text, language);
  return text;
}

/** The words of a key, in small letters: `studentNumber`, `student_number`. */
const wordsOf = (key: string): readonly string[] =>
  key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_-]+/);

/** What tells people apart, and no card: numbers, and where somebody is reached. */
const numberWords =
  /^(number|no|nr|id|code|zip|plz|phone|mobile|email|mail|url|uri|address|street)$|(nummer|stra(ss|ß)e|adresse|telefon)$/;

const isNumberKey = (key: string): boolean => numberWords.test(wordsOf(key).at(-1) ?? '');

/**
 * The first text that is neither a name nor a number of somebody: the degree, the city. By the keys alone, so that a
 * template tells the same of its cards, before there is any value.
 */
export function tellingOf(values: readonly WrittenValue[]): string | undefined {
  const texts = values.filter(({ type, key }) => type === 'text' && !isNameKey(key));
  return (texts.find(({ key }) => !isNumberKey(key)) ?? texts[0] ?? values[0])?.text;
}

/** Whose it is, where a value says so. */
export const holderOf = (values: readonly WrittenValue[]): string | undefined =>
  values.find(({ key }) => isNameKey(key))?.text;
