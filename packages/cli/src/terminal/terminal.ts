/**
 * What a command says and where: results on standard output, everything else on standard error, so that a pipe gets
 * the result alone. Colours only where a person looks. Whatever stands inside a line is data: a character that a
 * terminal would obey is shown and not sent, a line break too. Only what is made here (`toned`, a list of lines) moves
 * anything on the screen, and no text can imitate it.
 */
import { Console } from 'node:console';
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { bounded, escapeUnsafe } from '@symbolon/core/basics/plain-text';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';

/** One line, or several under each other. */
export type Lines = string | readonly string[];

export interface Terminal {
  /** Of the result. */
  readonly print: (lines: Lines) => void;
  /** For the person who waits. */
  readonly remark: (lines: Lines) => void;
  /** Whether remarks are read by a person, who likes a bar that moves. */
  readonly isWatched: boolean;
  /** Whether the result is: then it may have colours. */
  readonly hasColours: boolean;
}

/** Where the characters go. */
export interface Screen extends Pick<Terminal, 'isWatched' | 'hasColours'> {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** A person reads no more of a remark; results are bounded value by value, because programs read them whole. */
const remarkCharsMax = 4_000;

export const createTerminal = ({ out, err, isWatched, hasColours }: Screen): Terminal => ({
  print: (lines) => out(`${linesOf(lines).map(shown).join('\n')}\n`),
  remark: (lines) =>
    err(
      `${linesOf(lines)
        .map((line) => shown(bounded(line, remarkCharsMax)))
        .join('\n')}\n`,
    ),
  isWatched,
  hasColours,
});

const linesOf = (lines: Lines): readonly string[] => (typeof lines === 'string' ? [lines] : lines);

const processScreen: Screen = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isWatched: process.stderr.isTTY === true,
  hasColours: process.stdout.isTTY === true && (process.stdout.hasColors?.() ?? false),
};

export const processTerminal: Terminal = createTerminal(processScreen);

/** For bars that are drawn again in the same place, and questions: a line that goes on, unless it ends in a break. */
export function draw(text: string): void {
  const [, begin = '', line = '', end = ''] = /^(\r?)(.*?)(\n?)$/s.exec(text) ?? [];
  processScreen.err(`${begin}${shown(line)}${end}`);
}

/** A result of any length, as fast as it is read. */
export const printAll = (lines: AsyncIterable<string>): Promise<void> =>
  pipeline(
    async function* () {
      for await (const line of lines) yield `${shown(line)}\n`;
    },
    process.stdout,
    { end: false },
  );

/** What a program of the user's own says, as it came. */
export const passOn = (text: string): void => processScreen.out(text);

/** For libraries that print: what they say are remarks. */
export const remarkConsole = (): Console =>
  new Console(
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        processTerminal.remark(String(chunk).trimEnd().split('\n'));
        done();
      },
    }),
  );

export type Tone = 'good' | 'bad' | 'quiet' | 'strong';
/** What begins and ends each on a terminal. */
const formats: Readonly<Record<Tone, readonly [number, number]>> = {
  good: [32, 39],
  bad: [31, 39],
  quiet: [2, 22],
  strong: [1, 22],
};

/** A random mark, so that no foreign text can contain it. */
const mark = `\u{f0000}${randomBytes(12).toString('hex')}:`;
const markEnd = '\u{f0001}';
const marks = new RegExp(`${mark}([0-9]+)${markEnd}`, 'u');

export const toned = ({ hasColours }: Terminal, tone: Tone, text: string): string => {
  const [begin, end] = formats[tone];
  return hasColours ? `${mark}${begin}${markEnd}${text}${mark}${end}${markEnd}` : text;
};

/** A line as it goes to the screen: texts escaped, our own marks as what they stand for. */
const shown = (line: string): string =>
  line
    .split(marks)
    .map((part, index) => (index % 2 === 0 ? escapeUnsafe(part) : `\u001b[${part}m`))
    .join('');

/** One JSON object on one line, integers exact; members without a value are left out. */
export const printJson = ({ print }: Terminal, value: object): void =>
  print(stringifyJson(value as JsonObject));

const valueCharsMax = 2_000;

/** A text of somebody else's for one line, as much of it as a person reads. */
export const printable = (text: string): string => escapeUnsafe(bounded(text, valueCharsMax));

/** Names and values, the values under each other. */
export function fieldLines(fields: Readonly<Record<string, unknown>>): readonly string[] {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...given.map(([name]) => name.length));
  return given.map(([name, value]) => `  ${name.padEnd(width)}  ${bounded(String(value), valueCharsMax)}`);
}

/** What was done, in a sentence, and the names and values that belong to it. */
export function printFields(
  { print }: Terminal,
  title: string,
  fields: Readonly<Record<string, unknown>>,
): void {
  print(title);
  print(fieldLines(fields));
}

/** Rows under each other in columns as wide as they need to be. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const cells = rows.map((row) => row.map((cell) => bounded(cell, valueCharsMax)));
  const widths = cells.reduce<number[]>(
    (widest, row) => row.map((cell, index) => Math.max(widest[index] ?? 0, cell.length)),
    [],
  );
  return cells.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index])))
      .join('  ')
      .trimEnd(),
  );
}

/** The part of an id that tells it from others, short: what stands last in `did:zid:…` and `pres_…_…`. */
export const shortenedId = (id: string): string => shortened(printable(id.slice(id.search(/[^:_]*$/))));

/** A hash or identifier, short enough to be recognised at a glance. */
export const shortened = (text: string): string =>
  text.length <= 16 ? text : `${text.slice(0, 8)}…${text.slice(-6)}`;
