/**
 * What the owner of a SQLite file does every moment, on the database's own thread: a small real write that counts on, and
 * a look whether the files are still those that were opened. A database file or log that somebody has deleted goes on to
 * work unseen until the process ends, and then what it held is gone. So the first look that misses one brings all
 * that is in it to where a restart finds it, and nothing is written from then on. Nor is it after damage.
 */
import { closeSync, fsyncSync, linkSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SqliteFailure, SqliteOutcome, SqliteThreadSettings } from './sqlite-connection.ts';
import {
  lockFileOf,
  logFileOf,
  makeOwnFile,
  markStopped,
  rescueFileOf,
  witnessFileOf,
} from './sqlite-files.ts';

const countDigits = 12;

/** SQLite has no code for this. */
const stoppedCode = -1;

/** Damage, no database, and what is read from the disk is less or other than what was written there. */
const damageCodes: ReadonlySet<number> = new Set([11, 26]);
const brokenReadCodes: ReadonlySet<number> = new Set([266, 522, 8202, 8458]);

const isDamage = (code: number): boolean => damageCodes.has(code & 0xff) || brokenReadCodes.has(code);

interface WatchedFile {
  readonly path: string;
  readonly problem: string;
  identity?: string;
}

const identityOf = (path: string): string | undefined => {
  const facts = statSync(path, { throwIfNoEntry: false, bigint: true });
  return facts && `${facts.dev}:${facts.ino}`;
};

const noMore = 'and nothing is written any more';
const restart = 'restart the service, which goes on with it';

export interface SqliteWatch {
  beat(): SqliteOutcome;
  /** Nothing is written any more, for this reason. */
  stop(problem: string): SqliteOutcome;
  /** What SQLite said of a statement; when that means damage, nothing is written any more. */
  judged(failure: SqliteFailure): SqliteFailure;
  isStopped(): boolean;
  /** To be called when the connection is closed. */
  letGo(): void;
}

export function watchSqlite(
  connection: DatabaseSync,
  { file, isOwned }: Pick<SqliteThreadSettings, 'file' | 'isOwned'>,
): SqliteWatch {
  const database: WatchedFile = { path: file, problem: 'the database file' };
  const lock: WatchedFile = { path: lockFileOf(file), problem: 'the lock file of the database' };
  const log: WatchedFile = { path: logFileOf(file), problem: 'the write-ahead log of the database' };
  const isCutShort = watchLog(log.path);
  let witness: number | undefined;
  let stopped: SqliteFailure | undefined;
  let keeper: DatabaseSync | undefined;

  const stop = (problem: string): SqliteOutcome => {
    if (!stopped) {
      connection.exec('pragma query_only = on');
      markStopped(file, problem);
    }
    stopped ??= { message: problem, code: stoppedCode, stopped: problem };
    return { failure: stopped };
  };
  /** The last to close brings the log into the file: of a bad log or a bad file nothing is to be brought anywhere. */
  const stopAsItIs = (problem: string): SqliteOutcome => {
    keeper ??= openKeeper(file);
    return stop(problem);
  };
  /** Whether it is the file that was there at the first look. */
  const isSame = (watched: WatchedFile): boolean => {
    const identity = identityOf(watched.path);
    watched.identity ??= identity;
    return identity === watched.identity;
  };
  const lookAtFiles = (): SqliteOutcome | undefined => {
    if (!isSame(database)) return stop(`${goneWords(database)}: ${rescue(connection, file)}`);
    if (!isSame(lock)) return stop(`${goneWords(lock)}: ${restart}`);
    if (!isSame(log)) {
      // Still open here, under no name: what it holds must not end with this process.
      connection.exec('pragma wal_checkpoint(truncate)');
      return stop(`${goneWords(log)}: what it held is in the database file; ${restart}`);
    }
    if (!isCutShort()) return undefined;
    return stopAsItIs(
      `${log.problem} (${basename(log.path)}) was cut short, ${noMore}: ${lostWords}; restore a backup into a new folder`,
    );
  };

  return {
    stop,
    judged(failure) {
      if (!isOwned || stopped || !isDamage(failure.code)) return failure;
      // Without its log a sound file looks damaged: files that are gone are named first.
      const changed = lookAtFiles() ?? stopAsItIs(damagedWords);
      return 'failure' in changed ? { ...failure, stopped: changed.failure.message } : failure;
    },
    isStopped: () => stopped !== undefined,
    letGo: () => keeper?.close(),
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

const lostWords = 'writes that were answered may be gone with it';

export const damagedWords = `the database file is damaged, ${noMore}: restore a backup into a new folder`;

const goneWords = ({ problem, path }: WatchedFile): string =>
  `${problem} (${basename(path)}) was deleted or replaced, ${noMore}`;

function countOf(connection: DatabaseSync): number {
  const [row] = connection.prepare('pragma user_version').all() as { user_version: number }[];
  return row?.user_version ?? 0;
}

const headerBytes = 32;
const saltAt = 16;
/** The first bytes of every log but for their last bit, which tells the order of bytes of its checksums. */
const logMagic = 0x377f0682;

/**
 * Whether a log is shorter than it was, or its beginning is not one. SQLite makes a log shorter only after it has begun
 * it anew, with another salt.
 */
function watchLog(path: string): () => boolean {
  const header = Buffer.alloc(headerBytes);
  let handle: number | undefined;
  let lastSize = 0;
  let lastSalt = '';
  return () => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size === 0) return lastSize > 0;
    handle ??= openSync(path, 'r');
    header.fill(0);
    readSync(handle, header, 0, headerBytes, 0);
    const salt = header.toString('hex', saltAt, saltAt + 8);
    const isLog = (header.readUInt32BE(0) & ~1) === logMagic;
    const isShorter = salt === lastSalt && size < lastSize;
    lastSize = size;
    lastSalt = salt;
    return !isLog || isShorter;
  };
}

/** A second connection that only reads: while it is open, closing the first one leaves the files as they are. */
function openKeeper(file: string): DatabaseSync | undefined {
  try {
    const keeper = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    keeper.prepare('pragma user_version').all();
    return keeper;
  } catch {
    // A file that cannot even be opened is not written by closing it either.
    return undefined;
  }
}

/**
 * SQLite still has a file that was deleted or replaced while it is open, under no name, and it ends with the process. So
 * all of it is written to where a restart finds it. Says where that is, and what to do.
 */
function rescue(connection: DatabaseSync, file: string): string {
  const copy = rescueFileOf(file);
  try {
    // An empty log is good beside whatever file has the name; the old one would be another's.
    connection.exec('pragma wal_checkpoint(truncate)');
    makeOwnFile(copy);
    connection.exec(`vacuum into '${copy.replaceAll("'", "''")}'`);
    sync(copy);
  } catch (error) {
    return `what it held could not be saved (${(error as Error).message}) and is lost when this process ends`;
  }
  if (!putBack(copy, file))
    return `what it held is in ${basename(copy)}; stop the service, give it the name ${basename(file)}, start again`;
  return 'what it held was written back under its name; restart the service, which goes on with it';
}

function putBack(copy: string, file: string): boolean {
  try {
    // Never over a file that has the name by now.
    linkSync(copy, file);
    rmSync(copy);
    sync(dirname(file));
    return true;
  } catch {
    return false;
  }
}

function sync(path: string): void {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
