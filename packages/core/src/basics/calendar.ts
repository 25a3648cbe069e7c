/**
 * Dates and instants of credentials: strict texts, and the whole days and seconds that stand for them. The calendar is
 * the Gregorian one from 1800 to 9999, in UTC; nothing here knows what time it is.
 */

export const yearMin = 1800;
const yearMax = 9999;

const secondsPerDay = 86_400;
const msPerSecond = 1_000;
const daysPerEra = 146_097;

export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Days since 1 March of the year 0, in eras of 400 years: leap days then always end a year. */
function absoluteDays({ year, month, day }: CalendarDate): number {
  const shiftedYear = month > 2 ? year : year - 1;
  const era = Math.floor(shiftedYear / 400);
  const yearOfEra = shiftedYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  return era * daysPerEra + yearOfEra * 365 + leapDays + dayOfYear;
}

const firstDay = absoluteDays({ year: yearMin, month: 1, day: 1 });
const unixFirstDay = absoluteDays({ year: 1970, month: 1, day: 1 }) - firstDay;

/** Whole days since 1800-01-01. */
export const dayNumber = (date: CalendarDate): number => absoluteDays(date) - firstDay;

export function dateOfDayNumber(days: number): CalendarDate {
  const absolute = days + firstDay;
  const era = Math.floor(absolute / daysPerEra);
  const dayOfEra = absolute - era * daysPerEra;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}

export const lastDayNumber = dayNumber({ year: yearMax, month: 12, day: 31 });
/** Seconds since 1800-01-01T00:00:00Z of the last second that is known. */
export const lastSecond = (lastDayNumber + 1) * secondsPerDay - 1;

const padded = (value: number, width: number): string => String(value).padStart(width, '0');

export const dateText = ({ year, month, day }: CalendarDate): string =>
  `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;

/** `YYYY-MM-DD`, a day that exists, or undefined. */
export function parseDate(text: string): CalendarDate | undefined {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (!match) return undefined;
  const [year, month, day] = match.slice(1).map(Number);
  if (year < yearMin || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month))
    return undefined;
  return { year, month, day };
}

const instantPattern =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.0{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})$/;

/** RFC 3339, whole seconds, any offset: seconds since 1800-01-01T00:00:00Z, or undefined. No leap seconds. */
export function parseInstant(text: string): number | undefined {
  const match = instantPattern.exec(text);
  const date = match && parseDate(match[1]);
  if (!match || !date) return undefined;
  const [hour, minute, second] = match.slice(2, 5).map(Number);
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const offset = offsetSeconds(match[5]);
  if (offset === undefined) return undefined;
  const seconds = dayNumber(date) * secondsPerDay + hour * 3_600 + minute * 60 + second - offset;
  return seconds >= 0 && seconds <= lastSecond ? seconds : undefined;
}

function offsetSeconds(text: string): number | undefined {
  if (text === 'Z' || text === 'z') return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(4, 6))];
  if (hours > 23 || minutes > 59) return undefined;
  return (text[0] === '-' ? -1 : 1) * (hours * 3_600 + minutes * 60);
}

/** `YYYY-MM-DDTHH:MM:SSZ` of seconds since 1800. */
export function instantText(seconds: number): string {
  const days = Math.floor(seconds / secondsPerDay);
  const rest = seconds - days * secondsPerDay;
  const time = [Math.floor(rest / 3_600), Math.floor(rest / 60) % 60, rest % 60].map((part) =>
    padded(part, 2),
  );
  return `${dateText(dateOfDayNumber(days))}T${time.join(':')}Z`;
}

/** The text of an instant in the one form that documents carry: UTC, whole seconds. */
export function isInstantText(text: string): boolean {
  const seconds = parseInstant(text);
  return seconds !== undefined && instantText(seconds) === text;
}

/** Milliseconds since 1970, as clocks count, of an instant's text; undefined if it is none. */
export function unixMsOf(text: string): number | undefined {
  const seconds = parseInstant(text);
  return seconds === undefined ? undefined : (seconds - unixFirstDay * secondsPerDay) * msPerSecond;
}

/** The number of the day, in UTC, that a moment is in. */
export const dayOf = (unixMs: number): number => Math.floor(unixMs / 86_400_000);

/** The text of a clock's reading, whole seconds, rounded down. */
export const instantTextOfUnixMs = (ms: number): string =>
  instantText(Math.floor(ms / msPerSecond) + unixFirstDay * secondsPerDay);
