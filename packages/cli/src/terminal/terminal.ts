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
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
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
  /** How many characters of the result fit on a line; without it nothing has to fit, as in a pipe. */
  readonly width?: number | undefined;
}

/** Where the characters go. */
export interface Screen extends Pick<Terminal, 'isWatched' | 'hasColours' | 'width'> {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

export const createTerminal = (screen: Screen): Terminal => ({
  print: (lines) => screen.out(`${linesOf(lines).map(shown).join('\n')}\n`),
  remark: (lines) =>
    screen.err(
      `${linesOf(lines)
        .map((line) => shown(boundedLine(line)))
        .join('\n')}\n`,
    ),
  isWatched: screen.isWatched,
  hasColours: screen.hasColours,
  get width() {
    return screen.width;
  },
});

const linesOf = (lines: Lines): readonly string[] => (typeof lines === 'string' ? [lines] : lines);

let isWide = false;

/** From here on nothing is shortened, neither to fit nor because it is long: `--wide`. */
export const widen = (): void => {
  isWide = true;
};

/** Whoever sets COLUMNS, as `watch` does, says how wide the screen is that a pipe leads to. */
function screenWidth(): number | undefined {
  if (isWide) return undefined;
  const told = /^[1-9][0-9]{0,3}$/.test(process.env.COLUMNS ?? '') ? Number(process.env.COLUMNS) : undefined;
  return told ?? (process.stdout.isTTY ? process.stdout.columns : undefined);
}

const processScreen: Screen = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isWatched: process.stderr.isTTY === true,
  hasColours: process.stdout.isTTY === true && (process.stdout.hasColors?.() ?? false),
  get width() {
    return screenWidth();
  },
};

export const processTerminal: Terminal = createTerminal(processScreen);

/** For bars that are drawn again in the same place, and questions: a line that goes on, unless it ends in a break. */
export function draw(text: string): void {
  const [, begin = '', line = '', end = ''] = /^(\r?)(.*?)(\n?)$/s.exec(text) ?? [];
  processScreen.err(`${begin}${shown(line)}${end}`);
}

/** Draws lines in the place of those that were drawn last, so many of them. */
export function drawOver(lines: readonly string[], before: number): void {
  const back = before > 0 ? `\u001b[${before}A\u001b[J` : '';
  processScreen.out(`${back}${lines.map((line) => `${shown(line)}\n`).join('')}`);
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

/** How many characters of a text are seen. */
export const seenLength = (text: string): number =>
  text.split(marks).reduce((sum, part, index) => sum + (index % 2 === 0 ? part.length : 0), 0);

/** The beginning of a text of which not so much fits; what it is toned in ends where it does. */
export function cut(text: string, most: number): string {
  if (seenLength(text) <= most) return text;
  let room = Math.max(1, most - 1);
  const parts = text.split(marks).map((part, index) => {
    if (index % 2 === 1) return `${mark}${part}${markEnd}`;
    const kept = part.slice(0, room);
    room -= kept.length;
    return kept;
  });
  return `${parts.join('').trimEnd()}…`;
}

/** A line as it goes to the screen: texts escaped, our own marks as what they stand for. */
const shown = (line: string): string =>
  line
    .split(marks)
    .map((part, index) => (index % 2 === 0 ? escapeUnsafe(part) : `\u001b[${part}m`))
    .join('');

/** One JSON object on one line, integers exact; members without a value are left out. */
export const printJson = ({ print }: Terminal, value: object): void =>
  print(stringifyJson(value as JsonObject));

/** A person reads no more of a value, as it is shown. */
const valueCharsMax = 2_000;
/** The longest value that there is, with each of its characters escaped. */
const wideCharsMax = 6 * credentialRequestLimits.valueCharsMax;
const textCharsMax = (): number => (isWide ? wideCharsMax : valueCharsMax);

/** A text of somebody else's for one line, as much of it as a person reads; with `--wide` all of it. */
export function printable(text: string): string {
  if (!isCut(text)) return escapeUnsafe(text);
  const most = textCharsMax();
  let kept = '';
  for (const character of text) {
    const next = escapeUnsafe(character);
    if (kept.length + next.length > most) break;
    kept += next;
  }
  return `${kept}… (${text.length} characters)`;
}

/** Whether `printable` leaves something of a text out. */
export const isCut = (text: string): boolean => escapeUnsafe(text).length > textCharsMax();

/** What `printable` adds to a text twice, and the words and spaces around it. */
const besideTextsMax = 500;

/**
 * For what was not bounded text by text. A name and its value, as `printable` makes them, stay as they are: bounded a
 * second time they would be told to be shorter than they are.
 */
export const boundedLine = (line: string): string => bounded(line, 2 * textCharsMax() + besideTextsMax);
