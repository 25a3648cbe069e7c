/** What somebody types into a field of a kind, as the rules of that kind spell it. Pure. */
import type { AttributeType } from '@symbolon/core/documents/model';
import { readTypedDay } from './typed-day.ts';
import { readTypedDecimal } from './typed-decimal.ts';

/** Days and decimals are written in many ways; what cannot be understood stays as it was typed, to be refused. */
export function plainSpelling(type: AttributeType, typed: string): string {
  if (type === 'date') return readTypedDay(typed) ?? typed;
  return type === 'decimal' ? readTypedDecimal(typed) : typed;
}
