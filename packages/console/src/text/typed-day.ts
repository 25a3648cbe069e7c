/** A day as people type it: `2099-12-31`, `31.12.2099`, `31 Dec 2099`, `31. Dezember 2099`. Read while they type. */
import { dateText, parseDate } from '@symbolon/core/basics/calendar';

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

/** As `YYYY-MM-DD`; undefined for what is no day. Numbers with dots have the day first; slashes could mean either. */
export function readTypedDay(typed: string): string | undefined {
  const text = typed.trim();
  const numbers = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text);
  if (numbers) return dayOf(Number(numbers[3]), Number(numbers[2]), Number(numbers[1]));
  const words = /^(\d{1,2})\.?\s+(\p{L}+)\.?\s+(\d{4})$/u.exec(text);
  if (words) return dayOf(Number(words[3]), monthOf(words[2] as string), Number(words[1]));
  const date = parseDate(text);
  return date && dateText(date);
}

function dayOf(year: number, month: number, day: number): string | undefined {
  const pad = (value: number): string => String(value).padStart(2, '0');
  const date = parseDate(`${year}-${pad(month)}-${pad(day)}`);
  return date && dateText(date);
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
