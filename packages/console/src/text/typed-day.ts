/** A day as people type it: `2099-12-31`, `31.12.2099`, `31 Dec 2099`, `31. Dezember 2099`. Read while they type. */
import { type CalendarDate, dateText, daysInMonth, parseDate } from '@symbolon/core/basics/calendar';

const months = [
  ['jan', 'januar', 'january'],
  ['feb', 'februar', 'february'],
  ['mar', 'mär', 'märz', 'march'],
  ['apr', 'april'],
  ['may', 'mai'],
  ['jun', 'juni', 'june'],
  ['jul', 'juli', 'july'],
  ['aug', 'august'],
  ['sep', 'sept', 'september'],
  ['oct', 'okt', 'oktober', 'october'],
  ['nov', 'november'],
  ['dec', 'dez', 'dezember', 'december'],
] as const;

const monthOf = (word: string): number =>
  months.findIndex((names) => (names as readonly string[]).includes(word.toLowerCase())) + 1;

/** Numbers with dots have the day first; slashes could mean either. */
const dayForms = [
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
  /^(?<day>\d{1,2})\.?\s+(?<month>\p{L}+)\.?\s+(?<year>\d{4})$/u,
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/,
] as const;

/** What is written as a day, whether or not there is one. A word that is no month leaves none to speak of. */
function writtenDay(typed: string): CalendarDate | undefined {
  const groups = dayForms.map((form) => form.exec(typed.trim())?.groups).find(Boolean);
  const { year = '', month = '', day = '' } = groups ?? {};
  const number = /^\d/.test(month) ? Number(month) : monthOf(month) || undefined;
  return number === undefined ? undefined : { year: Number(year), month: number, day: Number(day) };
}

/** As `YYYY-MM-DD`; undefined for what is no day. */
export function readTypedDay(typed: string): string | undefined {
  const written = writtenDay(typed);
  const date = written && parseDate(dateText(written));
  return date && dateText(date);
}

/** Whether it is written as a day that no calendar has, such as 31 February. */
export function isImpossibleDay(typed: string): boolean {
  const written = writtenDay(typed);
  if (!written) return false;
  const { year, month, day } = written;
  return month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month);
}

const msPerDay = 86_400_000;

/** Milliseconds since 1970 at the beginning of the day, in UTC. */
export const msOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The day that is so many years after a moment. */
export function dayAfterYears(nowMs: number, years: number): string {
  const date = new Date(nowMs);
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return date.toISOString().slice(0, 10);
}

/** Whole days from a moment to the beginning of a day. */
export const daysUntil = (day: string, nowMs: number): number =>
  Math.floor((msOfDay(day) - nowMs) / msPerDay);
