/**
 * What a command says and where: results on standard output, everything else on standard error, so that a pipe gets
 * the result alone. Colours only where a person looks.
 */
import { styleText } from 'node:util';
import { type JsonObject, type JsonValue, stringifyJson } from '@symbolon/wire/json';

export interface Terminal {
  /** A line of the result. */
  readonly print: (text: string) => void;
  /** A remark for the person who waits. */
  readonly remark: (text: string) => void;
  /** Whether remarks are read by a person, who likes a bar that moves. */
  readonly isWatched: boolean;
  /** Whether the result is: then it may have colours. */
  readonly hasColours: boolean;
}

export const processTerminal: Terminal = {
  print: (text) => void process.stdout.write(`${text}\n`),
  remark: (text) => void process.stderr.write(`${text}\n`),
  isWatched: process.stderr.isTTY === true,
  hasColours: process.stdout.isTTY === true && (process.stdout.hasColors?.() ?? false),
};

export type Tone = 'good' | 'bad' | 'quiet' | 'strong';
const formats = { good: 'green', bad: 'red', quiet: 'dim', strong: 'bold' } as const;

export const toned = ({ hasColours }: Terminal, tone: Tone, text: string): string =>
  hasColours ? styleText(formats[tone], text, { validateStream: false }) : text;

/** One JSON value on one line, integers exact. */
export const printJson = ({ print }: Terminal, value: JsonValue | JsonObject): void =>
  print(stringifyJson(value));

/** Names and values, the values under each other. */
export function fieldLines(fields: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...given.map(([name]) => name.length));
  return given.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
}

/** Rows under each other in columns as wide as they need to be. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, index) => Math.max(widest[index] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A hash or identifier, short enough to be recognised at a glance. */
export const shortened = (text: string): string =>
  text.length <= 16 ? text : `${text.slice(0, 8)}…${text.slice(-6)}`;
