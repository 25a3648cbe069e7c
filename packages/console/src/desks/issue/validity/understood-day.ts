/** A day as it was understood, for below the field in which it is typed; undefined for what is none. */
import type { Language } from '../../../text/language.ts';
import { dayText } from '../../../text/times.ts';
import { msOfDay, readTypedDay } from '../../../text/typed-day.ts';

export function understoodDay(typed: string, language: Language): string | undefined {
  const day = readTypedDay(typed);
  return day && dayText(msOfDay(day), language);
}
