/** From when and until when a credential is valid, as somebody types it, and what is usual. Pure. */
import { dayAfterYears, daysUntil, readTypedDay } from '../../../text/typed-day.ts';

export interface TypedValidity {
  /** Empty for the moment of signing. */
  readonly from: string;
  readonly until: string;
}

/** As it is ordered. */
export interface ReadValidity {
  /** An instant: the end of the last day. */
  readonly validUntil: string;
  /** A day, as `YYYY-MM-DD`; the moment of signing, if left out. */
  readonly validFrom?: string;
}

/** The end of a day, in UTC: whoever reads "until 31 Dec" counts on that day. */
const endOfDay = (day: string): string => `${day}T23:59:59Z`;

/** Whole days until a day is over. */
export const daysLeft = (day: string, nowMs: number): number => daysUntil(day, nowMs) + 1;

export type ReadUntil =
  | { readonly day: string; readonly validUntil: string }
  | { readonly wrong: 'noDay' | 'past' };

export function readUntil(typed: string, nowMs: number): ReadUntil {
  const day = readTypedDay(typed);
  if (day === undefined) return { wrong: 'noDay' };
  return daysLeft(day, nowMs) < 0 ? { wrong: 'past' } : { day, validUntil: endOfDay(day) };
}

/** Undefined as long as what is typed cannot be ordered. */
export function readValidity({ from, until }: TypedValidity, nowMs: number): ReadValidity | undefined {
  const end = readUntil(until, nowMs);
  if ('wrong' in end) return undefined;
  const { day, validUntil } = end;
  if (from.trim() === '') return { validUntil };
  const validFrom = readTypedDay(from);
  return validFrom === undefined || validFrom > day ? undefined : { validUntil, validFrom };
}

/** How long a credential is valid where nobody said otherwise. */
const usualYears = 5;

export interface UsualUntil {
  /** Empty where there is none. */
  readonly day: string;
  /** `differs`: of several templates, each with its own. */
  readonly why: 'asLast' | 'fiveYears' | 'differs';
}

/** As the last one of the template, as long as that lies ahead. */
export function usualUntil(lastUntil: string | null, nowMs: number): UsualUntil {
  // What ends as a day begins has the day before for its last.
  const day = lastUntil === null ? undefined : new Date(Date.parse(lastUntil) - 1).toISOString().slice(0, 10);
  return day !== undefined && daysLeft(day, nowMs) > 0
    ? { day, why: 'asLast' }
    : { day: dayAfterYears(nowMs, usualYears), why: 'fiveYears' };
}

/** For credentials of several templates in one go: what all have in common, and otherwise nothing. Nobody is given another's end. */
export function commonUntil(usual: readonly UsualUntil[]): UsualUntil {
  const [first, ...others] = usual;
  const isCommon = first !== undefined && others.every(({ day }) => day === first.day);
  return isCommon ? first : { day: '', why: 'differs' };
}
