/**
 * A value as somebody types it, read by the very rules of the service; days and decimals as people write them. What does not fit has
 * words in every language, and no word repeats the value. Pure.
 */
import { decimalScale, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { readAttributeValue } from '@symbolon/core/attributes/attribute-values';
import type { AttributeValue, SignedAttribute } from '@symbolon/core/documents/model';
import type { NumberMark } from '../../../text/numbers.ts';
import { isMisspelt, type Misspelt, plainSpelling } from '../../../text/typed-spelling.ts';
import type { DeskWords } from '../../../words/desk-words.ts';

type Kind = Pick<SignedAttribute, 'type' | 'format'>;

/** Reasons that are no matter of the kind, by the words of the rules. */
const commonReasons: Readonly<Record<string, 'tooLong' | 'empty' | 'unseen' | 'tooLarge'>> = {
  'is too long': 'tooLong',
  'is empty': 'empty',
  'holds half a character': 'unseen',
  'holds a control character': 'unseen',
  'is too large or too small': 'tooLarge',
};

export interface ValueMisfit extends Kind {
  /** `kind`: it is not what its kind wants. */
  readonly why: 'missing' | Misspelt['why'] | (typeof commonReasons)[string];
}

export type ReadTyped = { readonly value: AttributeValue } | { readonly misfit: ValueMisfit };

/** `point` is that of whoever typed it; undefined where nobody knows. */
export function readTypedValue(kind: Kind, typed: string, point: NumberMark | undefined): ReadTyped {
  const spelled = plainSpelling(kind.type, typed, point);
  if (isMisspelt(spelled)) return { misfit: { ...kind, ...spelled } };
  const read = readAttributeValue({ key: '', ...kind }, spelled);
  return isComplaint(read)
    ? { misfit: { ...kind, why: commonReasons[read.complaint] ?? 'kind' } }
    : { value: read.value };
}

/** What is wrong, in words that stand beside the name of the attribute. */
export function misfitText(
  { type, format, why }: ValueMisfit,
  { issueInbox, parts }: Pick<DeskWords<'issue'>, 'issueInbox' | 'parts'>,
): string {
  const { misfits } = issueInbox;
  if (why === 'noSuchDay' || why === 'comma' || why === 'point') return parts.misspelt[why];
  if (why !== 'kind') return misfits[why];
  if (type === 'decimal') return misfits.decimal(decimalScale(format) ?? 0);
  if (type !== 'text') return misfits[type];
  return format === 'email' || format === 'uri' || format === 'phone' ? misfits[format] : misfits.text;
}
