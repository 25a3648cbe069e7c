/**
 * The files of a SQLite database, looked at before SQLite opens any of them: it makes a database that is not there, and
 * throws away the log of one that is empty. Whoever is refused here finds every file as it was.
 *
 * One process owns a file: it holds a lock for as long as it lives, and a second owner is refused. The lock is the
 * operating system's, taken by SQLite on an empty file beside the database, so that the end of the process, however it
 * comes, frees it at once; the file that stays behind means nothing. Whoever is no owner may go on to read and write.
 */
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { databaseLimits } from '../../limits/server-limits.ts';
import {
  DatabaseAddressWrong,
  DatabaseInUse,
  DatabaseSetBack,
  DatabaseUnreachable,
} from '../common/database-error.ts';

export const logFileOf = (file: string): string => `${file}-wal`;
export const lockFileOf = (file: string): string => `${file}-lock`;
/** What the database held when its file was taken away from under it, and another one has its name. */
export const rescueFileOf = (file: string): string => `${file}-rescued`;

/**
 * Holds the count of the last beat, as the database does. A database that counts less than its witness has lost what
 * was answered: its log was deleted, or it is an older copy.
 */
export const witnessFileOf = (file: string): string => `${file}-seen`;

/** Says why its owner writes no more, from that moment until the next owner has opened it. */
const stoppedFileOf = (file: string): string => `${file}-stopped`;

const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'latin1').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const factsOf = (file: string): Stats | undefined => statSync(file, { throwIfNoEntry: false });
const sizeOf = (file: string): number => factsOf(file)?.size ?? 0;

/** What the witness has seen; nothing where there is none, or a power failure has left no number in it. */
function witnessed(file: string): number | undefined {
  const text = textOf(witnessFileOf(file));
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

const linksMax = 40;

/** Where a file is in truth, whatever links lead to it: what lies beside it is found there alone. */
export function sqliteLocation(file: string): string {
  let place = resolve(file);
  for (let links = 0; lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink(); links += 1) {
    if (links === linksMax) throw new DatabaseAddressWrong(`${file} is a link that leads nowhere`);
    place = resolve(dirname(place), readlinkSync(place));
  }
  return place;
}

/** Throws when the database at a place is not all there; one that is yet to be made is fine. */
export function assertSqliteThere(place: string): void {
  const facts = factsOf(place);
  if (facts && !facts.isFile())
    throw new DatabaseAddressWrong(`sqlite:${place} cannot be opened: it is not a file`);
  if (facts && facts.nlink > 1)
    throw new DatabaseAddressWrong(
      `sqlite:${place} has ${facts.nlink} names (hard links): a second process could run on the same file unnoticed.\n` +
        'Remove the other names, or copy the database with: symbolon backup.',
    );
  // Before the count: its owner may be counting on meanwhile, in the database first.
  const seen = witnessed(place);
  const hasLog = sizeOf(logFileOf(place)) > 0;
  if (!facts || facts.size === 0) {
    if (seen !== undefined || hasLog) throw fileGone(place, { isEmpty: facts !== undefined, hasLog });
    return;
  }
  if (seen !== undefined && seen > countOf(place, hasLog)) throw setBack(place, hasLog);
}

/** A log is read by SQLite alone; without one nothing is locked and nothing is made. */
function countOf(place: string, hasLog: boolean): number {
  const file = hasLog ? place : new URL(`${pathToFileURL(place).href}?immutable=1`);
  const connection = new DatabaseSync(file, { readOnly: true, timeout: databaseLimits.busyTimeoutMs });
  try {
    const [row] = connection.prepare('pragma user_version').all();
    return Number(row?.user_version);
  } finally {
    connection.close();
  }
}

function fileGone(
  place: string,
  { isEmpty, hasLog }: { readonly isEmpty: boolean; readonly hasLog: boolean },
): DatabaseSetBack {
  const rest = [logFileOf(place), `${place}-shm`, witnessFileOf(place)].filter((file) => existsSync(file));
  const log = hasLog ? ` Its log (${logFileOf(place)}) is there, and good with this file alone.` : '';
  return new DatabaseSetBack(
    `the database file (${place}) is ${isEmpty ? 'empty' : 'gone'}, and was in use.${log}\n` +
      'Nothing was changed. Put the file back, or restore a backup into a new folder.\n' +
      `To begin with an empty database, knowing that everything is gone, remove ${rest.map((file) => basename(file)).join(', ')}.`,
  );
}

const setBack = (place: string, hasLog: boolean): DatabaseSetBack =>
  new DatabaseSetBack(
    `sqlite:${place} has lost what was written to it: ${
      hasLog
        ? `it is an older copy, or its write-ahead log (${logFileOf(place)}) is`
        : `its write-ahead log (${logFileOf(place)}) was deleted, or it is an older copy`
    }.\n` +
      'Put the log back, or restore a backup into a new folder.\n' +
      `To go on with what is left, knowing that answered writes are gone, remove ${witnessFileOf(place)}.`,
  );

/** For whoever is no owner: throws when the owner has found a reason to write no more. */
export function assertNotStopped(place: string): void {
  const problem = textOf(stoppedFileOf(place));
  if (problem === undefined) return;
  throw new DatabaseUnreachable(
    `sqlite:${place} is not written any more by the service that has it: ${problem}`,
  );
}

/** Best effort: on a full disk the owner's own word has to do. */
export function markStopped(place: string, problem: string): void {
  try {
    writeFileSync(stoppedFileOf(place), problem, { mode: 0o600 });
  } catch {
    // The owner refuses writes all the same; only others are not told.
  }
}

export const unmarkStopped = (place: string): void => rmSync(stoppedFileOf(place), { force: true });

/** Makes a file for its owner alone if there is none. One that is there is not opened: closing it would free locks. */
export function makeOwnFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

const busy = 5;

/** Owns the database of a file; the function returned lets it go. */
export function ownSqlite(file: string, location: string): () => void {
  const lockFile = lockFileOf(file);
  makeOwnFile(lockFile);
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(lockFile, { timeout: 0 });
    // Without a journal file, which nobody needs who writes nothing.
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock?.close();
    const { errcode, message } = error as { errcode?: number; message: string };
    if (errcode === busy)
      throw new DatabaseInUse(
        `${location} is in use by another process.\nStop that one first, or name another folder with --data.`,
      );
    throw new DatabaseUnreachable(`${location} cannot be owned: ${lockFile}: ${message}`);
  }
  const held = lock;
  return () => {
    if (held.isOpen) held.close();
  };
}
