/**
 * Names with their values, and tables, laid out for the screen that they go to. In a table identifiers are shortened and
 * long texts cut until a row fits; a value beside its name is never cut, but continues below. Where there is no screen
 * everything is whole and one line each, for programs that read it.
 */
import { boundedLine, cut, printable, seenLength, type Terminal } from './terminal.ts';

const gap = '  ';
/** Less of a text says nothing. */
const cellCharsMin = 8;
/** Where a value stands that has no room beside its name. */
const belowIndent = 4;

/** What is known by its beginning and its end: hashes, keys, addresses, each with the name of its kind before it. */
const identifier = /((?:did:[a-z0-9]+:)?)((?:0x)?[0-9A-Za-z]{30,})/g;

/** A hash or identifier, short enough to be recognised at a glance. */
export function shortened(text: string): string {
  const [, kind = '', rest = text] = /^(did:[a-z0-9]+:)(.*)$/.exec(text) ?? [];
  if (rest.length <= 16) return text;
  return kind === ''
    ? `${rest.slice(0, 8)}…${rest.slice(-6)}`
    : `${kind}${rest.slice(0, 4)}…${rest.slice(-4)}`;
}

/** The part of an id that tells it from others, short: what stands last in `did:zid:…` and `pres_…_…`. */
export const shortenedId = (id: string): string => shortened(printable(id.slice(id.search(/[^:_]*$/))));

const withShortIds = (text: string): string => text.replace(identifier, (found) => shortened(found));

/** A text in lines of words; a word that is longer than a line has one for itself. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && seenLength(last) + 1 + seenLength(word) <= width)
      lines.splice(-1, 1, `${last} ${word}`);
    else lines.push(word);
  }
  return lines;
}

/** A sentence, continued below its own beginning or further in. */
export function sentenceLines({ width }: Terminal, text: string, indent = 0): readonly string[] {
  if (width === undefined || seenLength(text) <= width) return [text];
  const [, begin = '', rest = text] = /^( *)(.*)$/s.exec(text) ?? [];
  const further = ' '.repeat(Math.max(begin.length, indent));
  const [first = '', ...others] = wrapped(rest, width - further.length);
  return [`${begin}${first}`, ...others.map((line) => `${further}${line}`)];
}

const widthsOf = (rows: readonly (readonly string[])[]): readonly number[] =>
  rows.reduce<number[]>(
    (widest, row) => row.map((cell, index) => Math.max(widest[index] ?? 0, seenLength(cell))),
    [],
  );

const rowWidth = (widths: readonly number[]): number =>
  widths.reduce((sum, one) => sum + one, gap.length * Math.max(0, widths.length - 1));

const padded = (cell: string, width: number): string =>
  `${cell}${' '.repeat(Math.max(0, width - seenLength(cell)))}`;

function rowLine(row: readonly string[], widths: readonly number[]): string {
  const cells = row.map((cell, index) =>
    index === row.length - 1 ? cell : padded(cell, widths[index] ?? 0),
  );
  return cells.join(gap).trimEnd();
}

const boundedRows = (rows: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  rows.map((row) => row.map(boundedLine));

/** Which of the columns is the widest. */
const widestOf = (widths: readonly number[]): number => widths.indexOf(Math.max(...widths));

const changed = (
  rows: readonly (readonly string[])[],
  column: number,
  change: (cell: string) => string,
): readonly (readonly string[])[] =>
  rows.map((row) => row.map((cell, index) => (index === column ? change(cell) : cell)));

/** Rows that fit: the widest identifiers are shortened first, then the widest texts are cut. */
function fittedRows(rows: readonly (readonly string[])[], width: number): readonly (readonly string[])[] {
  let fitted = rows;
  const columnsByWidth = widthsOf(rows)
    .map((one, index) => ({ one, index }))
    .sort((left, right) => right.one - left.one);
  for (const { index } of columnsByWidth) {
    if (rowWidth(widthsOf(fitted)) <= width) return fitted;
    fitted = changed(fitted, index, withShortIds);
  }
  for (let tries = 0; tries < columnsByWidth.length; tries += 1) {
    const widths = widthsOf(fitted);
    const excess = rowWidth(widths) - width;
    if (excess <= 0) return fitted;
    const widest = widestOf(widths);
    const room = Math.max(cellCharsMin, (widths[widest] ?? 0) - excess);
    fitted = changed(fitted, widest, (cell) => cut(cell, room));
  }
  return fitted;
}

const shortenedWords = 'Shortened to fit the screen; --wide and --json show everything.';

/** Rows under each other as they are printed, and whether something was left out to make them fit. */
function laidOut(
  { width }: Terminal,
  rows: readonly (readonly string[])[],
): { readonly lines: readonly string[]; readonly isWhole: boolean } {
  const whole = boundedRows(rows);
  const fitted = width === undefined ? whole : fittedRows(whole, width);
  const widths = widthsOf(fitted);
  return { lines: fitted.map((row) => rowLine(row, widths)), isWhole: fitted === whole };
}

/** Prints rows under each other; where something was left out to make them fit, it is said how to see it. */
export function printTable(terminal: Terminal, rows: readonly (readonly string[])[]): void {
  const { lines, isWhole } = laidOut(terminal, rows);
  terminal.print(lines);
  if (!isWhole) terminal.remark(shortenedWords);
}

/** The lines of a table that is drawn again and again. */
export const tableLines = (terminal: Terminal, rows: readonly (readonly string[])[]): readonly string[] =>
  laidOut(terminal, rows).lines;

/** Rows under each other in columns as wide as they need to be; the last of them continues below itself. */
export function columns(terminal: Terminal, rows: readonly (readonly string[])[]): readonly string[] {
  const whole = boundedRows(rows);
  const widths = widthsOf(whole);
  const { width } = terminal;
  return whole.flatMap((row) => {
    const line = rowLine(row, widths);
    if (width === undefined || seenLength(line) <= width) return [line];
    const indent = rowWidth(widths.slice(0, row.length - 1)) + (row.length > 1 ? gap.length : 0);
    return continued(row, { width, indent, head: rowLine([...row.slice(0, -1), ''], widths) });
  });
}

function continued(
  row: readonly string[],
  { width, indent, head }: { readonly width: number; readonly indent: number; readonly head: string },
): readonly string[] {
  const last = row.at(-1) ?? '';
  const parts = wrapped(last, width - indent);
  if (parts.every((part) => seenLength(part) <= width - indent)) {
    const [first = '', ...others] = parts;
    return [`${padded(head, indent)}${first}`, ...others.map((part) => `${' '.repeat(indent)}${part}`)];
  }
  // A word that has no room there has it on lines of its own.
  return [head, ...wrapped(last, width - belowIndent).map((part) => `${' '.repeat(belowIndent)}${part}`)];
}

/** Names and values, the values under each other. */
export const fieldLines = (
  terminal: Terminal,
  fields: Readonly<Record<string, unknown>>,
): readonly string[] =>
  columns(
    terminal,
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [`  ${name}`, String(value)]),
  );

/** What was done, in a sentence, and the names and values that belong to it. */
export function printFields(
  terminal: Terminal,
  title: string,
  fields: Readonly<Record<string, unknown>>,
): void {
  terminal.print(sentenceLines(terminal, title));
  terminal.print(fieldLines(terminal, fields));
}

/** A document as JSON, a member a line; on a screen identifiers are shortened in lines that do not fit. */
export function printDocument(terminal: Terminal, document: object): void {
  const whole = JSON.stringify(document, undefined, 2).split('\n');
  const { width } = terminal;
  const fits = (line: string): boolean => width === undefined || seenLength(line) <= width;
  const fitted = whole.map((line) => (fits(line) ? line : withShortIds(line)));
  terminal.print(fitted.map((line) => (fits(line) ? line : cut(line, width ?? line.length))));
  if (!whole.every(fits)) terminal.remark(shortenedWords);
}
