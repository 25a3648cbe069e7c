/**
 * One process owns a SQLite file: it holds a lock for as long as it lives, and a second owner is refused. The lock is
 * the operating system's, taken by SQLite on an empty file beside the database, so that the end of the process, however
 * it comes, frees it at once; the file that stays behind means nothing. Whoever is no owner may go on to read and write.
 */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseInUse, DatabaseUnreachable } from '../common/database-error.ts';
import { lockFileOf } from './sqlite-files.ts';

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
