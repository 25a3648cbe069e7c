/**
 * Times as people read them: how long ago, up to a day; then the day. The exact one, in UTC, is for the title. Logs show
 * milliseconds. `now` is given, so the same input gives the same text.
 */
import type { Language } from './language.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

const dayFormats = Object.fromEntries(
  Object.entries(locales).map(([language, locale]) => [
    language,
    new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
  ]),
) as Readonly<Record<Language, Intl.DateTimeFormat>>;

/** `15 Nov 2026`, in UTC: the same day for everybody who speaks about it. */
export const dayText = (at: number, language: Language): string => dayFormats[language].format(at);

/**
 * The last day to which an end lets anything hold. What ends at the beginning of a day, in UTC, does not hold on that day,
 * and nobody shall count on it.
 */
export const lastDayText = (end: number, language: Language): string => dayText(end - 1, language);

/** `15 Nov 2026, 14:31 UTC`. */
export const momentText = (at: number, language: Language): string =>
  `${dayText(at, language)}, ${new Date(at).toISOString().slice(11, 16)} UTC`;

/** `14:31`, on the reader's own clock. */
export const clockText = (at: number, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], { hour: '2-digit', minute: '2-digit' }).format(at);

/** `14:32:31.482`, on the reader's own clock. */
export const logTimeText = (at: number): string => {
  const date = new Date(at);
  const pad = (value: number, digits = 2) => String(value).padStart(digits, '0');
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => pad(part));
  return `${parts.join(':')}.${pad(date.getMilliseconds(), 3)}`;
};

export type TimeWidth = 'long' | 'narrow';

/** "2 minutes ago", "2 min" where there is little room; the day where it is longer ago than one. */
export function agoText(at: number, now: number, language: Language, width: TimeWidth = 'long'): string {
  const elapsed = now - at;
  if (elapsed >= day || elapsed <= -day) return dayText(at, language);
  const [count, unit] = largestUnit(Math.abs(elapsed));
  if (width === 'narrow') return narrowText(count, unit, language);
  const format = new Intl.RelativeTimeFormat(locales[language], { numeric: 'auto' });
  return format.format(elapsed < 0 ? count : -count, unit);
}

type Unit = 'second' | 'minute' | 'hour';

function largestUnit(elapsed: number): [count: number, unit: Unit] {
  if (elapsed < minute) return [Math.floor(elapsed / second), 'second'];
  if (elapsed < hour) return [Math.floor(elapsed / minute), 'minute'];
  return [Math.floor(elapsed / hour), 'hour'];
}

function narrowText(count: number, unit: Unit, language: Language): string {
  if (count === 0) return new Intl.RelativeTimeFormat(locales[language], { numeric: 'auto' }).format(0, unit);
  const symbols: Readonly<Record<Unit, string>> = { second: 's', minute: 'min', hour: 'h' };
  return `${count} ${symbols[unit]}`;
}
