/**
 * Where a server's log goes. Programs that read standard error get JSON, a line each. A person at a terminal gets
 * what needs attention, in words; with `--log FILE` everything is in the file, as JSON.
 */
import { openSync, writeSync } from 'node:fs';
import type { LogLevel } from '@symbolon/host/telemetry/log';
import { Option } from 'commander';
import { parseJsonObject } from '../terminal/json-file.ts';
import { processTerminal, type Terminal, toned } from '../terminal/terminal.ts';

export interface LogStream {
  readonly write: (line: string) => void;
}

export const logOption = () => new Option('--log <file>', 'write the log into this file, as JSON lines');

/** Undefined where it is as programs expect it: JSON on standard error. */
export function logStreamOf(
  { file, level }: { readonly file: string | undefined; readonly level: LogLevel },
  terminal: Terminal = processTerminal,
): LogStream | undefined {
  if (file !== undefined) {
    const descriptor = openSync(file, 'a', 0o600);
    return { write: (line) => void writeSync(descriptor, line) };
  }
  return terminal.isWatched ? wordsStream(terminal, level) : undefined;
}

const attention: ReadonlySet<unknown> = new Set(['warn', 'error', 'fatal']);

/** Whoever has asked for another level than the usual one gets all of that. */
function wordsStream(terminal: Terminal, level: LogLevel): LogStream {
  const isShown = (found: unknown): boolean => attention.has(found) || level !== 'info';
  return {
    write: (line) => {
      const entry = parseJsonObject(line);
      if (entry && isShown(entry.level)) terminal.remark(entryText(entry, terminal));
    },
  };
}

export function entryText(
  { time, level, name, msg, err, reason }: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): string {
  const word = level === 'warn' ? 'warning' : String(level);
  const why = reason ?? (err as { readonly message?: unknown } | undefined)?.message;
  const text = `${String(time).slice(11, 19)}  ${String(name ?? '').padEnd(7)}  ${word}: ${msg ?? ''}${why === undefined ? '' : ` (${why})`}`;
  return attention.has(level) && level !== 'warn' ? toned(terminal, 'bad', text) : text;
}
