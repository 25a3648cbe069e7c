/** What somebody types into a field of a kind, as the rules of that kind spell it. Pure. */
import type { AttributeType } from '@symbolon/core/documents/model';
import { readTypedDecimal } from './decimals.ts';
import type { Language } from './language.ts';
import { readTypedDay } from './typed-day.ts';

/**
 * Days and decimals are written in many ways. A day that cannot be understood stays as it was typed, to be refused; a
 * decimal is undefined then, because what one reader means by it the rules may take for another number.
 */
export function plainSpelling(type: AttributeType, typed: string, language?: Language): string | undefined {
  if (type === 'date') return readTypedDay(typed) ?? typed;
  return type === 'decimal' ? readTypedDecimal(typed, language) : typed;
}
