/**
 * What became of rows that were not issued: a file beside the table with line, column and reason, and a bounded list
 * for the answer. Never a value: the file may be passed on to whoever keeps the table.
 */

import { type FileHandle, open, rm } from 'node:fs/promises';
import { given } from '@symbolon/core/basics/plain-values';
import { bulkLimits } from '../limits/command-limits.ts';
import { exitCodes, unsuccessful } from '../terminal/failure.ts';
import { printable } from '../terminal/terminal.ts';
import type { RowProblem } from './row-check.ts';

export interface FailedRows {
  readonly add: (problem: RowProblem) => void;
  /** The first of them. */
  readonly listed: () => readonly RowProblem[];
  /** Answers the file's name, or undefined when there is nothing in it and so no file. */
  readonly finish: () => Promise<string | undefined>;
}

const batchLines = 500;

export async function openFailedRows(file: string): Promise<FailedRows> {
  // What an earlier run said no longer holds.
  await rm(file, { force: true });
  const listed: RowProblem[] = [];
  let handle: FileHandle | undefined;
  let lines: string[] = [];
  let writing = Promise.resolve();

  async function write(batch: readonly string[]): Promise<void> {
    if (!handle) {
      // Not what somebody has put there meanwhile, such as a link.
      handle = await open(file, 'wx', 0o600);
      await handle.appendFile('line,column,reason\n');
    }
    await handle.appendFile(batch.join(''));
  }
  function flush(): void {
    const batch = lines;
    lines = [];
    if (batch.length > 0) writing = writing.then(() => write(batch));
    // It is told by `finish`.
    writing.catch(() => undefined);
  }

  return {
    add(problem) {
      if (listed.length < bulkLimits.problemsListedMax) listed.push(problem);
      lines.push(`${[problem.line, problem.column ?? '', problem.reason].map(cell).join(',')}\n`);
      if (lines.length >= batchLines) flush();
    },
    listed: () => listed,
    async finish() {
      flush();
      try {
        await writing;
      } finally {
        await handle?.close();
      }
      return handle && file;
    },
  };
}

/** Quoted where CSV wants it. What a spreadsheet would take for a formula is kept from being one, whoever wrote it. */
function cell(value: string | number): string {
  const text = printable(String(value));
  const harmless = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** For people: where, and what is wrong. */
export const problemLine = ({ line, column, reason }: RowProblem): string =>
  `line ${line}${column === undefined ? '' : `, ${column}`}: ${reason}`;

/** The same for a program. */
export const problemJson = ({ line, column, reason }: RowProblem) => given({ line, column, reason });

/** Beside the result of a table of which some rows failed. */
export const someFailed = (count: number) =>
  count > 0 && unsuccessful(count === 1 ? 'One row failed.' : `${count} rows failed.`, exitCodes.failed);
