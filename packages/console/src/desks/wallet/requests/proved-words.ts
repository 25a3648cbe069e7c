/** A proved range in words and as a bar: "18 years or older", "at most 2". Where the value lies is in neither. Pure. */
import { agesOfRange } from '@symbolon/core/attributes/attribute-ranges';
import type { AttributeValue, RangeClaim, SignedAttribute } from '@symbolon/core/documents/model';
import { isBirthKey } from '@symbolon/core/presentation/age-claims';
import { attributeText } from '../../../parts/card/card-values.ts';
import type { RangeBarProps } from '../../../parts/halves/range-bar.tsx';
import type { Language } from '../../../text/language.ts';
import type { DeskWords } from '../../../words/desk-words.ts';

export interface RangeWording {
  readonly words: DeskWords<'wallet'>;
  readonly language: Language;
  readonly now: number;
}

/** Where an end stands on a bar that has no scale: far enough in to see both sides. */
const lower = 0.34;
const upper = 0.4;

export function rangeProps(
  attribute: SignedAttribute,
  { min, max }: RangeClaim,
  { words, language, now }: RangeWording,
): RangeBarProps {
  const ends = min !== undefined && max !== undefined ? { from: 0.3, to: 0.7 } : undefined;
  // An age is a bound on a date of birth, and runs the other way.
  const ages = isBirthKey(attribute.key)
    ? agesOfRange({ min, max }, new Date(now).toISOString().slice(0, 'YYYY-MM-DD'.length))
    : undefined;
  const texts = words.parts.ranges;
  if (ages) {
    const claim = texts.age(ages.minAge, ages.maxAge);
    return { claim, ...(ends ?? (ages.minAge === undefined ? { to: upper } : { from: lower })) };
  }
  const written = (bound: AttributeValue | undefined) =>
    bound === undefined ? undefined : attributeText(attribute, bound, language);
  const isDate = attribute.type === 'date' || attribute.type === 'dateTime';
  const claim = (isDate ? texts.days : texts.numbers)(written(min), written(max));
  return { claim, ...(ends ?? (min === undefined ? { to: upper } : { from: lower })) };
}
