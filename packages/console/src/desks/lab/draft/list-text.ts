/** Lists as one types them: an element a line, its members with a space between. Pure. */
import { isJsonObject, type JsonValue } from '@symbolon/wire/json/json';

export type ListKind = 'lines' | 'weights' | 'thresholds';

const members: Readonly<Record<Exclude<ListKind, 'lines'>, readonly [string, string]>> = {
  weights: ['address', 'weight'],
  thresholds: ['type', 'threshold'],
};

/** What an element of a list says, by the names of its members; by none where it is a text. */
export const elementsOfList = (kind: ListKind): readonly string[] =>
  kind === 'lines' ? [''] : members[kind];

/** Whether a text is seen as one element of a list, where each has a line. */
export const standsOnLine = (text: string): boolean => text.trim() !== '' && !/[\r\n]/.test(text);

/** Digits alone, however the reader groups them elsewhere. */
export const isWhole = (text: string): boolean => /^\d+$/.test(text);

export function listOfText(text: string, kind: ListKind): JsonValue {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return '';
  if (kind === 'lines') return lines;
  const [first, second] = members[kind];
  return lines.map((line) => {
    const [name = '', ...rest] = line.trim().split(/\s+/);
    // What is missing stays missing, and reading the draft says so.
    return { [first]: name, ...(rest.length > 0 && { [second]: rest.join(' ') }) };
  });
}

export function textOfList(value: JsonValue | undefined, kind: ListKind): string {
  if (!Array.isArray(value)) return '';
  if (kind === 'lines') return value.map(String).join('\n');
  const names = members[kind];
  return value
    .map((entry) => (isJsonObject(entry) ? names.map((name) => String(entry[name] ?? '')).join(' ') : ''))
    .join('\n')
    .trimEnd();
}

/** Whether a line has something else than a whole number where one belongs. */
export function hasWrongNumber(value: JsonValue, kind: ListKind): boolean {
  if (kind === 'lines' || !Array.isArray(value)) return false;
  const [, number] = members[kind];
  return value.some((entry) => {
    const given = isJsonObject(entry) ? entry[number] : undefined;
    return given !== undefined && !isWhole(String(given));
  });
}
