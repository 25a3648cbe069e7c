/** What somebody types into a field of a kind, as the rules of that kind spell it, and back. Pure. */
import type { AttributeType } from '@symbolon/core/documents/model';
import { ambiguousMark, decimalText, readTypedDecimal } from './decimals.ts';
import type { Language } from './language.ts';
import type { NumberMark } from './numbers.ts';
import { isImpossibleDay, readTypedDay } from './typed-day.ts';

/**
 * Why no value can be meant: the calendar does not have the day, or a comma or point may be one of thousands; `kind` for
 * what is none of its kind.
 */
export interface Misspelt {
  readonly why: 'kind' | 'noSuchDay' | 'comma' | 'point';
}

/**
 * Days and decimals are written in many ways, decimals with the point of whoever types. What is no day stays as it was
 * typed, to be refused; no decimal does, because what one reader means by it the rules may take for another number.
 */
export function plainSpelling(
  type: AttributeType,
  typed: string,
  point: NumberMark | undefined,
): string | Misspelt {
  if (type === 'date' || type === 'dateTime') {
    const [day = ''] = type === 'date' ? [typed] : typed.trim().split(/[Tt]/);
    if (isImpossibleDay(day)) return { why: 'noSuchDay' };
  }
  if (type === 'date') return readTypedDay(typed) ?? typed;
  if (type !== 'decimal') return typed;
  const mark = ambiguousMark(typed, point);
  if (mark) return { why: mark === ',' ? 'comma' : 'point' };
  return readTypedDecimal(typed, point) ?? { why: 'kind' };
}

export const isMisspelt = (spelled: string | Misspelt): spelled is Misspelt => typeof spelled !== 'string';

/** What is kept with a point, as its reader would type it; anything else as it is. */
export const readerSpelling = (kept: string, language: Language): string =>
  /^-?\d+\.\d+$/.test(kept) ? decimalText(kept, language) : kept;
