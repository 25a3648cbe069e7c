/** Dates and times as the data model wants them (`xsd:dateTimeStamp`): with seconds and an offset, and a day that exists. */
const dateTimePattern =
  /^(\d{4})-(\d{2})-(\d{2})T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?|24:00:00(?:\.0{1,9})?)(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))$/;

const daysOfMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Milliseconds since 1970; undefined for what is no such text. Fractions beyond milliseconds are dropped. */
export function dateTimeMs(text: string): number | undefined {
  const match = dateTimePattern.exec(text);
  if (!match) return undefined;
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number];
  if (month < 1 || month > 12 || day < 1 || day > daysOfMonth(year, month)) return undefined;
  const ms = Date.parse(text.replace(/(\.\d{3})\d+/, '$1'));
  return Number.isNaN(ms) ? undefined : ms;
}
