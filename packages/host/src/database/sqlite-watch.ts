/**
 * What the owner of a SQLite file does every moment, on the database's own thread: a small real write that counts on, and
 * a look whether the files are still those that were opened. A write-ahead log that somebody has deleted goes on to
 * work unseen until the process ends, and then everything since the last checkpoint is gone. So the first look that
 * misses it brings all that is in it into the database file, and nothing is written from then on.
 */
import { openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { SqliteFailure, SqliteOutcome } from './sqlite-messages.ts';
import { lockFileOf } from './sqlite-owner.ts';

/**
 * Holds the count of the last beat, as the database does. A database that counts less than its witness has lost what
 * was answered: its log was deleted, or it is an older copy.
 */
export const witnessFileOf = (file: string): string => `${file}-seen`;

const countDigits = 12;

/** What the witness has seen; nothing where there is none, or a power failure has left no number in it. */
export function witnessed(file: string): number | undefined {
  try {
    const text = readFileSync(witnessFileOf(file), 'latin1').trim();
    return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** SQLite has no code for this. */
export const filesChangedCode = -1;

interface WatchedFile {
  readonly path: string;
  readonly problem: string;
  identity?: string;
}

const identityOf = (path: string): string | undefined => {
  const facts = statSync(path, { throwIfNoEntry: false, bigint: true });
  return facts && `${facts.dev}:${facts.ino}`;
};

export interface SqliteWatch {
  beat(): SqliteOutcome;
  /** Nothing is written any more, for this reason. */
  stop(problem: string): SqliteOutcome;
}

export function watchSqlite(connection: DatabaseSync, file: string): SqliteWatch {
  const log: WatchedFile = { path: `${file}-wal`, problem: 'the write-ahead log of the database' };
  const others: WatchedFile[] = [
    { path: file, problem: 'the database file' },
    { path: lockFileOf(file), problem: 'the lock file of the database' },
  ];
  let witness: number | undefined;
  let stopped: SqliteFailure | undefined;

  const stop = (message: string): SqliteOutcome => {
    if (!stopped) connection.exec('pragma query_only = on');
    stopped ??= { message, code: filesChangedCode };
    return { failure: stopped };
  };
  /** Whether it is the file that was there at the first look. */
  const isSame = (watched: WatchedFile): boolean => {
    const identity = identityOf(watched.path);
    watched.identity ??= identity;
    return identity === watched.identity;
  };
  const lookAtFiles = (): SqliteOutcome | undefined => {
    const changed = others.find((watched) => !isSame(watched));
    if (changed) return stop(goneWords(changed));
    if (isSame(log)) return undefined;
    // Still open here, under no name: what it holds must not end with this process.
    connection.exec('pragma wal_checkpoint(truncate)');
    return stop(goneWords(log));
  };

  return {
    stop,
    beat() {
      if (stopped) return { failure: stopped };
      const changed = lookAtFiles();
      if (changed) return changed;
      const count = countOf(connection) + 1;
      connection.exec(`pragma user_version = ${count}`);
      witness ??= openSync(witnessFileOf(file), 'w', 0o600);
      writeSync(witness, `${String(count).padStart(countDigits, '0')}\n`, 0);
      return { rows: [{ count }] };
    },
  };
}

const goneWords = ({ problem, path }: WatchedFile): string =>
  `${problem} (${basename(path)}) was deleted or replaced, and nothing is written any more`;

function countOf(connection: DatabaseSync): number {
  const [row] = connection.prepare('pragma user_version').all() as { user_version: number }[];
  return row?.user_version ?? 0;
}
